"""Logdirs, runs and files that are not there or empty say so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorboard_plugin_memviewer.errors import MemviewerError
from tests.sessions.logdirs import SESSION, listed, only, put


@pytest.mark.parametrize("path", ["none", "a\0b", "x" * 5000])
def test_what_does_not_exist_is_not_found(tmp_path: Path, path: str) -> None:
    with pytest.raises(MemviewerError):
        listed(f"{tmp_path}/{path}")


def test_an_empty_logdir_says_what_to_do(tmp_path: Path) -> None:
    listing = listed(tmp_path)
    assert listing.runs == ()
    (problem,) = listing.problems
    assert problem.code == "nothing_found" and "jax.profiler.trace" in problem.advice


def test_a_session_without_capture_says_so(tmp_path: Path) -> None:
    put(tmp_path, f"{SESSION}/old/h.trace.json.gz")
    (tmp_path / SESSION / "new").mkdir()
    messages = {run.name: run.problems[0].message for run in listed(tmp_path).runs}
    assert messages == {"new": "the run is empty", "old": "the run has no capture with memory information"}


def test_an_empty_file_says_so(tmp_path: Path) -> None:
    put(tmp_path, f"{SESSION}/r/h.xplane.pb")
    (tmp_path / SESSION / "r" / "h.xplane.pb").write_bytes(b"")
    assert [problem.code for problem in only(tmp_path).problems] == ["empty"]


def test_what_cannot_be_read_is_not_called_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr("os.scandir", refuse)
    assert [problem.code for problem in listed(tmp_path).problems] == ["unreadable"]
