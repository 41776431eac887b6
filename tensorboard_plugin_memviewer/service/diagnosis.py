"""Why a logdir shows nothing: what is there instead of programs, told by names, and what every run holds.

Looks only; the words and the advice are for people. Knows nothing of how they are shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from tensorboard_plugin_memviewer.errors import DUMP_FLAGS, Problem
from tensorboard_plugin_memviewer.service.service import RunModules, Service
from tensorboard_plugin_memviewer.sessions.filesystem import filesystem_for
from tensorboard_plugin_memviewer.sessions.run import Run
from tensorboard_plugin_memviewer.sessions.url_secrets import shown
from tensorboard_plugin_memviewer.units import format_count

Status = Literal["ok", "warning", "failure"]

_AS_PROTO: Final = f"Dump again with {DUMP_FLAGS}."
_CAPTURE: Final = (
    "Capture with jax.profiler.trace(LOGDIR), or TensorFlow's or PyTorch/XLA's profiler (the latter with"
    " XLA_HLO_DEBUG=1 and XLA_IR_DEBUG=1, for names)."
)
_STAGE: Final = f"The plan is in *after_optimizations.hlo.pb. {_AS_PROTO}"


@dataclass(frozen=True, slots=True)
class _NearMiss:
    """Files that stand where programs were hoped for, told by a part of their names."""

    part: str
    what: str
    advice: str


# The first that fits a name counts.
_NEAR_MISSES: Final = (
    _NearMiss(
        "trace.json.gz",
        "timelines without their *.xplane.pb",
        f"Copy the *.xplane.pb of each too, or capture again. {_CAPTURE}",
    ),
    _NearMiss("before_optimizations.hlo.pb", "programs before optimization", _STAGE),
    _NearMiss(
        "optimizations.txt",
        "programs as text",
        f"Their memory plan is in *-buffer-assignment.txt, which is not beside them. {_AS_PROTO}",
    ),
    _NearMiss(".hlo.pb", "programs of other stages", _STAGE),
    _NearMiss("memory_profile.json", "profiles of the allocator", f"They hold no program's plan. {_CAPTURE}"),
    _NearMiss(".prof", "device memory profiles", f"They list live arrays, not a program's plan. {_CAPTURE}"),
    _NearMiss("tfevents", "TensorBoard event files", _CAPTURE),
)

_TIMELINES: Final = 0


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at, and what to do about it; `advice` is "" where nothing is to be done, or
    the checks that follow have it.
    """

    status: Status
    about: str
    message: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What a logdir holds. `shows` is whether at least one module has numbers."""

    checks: tuple[Check, ...]
    shows: bool


def diagnose(service: Service, tell: Callable[[int, int, str], None] | None = None) -> Diagnosis:
    """Look at everything under the service's logdir. Raises NotFound, Unreadable where it is not there.

    `tell` is told how many runs of how many are done, and which is next.
    """
    listing = service.runs()
    checks = [_of_problem(listing.logdir, problem) for problem in listing.problems]
    shows = False
    for at, run in enumerate(listing.runs):
        if tell is not None:
            tell(at, len(listing.runs), run.name)
        answer = service.modules(run.name)
        readable = sum(summary.digest is not None for summary in answer.modules)
        shows = shows or readable > 0
        checks.append(_of_run(run, answer, readable, service.versions(run.name)))
        for problem in _problems(answer):
            checks.append(_of_problem(run.name, problem))
    if not shows:
        checks.extend(_near_misses(service.logdir))
    return Diagnosis(tuple(dict.fromkeys(checks)), shows)


def _of_run(run: Run, answer: RunModules, readable: int, versions: Mapping[str, str]) -> Check:
    if readable:
        count = format_count(readable, "module")
        made_by = "".join(f", {name} {version}" for name, version in sorted(versions.items()))
        return Check("ok", run.name, f"{count} with a memory plan ({run.kind}{made_by})")
    if answer.modules:
        count = format_count(len(answer.modules), "module")
        return Check("failure", run.name, f"{count}, none with a memory plan ({run.kind})")
    if any(_problems(answer)):
        return Check("failure", run.name, f"no program can be read ({run.kind})")
    return Check("failure", run.name, "holds no program", _CAPTURE)


def _problems(answer: RunModules) -> Iterator[Problem]:
    yield from answer.problems
    for summary in answer.modules:
        yield from summary.problems


def _of_problem(about: str, problem: Problem) -> Check:
    where = f" ({problem.unsaid_path})" if problem.unsaid_path else ""
    return Check("warning", about, problem.message + where, problem.advice)


def _near_misses(logdir: str) -> Iterator[Check]:
    filesystem, path = filesystem_for(logdir)
    if filesystem.file(path) is not None:
        return
    problems: list[Problem] = []
    found: Counter[int] = Counter()
    example: dict[int, str] = {}
    for folder in filesystem.walk(path, lambda name: _miss(name) is not None or _is_capture(name), problems):
        has_capture = any(_is_capture(file.name) for file in folder.files)
        for file in folder.files:
            at = _miss(file.name)
            if has_capture and at == _TIMELINES:
                continue
            if at is not None:
                found[at] += 1
                example.setdefault(at, file.path)
    for problem in problems:
        yield _of_problem(shown(logdir), problem)
    for at in sorted(found):
        miss = _NEAR_MISSES[at]
        yield Check(
            "warning", shown(logdir), f"{found[at]} × {miss.what}, such as {example[at]}", miss.advice
        )


def _is_capture(name: str) -> bool:
    return ".xplane." in name


def _miss(name: str) -> int | None:
    return next((at for at, miss in enumerate(_NEAR_MISSES) if miss.part in name), None)
