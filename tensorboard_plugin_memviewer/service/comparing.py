"""Two memory spaces of modules of one logdir, one against the other."""

from __future__ import annotations

from dataclasses import dataclass

from tensorboard_plugin_memviewer.analysis.capacity import Capacity
from tensorboard_plugin_memviewer.analysis.compare import Comparison, compare
from tensorboard_plugin_memviewer.analysis.usage import SpaceUsage
from tensorboard_plugin_memviewer.service import LoadedModule, Program, Service
from tensorboard_plugin_memviewer.service.cache_sizes import size_of_records


@dataclass(frozen=True, slots=True)
class Chosen:
    """What names one memory space of a module: `space` by name or number."""

    run: str
    host: str | None
    module: str
    space: str


@dataclass(frozen=True, slots=True)
class ComparedSide:
    """One side of a comparison, as found."""

    chosen: Chosen
    program: Program
    loaded: LoadedModule
    usage: SpaceUsage
    capacity: Capacity


@dataclass(frozen=True, slots=True)
class Compared:
    """The comparison and its two sides."""

    subject: ComparedSide
    baseline: ComparedSide
    comparison: Comparison


def compared(service: Service, subject: Chosen, baseline: Chosen) -> Compared:
    """The subject against the baseline. Raises NotFound, Damaged, Unsupported."""
    sides = _side(service, subject), _side(service, baseline)
    key = ("compare", *((side.loaded.fingerprint, side.usage.space) for side in sides))
    (plan, usage), other = ((side.loaded.plan, side.usage) for side in sides)
    comparison = service.kept(
        key, lambda: compare((plan, usage), other), lambda made: size_of_records(len(made.changes))
    )
    return Compared(*sides, comparison)


def _side(service: Service, chosen: Chosen) -> ComparedSide:
    program, loaded, usage = service.usage(chosen.run, chosen.host, chosen.module, chosen.space)
    return ComparedSide(chosen, program, loaded, usage, service.capacity(program, usage.space))
