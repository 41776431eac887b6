"""The local disk: links, loops, files that change, and that nothing is ever written."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tensorboard_plugin_memviewer.errors import NotFound, Problem
from tensorboard_plugin_memviewer.sessions.filesystem import Changed, File, Folder
from tensorboard_plugin_memviewer.sessions.local import LocalFiles
from tensorboard_plugin_memviewer.sessions.logdir import Logdir
from tensorboard_plugin_memviewer.sessions.open import filesystem_for

needs_links = pytest.mark.skipif(sys.platform == "win32", reason="links need rights on Windows")
DISK = LocalFiles()


def walk(root: Path, problems: list[Problem] | None = None) -> list[Folder]:
    return list(DISK.walk(str(root), lambda name: name.endswith(".pb"), [] if problems is None else problems))


def found(root: Path) -> list[str]:
    return [os.path.relpath(file.path, root) for folder in walk(root) for file in folder.files]


def put(path: Path, data: bytes = b"0123456789") -> File:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    file = DISK.file(str(path))
    assert file is not None
    return file


def test_the_walk_is_in_order_and_parents_come_first(tmp_path: Path) -> None:
    for name in ("b/x.pb", "a/c/y.pb", "a/x.pb", "x.pb", "a/other.txt"):
        put(tmp_path / name)
    assert [folder.parts for folder in walk(tmp_path)] == [(), ("a",), ("a", "c"), ("b",)]
    assert found(tmp_path) == ["x.pb", "a/x.pb", "a/c/y.pb", "b/x.pb"]
    assert [folder.has_others for folder in walk(tmp_path)] == [False, True, False, False]


@needs_links
def test_links_are_followed_and_loops_are_not(tmp_path: Path) -> None:
    put(tmp_path / "outside" / "x.pb")
    put(tmp_path / "logs" / "run" / "y.pb")
    (tmp_path / "logs" / "linked").symlink_to(tmp_path / "outside", target_is_directory=True)
    (tmp_path / "logs" / "latest").symlink_to("run", target_is_directory=True)
    (tmp_path / "logs" / "run" / "up").symlink_to("..", target_is_directory=True)
    (tmp_path / "logs" / "run" / "self").symlink_to(".", target_is_directory=True)
    (tmp_path / "logs" / "gone.pb").symlink_to("nowhere")
    (tmp_path / "logs" / "circle.pb").symlink_to("circle.pb")
    assert found(tmp_path / "logs") == ["latest/y.pb", "linked/x.pb", "run/y.pb"]


@needs_links
def test_a_maze_of_links_ends(tmp_path: Path) -> None:
    for level in range(20):
        folder = tmp_path / f"level{level}"
        folder.mkdir()
        for door in range(4):
            (folder / f"door{door}").symlink_to(tmp_path / f"level{level + 1}", target_is_directory=True)
    (tmp_path / "level20").mkdir()
    assert len(walk(tmp_path)) < 200


@needs_links
def test_only_regular_files_are_listed(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.pb")
    (tmp_path / "folder.pb").mkdir()
    assert found(tmp_path) == []
    with pytest.raises(NotFound, match="neither"):
        DISK.file(str(tmp_path / "pipe.pb"))


if hasattr(os, "geteuid") and os.geteuid() != 0:  # root reads everything

    def test_a_folder_that_may_not_be_read_is_a_problem(tmp_path: Path) -> None:
        put(tmp_path / "shut" / "x.pb")
        put(tmp_path / "open" / "y.pb")
        (tmp_path / "shut").chmod(0)
        problems: list[Problem] = []
        folders = walk(tmp_path, problems)
        (tmp_path / "shut").chmod(0o700)
        assert [file.name for folder in folders for file in folder.files] == ["y.pb"]
        assert [(problem.code, problem.path) for problem in problems] == [
            ("unreadable", str(tmp_path / "shut"))
        ]


def test_a_root_that_is_gone_is_a_problem(tmp_path: Path) -> None:
    problems: list[Problem] = []
    assert walk(tmp_path / "none", problems) == []
    assert [problem.code for problem in problems] == ["not_found"]


def test_ranges_are_read(tmp_path: Path) -> None:
    reader = DISK.open(put(tmp_path / "x.pb"))
    assert (reader.size, reader.read(0, 10), reader.read(3, 5), reader.read(8, 99), reader.read(5, 5)) == (
        10, b"0123456789", b"34", b"89", b"",
    )  # fmt: skip
    reader.close()
    reader.close()


def test_threads_read_one_reader(tmp_path: Path) -> None:
    data = os.urandom(1 << 16)
    reader = DISK.open(put(tmp_path / "x.pb", data))
    wrong: list[int] = []

    def check(offset: int) -> None:
        for start in range(offset, len(data), 97):
            if reader.read(start, start + 50) != data[start : start + 50]:
                wrong.append(start)

    threads = [threading.Thread(target=check, args=(offset,)) for offset in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    reader.close()
    assert wrong == []


def grow(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"more")


def cut(path: Path) -> None:
    os.truncate(path, 4)


def rewrite(path: Path) -> None:
    path.write_bytes(b"abcdefghij")
    os.utime(path, ns=(1, 1))


def replace(path: Path) -> None:
    times = path.stat().st_mtime_ns
    other = path.with_suffix(".new")
    other.write_bytes(b"abcdefghij")
    os.utime(other, ns=(times, times))
    other.replace(path)


def delete(path: Path) -> None:
    path.unlink()


def become_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def become_a_pipe(path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("there are no named pipes here")
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize("change", [grow, cut, rewrite, replace, delete, become_a_folder, become_a_pipe])
def test_a_file_that_changed_since_it_was_listed_is_not_read(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    file = put(tmp_path / "x.pb")
    change(tmp_path / "x.pb")
    with pytest.raises(Changed, match=r"x\.pb"):
        DISK.open(file)


@pytest.mark.parametrize("change", [grow, cut, rewrite])
def test_a_file_that_changes_while_it_is_read_says_so(tmp_path: Path, change: Callable[[Path], None]) -> None:
    logdir = Logdir(str(tmp_path))
    file = put(tmp_path / "x.pb")

    def read() -> None:
        with logdir.reading(file) as reader:
            reader.read(0, 2)
            change(tmp_path / "x.pb")

    with pytest.raises(Changed):
        read()


@pytest.mark.skipif(sys.platform == "win32", reason="an open file stays in place on Windows")
@pytest.mark.parametrize("change", [replace, delete])
def test_a_file_replaced_or_deleted_while_it_is_read_is_read_as_it_was(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    logdir = Logdir(str(tmp_path))
    with logdir.reading(put(tmp_path / "x.pb")) as reader:
        change(tmp_path / "x.pb")
        assert reader.read(0, 10) == b"0123456789"


def test_reading_past_a_cut_says_so(tmp_path: Path) -> None:
    reader = DISK.open(put(tmp_path / "x.pb"))
    cut(tmp_path / "x.pb")
    with pytest.raises(Changed):
        reader.read(0, 10)
    reader.close()


def test_an_error_in_the_block_closes_the_file_and_rises(tmp_path: Path) -> None:
    logdir = Logdir(str(tmp_path))
    with pytest.raises(KeyError), logdir.reading(put(tmp_path / "x.pb")):
        raise KeyError


@pytest.mark.parametrize("location", ["C:\\logs", "c:/logs", "logs", "file:///logs", "/a::b", "~"])
def test_paths_are_local(location: str) -> None:
    assert isinstance(filesystem_for(location)[0], LocalFiles)


def test_nothing_is_written(tmp_path: Path) -> None:
    put(tmp_path / "plugins" / "profile" / "r" / "h.xplane.pb")

    def state() -> list[tuple[str, int, int]]:
        return [
            (str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in sorted(tmp_path.rglob("*"))
        ]

    before = state()
    logdir = Logdir(str(tmp_path))
    for run in logdir.listing().runs:
        for file in run.hosts[0].files():
            logdir.read(file)
    assert state() == before
