"""Logdirs of files whose names alone count, and what a listing makes of them."""

from __future__ import annotations

from pathlib import Path

from tensorboard_plugin_memviewer.sessions.logdir import Logdir
from tensorboard_plugin_memviewer.sessions.run import Listing, Run

SESSION = "plugins/profile"


def put(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode("utf-8", "surrogateescape"))


def listed(root: Path | str) -> Listing:
    return Logdir(str(root)).listing()


def only(root: Path | str) -> Run:
    (run,) = listed(root).runs
    return run


def summary(root: Path | str) -> dict[str, tuple[str, tuple[str, ...]]]:
    return {run.name: (run.kind, run.host_names) for run in listed(root).runs}
