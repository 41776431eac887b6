"""The facade for web, command line and Python API: runs, modules and usages of a logdir.

It returns records of analysis, each computed from files in a single state; its callers only present them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from tensorboard_plugin_memviewer.analysis.capacity import Capacity, Override, capacity_of
from tensorboard_plugin_memviewer.analysis.lifetimes.program_order import Axis
from tensorboard_plugin_memviewer.analysis.usage import Headline, SpaceUsage
from tensorboard_plugin_memviewer.errors import MemviewerError, NotFound, Problem, not_found
from tensorboard_plugin_memviewer.model.space import space_name, space_number
from tensorboard_plugin_memviewer.service.cache_sizes import size_of_records
from tensorboard_plugin_memviewer.service.collector import paused
from tensorboard_plugin_memviewer.service.decoding import decode_program, decode_saved_result
from tensorboard_plugin_memviewer.service.loaded import LoadedModule
from tensorboard_plugin_memviewer.service.program import Program, named
from tensorboard_plugin_memviewer.service.programs import ProgramFinder, retried
from tensorboard_plugin_memviewer.sessions.cache import Cache
from tensorboard_plugin_memviewer.sessions.run import Listing
from tensorboard_plugin_memviewer.sessions.url_secrets import shown

DEFAULT_CACHE_BYTES = 1 << 30

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SpaceSummary:
    """One memory space of one module in a list of modules."""

    color: int
    headline: Headline
    capacity: Capacity

    @property
    def name(self) -> str:
        """The space's name."""
        return space_name(self.color)


@dataclass(frozen=True, slots=True)
class Digest:
    """The facts about a module in lists; small enough to keep when the module itself is not."""

    name: str
    instruction_count: int
    platform: str | None
    axis: Axis
    points: int
    headlines: tuple[tuple[int, Headline], ...]
    problems: tuple[Problem, ...]

    @staticmethod
    def of(loaded: LoadedModule) -> Digest:
        """The digest of a module; works out the usage of every memory space."""
        module, order = loaded.module, loaded.plan.order
        return Digest(
            name=module.name,
            instruction_count=module.instruction_count,
            platform=module.platform,
            axis=order.axis,
            points=order.points,
            headlines=tuple((space, loaded.usage(space).headline) for space in loaded.plan.spaces),
            problems=loaded.plan.problems,
        )


@dataclass(frozen=True, slots=True)
class ModuleSummary:
    """One module of a run, with the hosts that have it. `digest` is None where it cannot be read: see
    problems.
    """

    program: Program
    fingerprint: str
    hosts: tuple[str, ...]
    digest: Digest | None
    spaces: tuple[SpaceSummary, ...]
    problems: tuple[Problem, ...]

    @property
    def rank(self) -> tuple[int, int, int]:
        """What modules are ordered by, largest first: peak of HBM, then any peak, then size."""
        peaks = {space.color: space.headline.peak_bytes for space in self.spaces}
        return peaks.get(0, 0), max(peaks.values(), default=0), self.program.size


