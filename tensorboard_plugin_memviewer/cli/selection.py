"""From a location to modules: all of them, or the one that was meant (by default the largest)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tensorboard_plugin_memviewer.analysis.usage import SpaceUsage
from tensorboard_plugin_memviewer.cli.location import Location
from tensorboard_plugin_memviewer.cli.terminal import Progress
from tensorboard_plugin_memviewer.errors import NotFound, Problem
from tensorboard_plugin_memviewer.model.space import HBM, space_name
from tensorboard_plugin_memviewer.service import LoadedModule, ModuleSummary, Program, Service


@dataclass(frozen=True, slots=True)
class Found:
    """The modules of a location, largest peak first over all its runs, and what could not be read."""

    service: Service
    modules: tuple[tuple[str, ModuleSummary], ...]
    problems: tuple[Problem, ...]

    @property
    def readable(self) -> tuple[tuple[str, ModuleSummary], ...]:
        """The modules that have numbers."""
        return tuple(pair for pair in self.modules if pair[1].digest is not None)


@dataclass(frozen=True, slots=True)
class Chosen:
    """One module, loaded, and the memory space that was asked for."""

    service: Service
    run: str
    summary: ModuleSummary
    program: Program
    loaded: LoadedModule
    usage: SpaceUsage
    problems: tuple[Problem, ...]


def find_modules(location: Location, capacity: Mapping[int, int] | None = None) -> Found:
    """Every module of a location that its choice allows.

    Raises NotFound for a run, host or module that is not there.
    """
    service = Service(location.path, capacity)
    listing = service.runs()
    runs = listing.runs if location.run is None else (listing.run(location.run),)
    problems = list(listing.problems)
    modules: list[tuple[str, ModuleSummary]] = []
    with Progress() as progress:
        for at, run in enumerate(runs):
            if location.host is not None and location.host not in run.host_names and location.run is None:
                continue
            progress.at(at, len(runs), run.name)
            answer = service.modules(run.name, location.host)
            problems.extend(answer.problems)
            modules.extend((run.name, summary) for summary in answer.modules)
    modules.sort(key=lambda pair: pair[1].rank, reverse=True)
    if location.module is not None:
        modules = _named(modules, location)
    for _, summary in modules:
        problems.extend(summary.problems)
    return Found(service, tuple(modules), tuple(problems))


def choose(location: Location, capacity: Mapping[int, int] | None = None) -> Chosen:
    """The module that is meant: the largest that the choice allows. Raises NotFound where there is none."""
    found = find_modules(location, capacity)
    if not found.readable:
        raise _nothing(found, location)
    run, summary = found.readable[0]
    program, loaded = found.service.load(run, summary.hosts[0], summary.program.key)
    space = location.space or _default_space(summary)
    usage = found.service.usage(run, summary.hosts[0], program.key, space)[2]
    return Chosen(found.service, run, summary, program, loaded, usage, summary.problems)


def _named(modules: list[tuple[str, ModuleSummary]], location: Location) -> list[tuple[str, ModuleSummary]]:
    """The modules of that key, else of that name and number, else of that name."""
    for names in (_key, _numbered, _bare):
        if named := [pair for pair in modules if location.module in names(pair[1].program)]:
            return named
    known = ", ".join(dict.fromkeys(summary.program.key for _, summary in modules[:8])) or "none"
    raise NotFound(f"{location.path} has no module {location.module!r}", f"Its largest modules: {known}.")


def _key(program: Program) -> tuple[str, ...]:
    return (program.key,)


def _numbered(program: Program) -> tuple[str, ...]:
    numbers = (program.program_id, program.metadata_id)
    return tuple(f"{program.name}({number})" for number in numbers if number is not None)


def _bare(program: Program) -> tuple[str, ...]:
    return (program.name,)


def _default_space(summary: ModuleSummary) -> str:
    """HBM where the module uses it, else the space with the largest peak."""
    peaks = {space.color: space.headline.peak_bytes for space in summary.spaces}
    if HBM in peaks or not peaks:
        return space_name(HBM)
    return space_name(max(peaks, key=lambda color: peaks[color]))


def _nothing(found: Found, location: Location) -> NotFound:
    if found.problems:
        first = found.problems[0]
        return NotFound(first.message, first.advice, first.path)
    advice = f"Find out why with: memviewer doctor {location.path}"
    return NotFound(f"{location.path} holds no module with a memory plan", advice)
