"""Explains why a logdir shows nothing, or not everything: the content of each run, and the files not read.

Reads only. Independent of how the explanation is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from tensorboard_plugin_memviewer.errors import Problem
from tensorboard_plugin_memviewer.service.service import RunModules, Service
from tensorboard_plugin_memviewer.service.unread import CAPTURE_AGAIN, unread_files
from tensorboard_plugin_memviewer.sessions.run import Run
from tensorboard_plugin_memviewer.sessions.url_secrets import shown
from tensorboard_plugin_memviewer.units import format_count

Status = Literal["ok", "warning", "failure"]


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

    `tell` receives the number of runs that are done, their total, and the next one.
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
    checks.extend(_unread(service.logdir, shows))
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
    return Check("failure", run.name, "has no programs", CAPTURE_AGAIN)


def _problems(answer: RunModules) -> Iterator[Problem]:
    yield from answer.problems
    for summary in answer.modules:
        yield from summary.problems


def _of_problem(about: str, problem: Problem) -> Check:
    where = f" ({problem.unsaid_path})" if problem.unsaid_path else ""
    return Check("warning", about, problem.message + where, problem.advice)


def _unread(logdir: str, shows: bool) -> Iterator[Check]:
    """What lies there and is not read: all of it where nothing is shown, else what a path would lead to."""
    problems: list[Problem] = []
    for found in unread_files(logdir, problems):
        if found.reason.could_be_read or not shows:
            message = f"{found.count} × {found.reason.what}, such as {found.example}"
            yield Check("warning", shown(logdir), message, found.reason.advice)
    if not shows:
        for problem in problems:
            yield _of_problem(shown(logdir), problem)