@dataclass(frozen=True, slots=True)
class RunModules:
    """The modules of a run (or of one of its hosts), largest peak first, and what could not be read."""

    run: str
    host: str | None
    modules: tuple[ModuleSummary, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class ModuleName:
    """A module that has not been decoded: the largest program of its key, and the hosts that have one."""

    program: Program
    hosts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RunNames:
    """The modules of a run (or of one of its hosts) by name, largest program first, and what could not be
    read.
    """

    run: str
    host: str | None
    modules: tuple[ModuleName, ...]
    problems: tuple[Problem, ...]


@dataclass(slots=True)
class _Same:
    """A program and the hosts that have the same one."""

    program: Program
    hosts: list[str] = field(default_factory=list)


class Service:
    """Answers about one logdir (or one file), a local path or fsspec URL. Safe to use from several threads.

    `capacity` overrides what is known of the device: bytes by memory space number. `cache_bytes` bounds what
    is kept.
    """

    def __init__(
        self, logdir: str, capacity: Mapping[int, int] | None = None, cache_bytes: int = DEFAULT_CACHE_BYTES
    ) -> None:
        self.logdir = logdir
        self._overrides = {
            space: Override(size, "given by the user") for space, size in (capacity or {}).items()
        }
        self._finder = ProgramFinder(logdir)
        self._cache = Cache(cache_bytes)

    @property
    def shown(self) -> str:
        """The logdir as it may be shown: without the secrets that a URL can carry."""
        return shown(self.logdir)

    def runs(self) -> Listing:
        """The runs under the logdir as they are now. Raises NotFound or Unreadable where the logdir is not
        there.
        """
        return self._finder.listing()

    def programs(self, run: str, host: str | None = None) -> tuple[tuple[Program, ...], tuple[Problem, ...]]:
        """The programs of a run without decoding any, in file order, and what could not be read.

        Raises NotFound for a run or host that is not there.
        """
        return self._retried(lambda: self._finder.programs(run, host))

    def versions(self, run: str) -> dict[str, str]:
        """Versions of the software that captured a run, by name: jax, jaxlib, libtpu. Raises NotFound."""
        return self._retried(lambda: self._finder.versions(run))

    def names(self, run: str, host: str | None = None) -> RunNames:
        """The modules of a run without decoding any: one for each key, the largest program first.

        Raises NotFound for a run or host that is not there.
        """
        programs, problems = self.programs(run, host)
        groups: dict[str, list[Program]] = {}
        for program in programs:
            groups.setdefault(program.key, []).append(program)
        found = [
            ModuleName(max(same, key=lambda one: one.size), tuple(dict.fromkeys(one.host for one in same)))
            for same in groups.values()
        ]
        found.sort(key=lambda module: module.program.size, reverse=True)
        return RunNames(run, host, tuple(found), problems)

    def keys(self, run: str, host: str | None, modules: Iterable[str]) -> set[str]:
        """The keys of the modules that these names mean, in any spelling that `module` may have elsewhere."""
        programs, _ = self.programs(run, host)
        return {program.key for module in modules for program in named(programs, module)}

    def modules(self, run: str, host: str | None = None, keys: Container[str] | None = None) -> RunModules:
        """Every module of a run with its headline numbers, the largest peak first; equal ones of several
        hosts once. With `keys` only the modules of those keys are decoded.
        """
        programs, problems = self.programs(run, host)
        programs = tuple(program for program in programs if keys is None or program.key in keys)
        groups: dict[tuple[str, str], _Same] = {}
        failed: list[Problem] = []
        for program in programs:
            try:
                fingerprint = self._finder.fingerprint(program)
            except MemviewerError as error:
                failed.append(_problem_of(program, error))
                continue
            groups.setdefault((program.key, fingerprint), _Same(program)).hosts.append(program.host)
        summaries = [self._summary(same, fingerprint) for (_, fingerprint), same in groups.items()]
        summaries.sort(key=lambda summary: summary.rank, reverse=True)
        return RunModules(run, host, tuple(summaries), (*problems, *failed))

    def _summary(self, same: _Same, fingerprint: str) -> ModuleSummary:
        program, hosts = same.program, tuple(dict.fromkeys(same.hosts))
        try:
            digest = self._digest(program, fingerprint)
        except MemviewerError as error:
            return ModuleSummary(program, fingerprint, hosts, None, (), (_problem_of(program, error),))
        spaces = tuple(
            SpaceSummary(color, headline, self.capacity(program, color))
            for color, headline in digest.headlines
        )
        problems = tuple(p._replace(path=p.path or program.path) for p in digest.problems)
        return ModuleSummary(program, fingerprint, hosts, digest, spaces, problems)

    def _digest(self, program: Program, fingerprint: str) -> Digest:
        def compute() -> Digest:
            return Digest.of(self._loaded(program, fingerprint))

        return self._cache.get(
            ("digest", fingerprint), compute, lambda digest: size_of_records(len(digest.headlines))
        )

    def program(self, run: str, host: str | None, module: str) -> Program:
        """The first program that `module` names. Raises NotFound; Incomplete where it may be there."""
        programs, problems = self.programs(run, host)
        if found := named(programs, module):
            return found[0]
        place = f"run {run!r}" if host is None else f"host {host!r} of run {run!r}"
        keys, names = [program.key for program in programs], [program.name for program in programs]
        raise not_found(f"{place} has no module {module!r}", module, keys, "modules", problems, names)

    def load(self, run: str, host: str | None, module: str) -> tuple[Program, LoadedModule]:
        """A module with its plan. Raises NotFound, Damaged, Unsupported."""

        def attempt() -> tuple[Program, LoadedModule]:
            program = self.program(run, host, module)
            return program, self._loaded(program, self._finder.fingerprint(program))

        return self._retried(attempt)

    def _loaded(self, program: Program, fingerprint: str) -> LoadedModule:
        def compute() -> LoadedModule:
            if program.kind == "saved":
                saved = decode_saved_result(self._finder, program)
                return LoadedModule(saved[0].module, fingerprint, saved)
            return LoadedModule(decode_program(self._finder, program), fingerprint)

        return self._cache.get(("module", fingerprint), _uncollected(compute), LoadedModule.size_bytes)

    def usage(
        self, run: str, host: str | None, module: str, space: str
    ) -> tuple[Program, LoadedModule, SpaceUsage]:
        """The usage of a memory space, given by name or number. Raises NotFound where the module does not use
        it.
        """
        program, loaded = self.load(run, host, module)
        number = space_number(space)
        if number is None or number not in loaded.plan.spaces:
            raise unused_space(program.key, space, loaded.plan.spaces)
        return program, loaded, loaded.usage(number)

    def capacity(self, program: Program, space: int) -> Capacity:
        """The device's memory of a space: the user's word, else the capture's or the compiler's, else
        unknown.
        """
        override = self._overrides.get(space) or self._refused_capacity(program, space)
        return capacity_of(program.devices, space, override)

    def _refused_capacity(self, program: Program, space: int) -> Override | None:
        """The capacity in the compiler's error message next to a dump."""
        try:
            report = self._finder.refusal(program.run)
        except MemviewerError:
            return None
        size = None if report is None else report.device_bytes(space)
        if size is None:
            return None
        return Override(size, "from the compiler's out-of-memory error next to the dump")

    def kept(self, key: Hashable, compute: Callable[[], T], size: Callable[[T], int]) -> T:
        """An answer kept in the service's bounded cache; `compute` makes it, `size` gives its bytes."""
        return self._cache.get(("answer", key), _uncollected(compute), size)

    def _retried(self, attempt: Callable[[], T]) -> T:
        return retried(attempt, self._finder.forget_listing)


def unused_space(module: str, space: str | int, used: Iterable[int]) -> NotFound:
    """The error that a module has nothing in a memory space."""
    names = [space_name(number) for number in used]
    message = f"module {module!r} does not use memory space {space!r}"
    return not_found(message, str(space), names, "memory spaces")


def _uncollected(compute: Callable[[], T]) -> Callable[[], T]:
    """The computation with the garbage collector paused."""

    def run() -> T:
        with paused():
            return compute()

    return run


def _problem_of(program: Program, error: MemviewerError) -> Problem:
    message = f"{program.key}: {error.message}"
    return Problem(error.code, message, error.advice, error.path or program.path)
