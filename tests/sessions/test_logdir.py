"""A logdir that lives: runs come, grow, go and are replaced while it is read."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tensorboard_plugin_memviewer.errors import MemviewerError, NotFound
from tensorboard_plugin_memviewer.sessions import logdir as logdir_module
from tensorboard_plugin_memviewer.sessions.filesystem import Changed, File
from tensorboard_plugin_memviewer.sessions.logdir import Logdir
from tests.patience import PATIENCE_S


def session(root: Path, run: str, data: bytes = b"x") -> Path:
    path = root / "plugins" / "profile" / run / "h.xplane.pb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def the_file(logdir: Logdir) -> File:
    (run,) = logdir.listing().runs
    return run.hosts[0].captures[0]


def test_a_listing_is_kept_for_a_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logdir_module, "_SHORTEST_AGE_S", PATIENCE_S)
    session(tmp_path, "a")
    logdir = Logdir(str(tmp_path))
    first = logdir.listing()
    session(tmp_path, "b")
    assert logdir.listing() is first
    logdir.forget_listing()
    assert [run.name for run in logdir.listing().runs] == ["a", "b"]


def test_a_new_run_is_seen_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logdir_module, "_SHORTEST_AGE_S", 0.01)
    monkeypatch.setattr(logdir_module, "_AGE_PER_WALK", 0.0)
    logdir = Logdir(str(tmp_path))
    assert logdir.listing().runs == ()
    session(tmp_path, "a")
    time.sleep(0.02)
    assert [run.name for run in logdir.listing().runs] == ["a"]


def test_a_file_that_grew_is_another(tmp_path: Path) -> None:
    path = session(tmp_path, "a", b"half")
    logdir = Logdir(str(tmp_path))
    half = the_file(logdir)
    path.write_bytes(b"half and whole")
    with pytest.raises(Changed):
        logdir.read(half)
    logdir.forget_listing()
    whole = the_file(logdir)
    assert whole.key != half.key
    assert logdir.read(whole) == b"half and whole"
    assert logdir.read(whole, 5, 8) == b"and"


def test_a_logdir_that_is_gone_says_so_and_comes_back(tmp_path: Path) -> None:
    root = tmp_path / "logs"
    logdir = Logdir(str(root))
    with pytest.raises(NotFound, match="does not exist"):
        logdir.listing()
    session(root, "a")
    assert [run.name for run in logdir.listing().runs] == ["a"]


def test_readers_of_a_logdir_that_is_rewritten_all_the_time_get_one_state_or_an_error(tmp_path: Path) -> None:
    logdir = Logdir(str(tmp_path))
    contents = [bytes([number]) * 20_000 for number in range(256)]
    session(tmp_path, "a", contents[0])
    stop = threading.Event()
    answers: list[bytes | None] = []

    def write() -> None:
        number = 0
        while not stop.is_set():
            number = (number + 1) % 256
            session(tmp_path, "a", contents[number])
            # Longer than the tick of a file system's clock: what is rewritten within one keeps its time.
            time.sleep(0.012)

    def read() -> None:
        for _ in range(100):
            logdir.forget_listing()
            try:
                answers.append(logdir.read(the_file(logdir)))
            except MemviewerError:
                answers.append(None)

    writer = threading.Thread(target=write)
    writer.start()
    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(read) for _ in range(4)]:
            done.result()
    stop.set()
    writer.join()
    assert len(answers) == 400 and any(answers)
    assert all(answer is None or answer in (b"", *contents) for answer in answers)
    logdir.forget_listing()
    assert logdir.read(the_file(logdir)) in contents
