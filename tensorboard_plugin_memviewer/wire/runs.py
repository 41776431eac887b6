"""The `runs` answer: what lies under a logdir. Decodes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

from tensorboard_plugin_memviewer.wire import VERSION
from tensorboard_plugin_memviewer.wire.problems import Problem, Versioned, problem_records

if TYPE_CHECKING:
    from tensorboard_plugin_memviewer.sessions.run import Listing, Run

RunKind = Literal["profile", "xla_dump", "saved", "file"]


class RunEntry(TypedDict):
    """One run of a logdir."""

    run: str
    kind: RunKind
    hosts: list[str]
    """The hosts that have a name."""
    time: str | None
    """When the newest file was written: ISO 8601, UTC."""
    problems: list[Problem]


class RunsAnswer(Versioned):
    """The runs of a logdir, by name."""

    logdir: str
    runs: list[RunEntry]
    problems: list[Problem]


def runs_answer(listing: Listing) -> RunsAnswer:
    """The runs of a listing."""
    return {
        "version": VERSION,
        "logdir": listing.logdir,
        "runs": [run_entry(run) for run in listing.runs],
        "problems": problem_records(listing.problems),
    }


def run_entry(run: Run) -> RunEntry:
    """One run of a listing."""
    return {
        "run": run.name,
        "kind": run.kind,
        "hosts": list(run.host_names),
        "time": run.time,
        "problems": problem_records(run.problems),
    }
