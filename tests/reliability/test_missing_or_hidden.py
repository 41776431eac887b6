"""What was looked for in a part only is not called "not found": the answer says what could not be read."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tensorboard_plugin_memviewer.api.logdir import open_logdir
from tensorboard_plugin_memviewer.errors import Incomplete, NotFound, NotYet, Problem, not_found
from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.sessions.logdir import Logdir
from tests.cli.conftest import memviewer  # noqa: F401 - a fixture
from tests.reliability.captures import apps_of, ask, path_of, program, write

# Between two pieces that a writer writes.
PAUSE_S = 0.002
USAGE = {"run": "a", "module": "jit_f", "space": "HBM"}


@pytest.fixture
def cut(tmp_path: Path) -> Path:
    """A capture of several programs, cut where its second begins."""
    many = [program(1024 * number, f"jit_{name}", bystanders=300) for number, name in enumerate("gfhik", 1)]
    path = write(tmp_path, "a", *many)
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3])
    return tmp_path


def test_a_route_says_that_the_capture_is_cut(cut: Path) -> None:
    status, body = ask(apps_of(Service(str(cut))), "usage", **{**USAGE, "module": "jit_k"})
    error = body["error"]
    assert (status, error["code"]) == (422, "incomplete")
    assert (
        "run 'a' has no module 'jit_k', as far as it could be read: the file is cut short" in error["message"]
    )
    assert "wait for its end" in error["advice"]
    assert error["path"] == str(path_of(cut, "a"))


def test_the_command_says_so(memviewer: Callable[..., Any], cut: Path) -> None:  # noqa: F811
    answer = memviewer("summary", cut, "--module", "jit_k")
    assert answer.code == 2
    assert "has no module 'jit_k', as far as it could be read: the file is cut short" in answer.err


def test_python_says_so(cut: Path) -> None:
    for place in (open_logdir(cut), open_logdir(cut).run("a")):
        with pytest.raises(Incomplete, match="cut short"):
            place.module("jit_k")


def test_an_error_has_the_nearest_name_and_the_list_and_what_could_not_be_read(cut: Path) -> None:
    write(cut, "a", program(1024, "jit_whole"), host="host1")
    for ask_for in (open_logdir(cut).module, open_logdir(cut).run("a").module):
        with pytest.raises(Incomplete, match="cut short") as caught:
            ask_for("jit_whale")
        assert caught.value.advice.startswith(
            "Did you mean 'jit_whole(7)'? Modules available: jit_whole(7). "
        )
        assert "wait for its end" in caught.value.advice


@pytest.mark.parametrize(
    ("code", "known", "error", "message"),
    [
        ("damaged", ["b"], Incomplete, "no x, as far as it could be read: broken (f)"),
        ("damaged", [], Incomplete, "no x, as far as it could be read: broken (f)"),
        ("empty", ["b"], NotYet, "no x, as far as it could be read: broken (f)"),
        ("changed", [], NotYet, "no x, as far as it could be read: broken (f)"),
        ("heap_trace", ["b"], NotFound, "no x"),
        ("not_found", [], NotFound, "no x: broken (f)"),
    ],
)
def test_only_what_may_hide_a_name_makes_the_answer_incomplete(
    code: str, known: list[str], error: type[NotFound], message: str
) -> None:
    found = not_found("no x", "x", known, "modules", [Problem(code, "broken", "Mend it.", "f")])
    assert (type(found), found.message) == (error, message)
    assert ("Modules available: b." in found.advice) == bool(known)


def test_what_is_not_in_a_whole_capture_is_not_found(tmp_path: Path) -> None:
    write(tmp_path, "a")
    status, body = ask(apps_of(Service(str(tmp_path))), "usage", **{**USAGE, "module": "jit_k"})
    assert (status, body["error"]["code"]) == (404, "not_found")
    with pytest.raises(NotFound) as caught:
        open_logdir(tmp_path).module("jit_k")
    assert not isinstance(caught.value, Incomplete)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_run_in_a_folder_that_cannot_be_listed(tmp_path: Path) -> None:
    write(tmp_path, "a")
    folder = path_of(tmp_path, "b").parent
    folder.mkdir()
    folder.chmod(0)
    try:
        with pytest.raises(Incomplete, match="Permission denied"):
            Logdir(str(tmp_path)).listing().run("b")
    finally:
        folder.chmod(0o700)


def test_an_empty_capture_is_being_written(tmp_path: Path) -> None:
    write(tmp_path, "a")
    path_of(tmp_path, "a").write_bytes(b"")
    service = Service(str(tmp_path))
    with pytest.raises(
        NotYet, match=r"no module 'jit_f', as far as it could be read: host0\.xplane\.pb is empty"
    ):
        service.load("a", None, "jit_f")
    # Said once: by the listing, not by the reader again.
    assert [problem.code for problem in service.modules("a").problems] == ["empty"]


def test_a_capture_that_is_rewritten_all_the_time_is_never_not_there(tmp_path: Path) -> None:
    whole = write(tmp_path, "a").read_bytes()
    apps = apps_of(Service(str(tmp_path)))
    stop = threading.Event()

    def keep_writing() -> None:
        while not stop.is_set():
            with path_of(tmp_path, "a").open("wb") as file:
                for start in range(0, len(whole), len(whole) // 5):
                    file.write(whole[start : start + len(whole) // 5])
                    file.flush()
                    stop.wait(PAUSE_S)

    writer = threading.Thread(target=keep_writing)
    writer.start()
    try:
        answers = [ask(apps, "usage", **USAGE) for _ in range(200)]
    finally:
        stop.set()
        writer.join()
    said = {(status, body.get("error", {}).get("code")) for status, body in answers}
    assert said <= {(200, None), (422, "changed"), (422, "incomplete"), (422, "damaged")}, said
