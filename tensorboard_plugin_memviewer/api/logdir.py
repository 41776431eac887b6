"""`memviewer.open`: a logdir, its runs and their modules. Nothing is decoded until it is used."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from tensorboard_plugin_memviewer.api.module import Module, Origin, listed_html
from tensorboard_plugin_memviewer.errors import Problem, not_found
from tensorboard_plugin_memviewer.model.capacities import Size, sizes_of
from tensorboard_plugin_memviewer.service import LoadedModule, ModuleSummary, Service
from tensorboard_plugin_memviewer.service.program import named
from tensorboard_plugin_memviewer.service.service import Digest
from tensorboard_plugin_memviewer.units import format_count


def open_logdir(path: str | os.PathLike[str], capacity: Size | Mapping[str, Size] | None = None) -> Logdir:
    """Open a logdir, an XLA dump folder or one file; a local path, or a URL that fsspec knows.

    `capacity` is the size of the device's memory spaces, instead of that in the capture: `"16GiB"` or
    integer bytes for HBM, or by space, `{"HBM": "16GiB", "VMEM": 64 << 20}`. Raises NotFound where there is
    nothing, BadParameter for a capacity that is not a size.
    """
    logdir = Logdir(Service(os.fspath(path), sizes_of(capacity)))
    logdir._service.runs()  # reports a missing path here, not at the first use
    return logdir


class Logdir:
    """What lies under one path. Made by `memviewer.open`."""

    def __init__(self, service: Service) -> None:
        self._service = service

    @property
    def path(self) -> str:
        """The path as it was given."""
        return self._service.logdir

    @property
    def runs(self) -> tuple[Run, ...]:
        """The runs as they are now, by name."""
        return tuple(
            Run(self._service, run.name, run.kind, run.host_names, run.time, run.problems)
            for run in self._service.runs().runs
        )

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What could not be listed."""
        return self._service.runs().problems

    @property
    def modules(self) -> tuple[Module, ...]:
        """The modules of all runs, the largest peak of HBM first. Every one is read for its numbers."""
        modules = [module for run in self.runs for module in run.modules]
        return tuple(sorted(modules, key=_peak, reverse=True))

    def run(self, name: str) -> Run:
        """The run of a name. Raises NotFound."""
        known = self._service.runs().run(name)
        return next(run for run in self.runs if run.name == known.name)

    def module(self, name: str) -> Module:
        """The module of a name or key (`jit_f`, `jit_f(123)`) in any run; of several the largest. Raises
        NotFound.
        """
        return _named(self._service.shown, name, self.runs, self.problems)

    def __repr__(self) -> str:
        return f"<memviewer.Logdir {self._service.shown!r}: {format_count(len(self.runs), 'run')}>"

    def _repr_html_(self) -> str:
        return listed_html(self._service.shown, self.modules)


@dataclass(frozen=True)
class Run:
    """One run: `kind` is "profile" (a capture), "xla_dump", "saved" or "file"; `time` ISO 8601 in UTC.

    `hosts` are those that have a name.
    """

    _service: Service
    name: str
    kind: str
    hosts: tuple[str, ...]
    time: str | None
    problems: tuple[Problem, ...]

    @property
    def modules(self) -> tuple[Module, ...]:
        """The modules that can be read, the largest peak of HBM first; equal ones of several hosts once."""
        answer = self._service.modules(self.name)
        return tuple(
            Module(_origin(self._service, self.name, summary, summary.digest))
            for summary in answer.modules
            if summary.digest is not None
        )

    @property
    def unreadable(self) -> tuple[Problem, ...]:
        """Why modules of this run are missing from `modules`."""
        answer = self._service.modules(self.name)
        broken = (summary for summary in answer.modules if summary.digest is None)
        return (*answer.problems, *(problem for summary in broken for problem in summary.problems))

    def module(self, name: str) -> Module:
        """The module of a name or key in this run; of several the largest. Raises NotFound."""
        return _named(f"run {self.name!r}", name, [self])

    def _why_not(self, name: str) -> tuple[Problem, ...]:
        """What may hide a module: what of the run could not be read, and what is wrong with itself."""
        answer = self._service.modules(self.name)
        own = (summary for summary in answer.modules if named([summary.program], name))
        return (*answer.problems, *(problem for summary in own for problem in summary.problems))

    def __repr__(self) -> str:
        return f"<memviewer.Run {self.name!r} ({self.kind})>"

    def _repr_html_(self) -> str:
        return listed_html(self.name, self.modules)


def _named(place: str, name: str, runs: Sequence[Run], problems: Sequence[Problem] = ()) -> Module:
    """Of the modules of some runs that have a name or key the largest. Raises NotFound."""
    modules = [module for run in runs for module in run.modules]
    found = [module for module in modules if name in (module.name, module.key)]
    if not found:
        troubles = [*problems, *(problem for run in runs for problem in run._why_not(name))]
        keys, names = [module.key for module in modules], [module.name for module in modules]
        raise not_found(f"{place} has no module {name!r}", name, keys, "modules", troubles, names)
    return max(found, key=_peak)


def _peak(module: Module) -> int:
    return module.peaks.get("HBM", 0)


def _origin(service: Service, run: str, summary: ModuleSummary, digest: Digest) -> Origin:
    program = summary.program
    host = summary.hosts[0]

    def load() -> LoadedModule:
        return service.load(run, host, program.key)[1]

    return Origin(
        key=program.key,
        digest=digest,
        run=run,
        hosts=tuple(name for name in summary.hosts if name),
        fingerprint=summary.fingerprint,
        program_id=program.program_id,
        load=load,
        capacity=partial(service.capacity, program),
        path=program.path,
    )
