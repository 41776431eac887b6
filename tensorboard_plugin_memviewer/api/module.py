"""A module (XLA program) in the Python API."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape

from tensorboard_plugin_memviewer.analysis.capacity import Capacity
from tensorboard_plugin_memviewer.api.notebook import ModulePeaks, modules_html
from tensorboard_plugin_memviewer.api.usage import Usage
from tensorboard_plugin_memviewer.errors import Problem
from tensorboard_plugin_memviewer.model.space import HBM, default_space, space_name, space_number
from tensorboard_plugin_memviewer.service import LoadedModule
from tensorboard_plugin_memviewer.service.service import Digest, unused_space
from tensorboard_plugin_memviewer.wire.names import ModuleNames, module_names
from tensorboard_plugin_memviewer.wire.spaces import SpacesAnswer, spaces_answer


@dataclass(frozen=True)
class Origin:
    """Where a module is from: what names it, the numbers that lists show, and how the rest is got."""

    key: str
    digest: Digest
    run: str | None
    hosts: tuple[str, ...]
    fingerprint: str
    program_id: int | None
    load: Callable[[], LoadedModule]
    capacity: Callable[[int], Capacity]
    path: str | None = None


class Module:
    """One compiled program with its memory plan.

    `key` names it within its run (`jit_f(123)`), `name` is the bare name. `axis` is "schedule" where program
    points are scheduled instructions, "events" where only the heap's events are known.
    """

    def __init__(self, origin: Origin) -> None:
        self._origin = origin

    @cached_property
    def _loaded(self) -> LoadedModule:
        return self._origin.load()

    @property
    def key(self) -> str:
        """What names it within its run."""
        return self._origin.key

    @property
    def name(self) -> str:
        """The module's own name."""
        return self._origin.digest.name

    @property
    def run(self) -> str | None:
        """The run that it is of; None for a program that is from no file."""
        return self._origin.run

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts that have this very module."""
        return self._origin.hosts

    @property
    def program_id(self) -> int | None:
        """The id that the capture gives it."""
        return self._origin.program_id

    @property
    def fingerprint(self) -> str:
        """The same text for modules of equal content."""
        return self._origin.fingerprint

    @property
    def platform(self) -> str | None:
        """ "tpu", "gpu", "cpu", or None if unknown."""
        return self._origin.digest.platform

    @property
    def instruction_count(self) -> int:
        """Instructions of all computations, fused ones included."""
        return self._origin.digest.instruction_count

    @property
    def axis(self) -> str:
        """What a program point is."""
        return self._origin.digest.axis

    @property
    def points(self) -> int:
        """The number of program points: the length of every curve."""
        return self._origin.digest.points

    @property
    def spaces(self) -> tuple[str, ...]:
        """The names of the memory spaces that it uses."""
        return tuple(self.peaks)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is amiss or missing; the rest is right."""
        return self._origin.digest.problems

    @property
    def peaks(self) -> dict[str, int]:
        """The peak in bytes of every memory space that it uses, by name."""
        headlines = self._origin.digest.headlines
        return {space_name(space): headline.peak_bytes for space, headline in headlines}

    def usage(self, space: str | int | None = None) -> Usage:
        """The usage of a memory space, by name ("HBM", "VMEM") or number; by default HBM, or the one with the
        largest peak where the module has none.

        Raises NotFound where the module uses none of it.
        """
        if space is None:
            space = self._default_space or HBM
        number = space if isinstance(space, int) else space_number(space)
        if number is None or space_name(number) not in self.peaks:
            raise unused_space(self.key, space, (space for space, _ in self._origin.digest.headlines))
        return Usage(self._names, self._loaded, number, self._origin.capacity(number))

    @property
    def _default_space(self) -> int | None:
        headlines = self._origin.digest.headlines
        return default_space({space: headline.peak_bytes for space, headline in headlines})

    @property
    def usages(self) -> dict[str, Usage]:
        """The usage of every memory space, by name."""
        return {space: self.usage(space) for space in self.spaces}

    def to_dict(self) -> SpacesAnswer:
        """The answer of the route `memory_spaces`: the headline numbers and a small curve of every space."""
        loaded = self._loaded
        spaces = ((loaded.usage(space), self._origin.capacity(space)) for space in loaded.plan.spaces)
        return spaces_answer(self._names, loaded, spaces)

    @property
    def _names(self) -> ModuleNames:
        host = next(iter(self.hosts), None)
        return module_names(self.run or "", host, self.key, self.name, self.program_id)

    def __repr__(self) -> str:
        return f"<memviewer.Module {self.key!r}>"

    def _repr_html_(self) -> str:
        if self._default_space is None:
            return f"<p>{escape(repr(self))}: it uses no memory.</p>"
        return self.usage()._repr_html_()


def listed_html(title: str, modules: Sequence[Module]) -> str:
    """Modules with their peak in every memory space, for a notebook."""
    return modules_html(
        title, [ModulePeaks(module.run or "", module.key, module.peaks) for module in modules]
    )
