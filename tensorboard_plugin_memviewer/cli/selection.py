"""Finds the modules at a location: all of them, or the selected one (by default the largest)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tensorboard_plugin_memviewer.analysis.usage import SpaceUsage
from tensorboard_plugin_memviewer.cli.location import Location
from tensorboard_plugin_memviewer.cli.terminal import Progress
from tensorboard_plugin_memviewer.errors import MemviewerError, NotFound, Problem, not_found
from tensorboard_plugin_memviewer.model.space import HBM, default_space, space_name
from tensorboard_plugin_memviewer.service import LoadedModule, ModuleSummary, Program, Service
from tensorboard_plugin_memviewer.service.program import named
from tensorboard_plugin_memviewer.wire.names import names_of
from tensorboard_plugin_memviewer.wire.subject import Subject


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
    program: Program
    loaded: LoadedModule
    usage: SpaceUsage
    problems: tuple[Problem, ...]

    @property
    def subject(self) -> Subject:
        """As answers in JSON take it."""
        capacity = self.service.capacity(self.program, self.usage.space)
        return Subject(names_of(self.program, self.program.host or None), self.loaded, self.usage, capacity)


def find_modules(
    location: Location, capacity: Mapping[int, int] | None = None, service: Service | None = None
) -> Found:
    """Every module of a location that its choice allows; only those are decoded.

    Raises NotFound for a run, host or module that is not there.
    """
    service = Service(location.path, capacity) if service is None else service
    runs, problems = _runs(service, location)
    keys = None if location.module is None else _keys(service, location, location.module)
    modules: list[tuple[str, ModuleSummary]] = []
    with Progress() as progress:
        for at, run in enumerate(runs):
            if keys is not None and run not in keys:
                continue
            progress.at(at, len(runs), run)
            answer = service.modules(run, location.host, None if keys is None else keys[run])
            problems.extend(answer.problems)
            modules.extend((run, summary) for summary in answer.modules)
    modules.sort(key=lambda pair: pair[1].rank, reverse=True)
    for _, summary in modules:
        problems.extend(summary.problems)
    return Found(service, tuple(modules), tuple(problems))


def choose(location: Location, capacity: Mapping[int, int] | None = None) -> Chosen:
    """The module that is meant: the largest that the choice allows. Raises NotFound where there is none."""
    service = Service(location.path, capacity)
    if location.module is None:
        program = _largest(service, location)
    else:
        program = _largest_named(service, location, location.module)
    program, loaded = service.load(program.run, program.host, program.key)
    space = location.space or _default_space(loaded)
    usage = service.usage(program.run, program.host, program.key, space)[2]
    return Chosen(service, program.run, program, loaded, usage, loaded.plan.problems)


def _largest(service: Service, location: Location) -> Program:
    found = find_modules(location, service=service)
    if found.readable:
        return found.readable[0][1].program
    if found.problems:
        first = found.problems[0]
        raise NotFound(first.message, first.advice, first.path)
    advice = f"To find out why, run: memviewer doctor {service.shown}"
    raise NotFound(f"{service.shown} has no module with a memory plan", advice)


def _runs(service: Service, location: Location) -> tuple[list[str], list[Problem]]:
    """The runs that the choice allows: those that have the host, where it names one but no run."""
    listing = service.runs()
    if location.run is not None:
        return [listing.run(location.run).name], list(listing.problems)
    runs = [run.name for run in listing.runs if location.host in (None, *run.host_names)]
    if not runs and listing.runs:
        message = f"{service.shown} has no host {location.host!r}"
        known = [host for run in listing.runs for host in run.host_names]
        raise not_found(message, str(location.host), known, "hosts", listing.problems)
    return runs, list(listing.problems)


def _named(service: Service, location: Location, module: str) -> list[Program]:
    """The programs that `module` names, of all runs that the choice allows. Raises NotFound for none."""
    programs: list[Program] = []
    runs, problems = _runs(service, location)
    for run in runs:
        found, troubles = service.programs(run, location.host)
        programs.extend(found)
        problems.extend(troubles)
    if meant := named(programs, module):
        return meant
    keys, names = [program.key for program in programs], [program.name for program in programs]
    raise not_found(f"{service.shown} has no module {module!r}", module, keys, "modules", problems, names)


def _keys(service: Service, location: Location, module: str) -> dict[str, set[str]]:
    """The keys of the named programs by run."""
    keys: dict[str, set[str]] = {}
    for program in _named(service, location, module):
        keys.setdefault(program.run, set()).add(program.key)
    return keys


def _largest_named(service: Service, location: Location, module: str) -> Program:
    """The named program with the largest peak. Decodes no other: a run may hold a thousand."""
    found = _named(service, location, module)
    return found[0] if len(found) == 1 else max(found, key=lambda program: _peak(service, program))


def _peak(service: Service, program: Program) -> int:
    """The peak of HBM; -1 where the module cannot be read."""
    try:
        return service.load(program.run, program.host, program.key)[1].usage(HBM).headline.peak_bytes
    except MemviewerError:
        return -1


def _default_space(loaded: LoadedModule) -> str:
    """The space to show where none is named. HBM is asked first: the others need not be worked out."""
    spaces = loaded.plan.spaces
    if HBM in spaces:
        return space_name(HBM)
    found = default_space({space: loaded.usage(space).headline.peak_bytes for space in spaces})
    return space_name(HBM if found is None else found)
