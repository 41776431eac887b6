"""A logdir that changes while it is read: every answer is of one state, old or new, or says what is wrong."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.service.programs import retried
from tensorboard_plugin_memviewer.sessions import logdir as logdir_module
from tensorboard_plugin_memviewer.sessions.filesystem import Changed
from tests.patience import PATIENCE_S, soon
from tests.reliability.captures import apps_of, ask, path_of, peak_of, program, write

USAGE = {"run": "a", "module": "jit_f", "space": "HBM"}
# Two states of one run that differ in the length of the file, in the number of points, and in bytes.
STATES = {peak_of(1024): 3, peak_of(4096): 43}


def _in_place(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _renamed(path: Path, content: bytes) -> None:
    new = path.with_name("being_written")
    new.write_bytes(content)
    new.replace(path)


def _deleted_first(path: Path, content: bytes) -> None:
    shutil.rmtree(path.parent)
    _in_place(path, content)


def _whole(answers: list[tuple[int, Any]]) -> bool:
    """Whether a usage and a list of modules were answered in full at least once."""
    bodies = [body for status, body in answers if status == 200]
    listed = any(module["spaces"] for body in bodies for module in body.get("modules", ()))
    return listed and any("headline" in body for body in bodies)


@pytest.mark.parametrize("replace", [_in_place, _renamed, _deleted_first])
def test_a_run_replaced_under_its_name(tmp_path: Path, replace: Callable[[Path, bytes], None]) -> None:
    contents = []
    for size, more in ((1024, 0), (4096, 40)):
        contents.append(write(tmp_path, "a", program(size, bystanders=more)).read_bytes())
    apps = apps_of(Service(str(tmp_path)))
    stop = threading.Event()

    def keep_replacing() -> None:
        turn = 0
        while not stop.is_set():
            turn += 1
            replace(path_of(tmp_path, "a"), contents[turn % 2])
            # On a busy machine an answer takes longer; it must sometimes find the file at rest.
            time.sleep(0.03 if turn < 40 else 0.5)

    def read() -> list[tuple[int, Any]]:
        answers: list[tuple[int, Any]] = []

        def enough() -> bool:
            answers.extend(ask(apps, route, **USAGE) for route in ("usage", "modules", "breakdown"))
            return len(answers) >= 45 and _whole(answers)

        soon(enough)
        return answers

    writer = threading.Thread(target=keep_replacing)
    writer.start()
    try:
        with ThreadPoolExecutor(4) as pool:
            answers = [answer for done in [pool.submit(read) for _ in range(4)] for answer in done.result()]
    finally:
        stop.set()
        writer.join()
    usages = [body for status, body in answers if status == 200 and "points" in body]
    assert all(STATES[body["headline"]["peak_bytes"]] == body["points"] for body in usages)
    listed = [module for _, body in answers for module in body.get("modules", ()) if module["spaces"]]
    assert {module["spaces"][0]["peak_bytes"] for module in listed} <= set(STATES)
    assert usages and listed
    failures = [(status, body["error"]) for status, body in answers if status != 200]
    assert all(status in (404, 422, 503) and error["advice"] for status, error in failures), failures
    replace(path_of(tmp_path, "a"), contents[0])
    assert soon(lambda: _peak(apps) == peak_of(1024))


def test_a_file_that_changed_since_it_was_listed_is_listed_again_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logdir_module, "_SHORTEST_AGE_S", PATIENCE_S)
    write(tmp_path, "a")
    service = Service(str(tmp_path))
    service.programs("a", None)
    write(tmp_path, "a", program(4096, bystanders=40))
    _, loaded = service.load("a", None, "jit_f")
    assert loaded.usage(0).headline.peak_bytes == peak_of(4096)


def test_a_file_that_changes_again_and_again_is_an_error_after_the_second_time() -> None:
    tries: list[str] = []

    def attempt() -> None:
        tries.append("attempt")
        raise Changed("x.pb")

    with pytest.raises(Changed):
        retried(attempt, lambda: tries.append("forget"))
    assert tries == ["attempt", "forget", "attempt"]


def test_runs_that_come_and_go(tmp_path: Path) -> None:
    apps = apps_of(Service(str(tmp_path)))
    for number in range(20):
        write(tmp_path, f"run{number}")
    assert soon(lambda: len(ask(apps, "runs")[1]["runs"]) == 20)
    for number in range(10):
        shutil.rmtree(path_of(tmp_path, f"run{number}").parent)
    write(tmp_path, "late")
    status, body = ask(apps, "modules", run="run3")
    assert (status, body.get("modules", [])) in ((404, []), (200, [])), body
    left = {f"run{number}" for number in range(10, 20)} | {"late"}
    assert soon(lambda: {run["run"] for run in ask(apps, "runs")[1]["runs"]} == left)
    assert ask(apps, "usage", **{**USAGE, "run": "late"})[0] == 200


def test_a_half_written_capture_says_so_and_appears_once_it_is_whole(tmp_path: Path) -> None:
    whole = write(tmp_path, "a", program(4096, bystanders=200)).read_bytes()
    path = path_of(tmp_path, "a")
    for part in (1, 2, 3):
        path.write_bytes(whole[: len(whole) * part // 4])
        apps = apps_of(Service(str(tmp_path)))
        status, body = ask(apps, "modules", run="a")
        assert status == 200
        assert [module for module in body["modules"] if module["spaces"]] == []
        problems = [*body["problems"], *(p for module in body["modules"] for p in module["problems"])]
        assert problems and all(problem["advice"] for problem in problems)
        status, body = ask(apps, "usage", **USAGE)
        assert status in (404, 422) and body["error"]["advice"]
        with path.open("ab") as file:
            file.write(whole[len(whole) * part // 4 :])
        assert soon(lambda apps=apps: _peak(apps) == peak_of(4096))  # type: ignore[misc]


def test_a_file_cut_short_and_grown_again(tmp_path: Path) -> None:
    path = write(tmp_path, "a")
    whole = path.read_bytes()
    apps = apps_of(Service(str(tmp_path)))
    assert _peak(apps) == peak_of(1024)
    os.truncate(path, len(whole) // 3)
    assert soon(lambda: _peak(apps) is None)
    path.write_bytes(whole)
    assert soon(lambda: _peak(apps) == peak_of(1024))


def _peak(apps: Any) -> int | None:
    status, body = ask(apps, "usage", **USAGE)
    assert status in (200, 404, 422, 503), body
    return int(body["headline"]["peak_bytes"]) if status == 200 else None
