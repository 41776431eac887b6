"""Which room of the package may call which: a wrong arrow fails here.

The tables allow; what they do not name is forbidden. A room is a folder or a module just below the package.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

NAME = "tensorboard_plugin_memviewer"
PACKAGE = ROOT / NAME

_RECORDS = {"errors", "units", "visible", "model", "vocabulary"}
_ANSWERS = {*_RECORDS, "analysis", "service"}

# Room → rooms it may import. "" is the package's own __init__.
ROOMS: dict[str, set[str]] = {
    "": {"errors", "analysis", "api"},
    "errors": set(),
    "visible": set(),
    "units": {"errors"},
    "vocabulary": set(),
    "model": {"errors", "units", "vocabulary"},
    "protos": set(),
    "formats": {*_RECORDS, "protos"},
    "analysis": _RECORDS,
    "sessions": {"errors", "units"},
    # What XProf's own viewer would answer; nothing else may use it.
    "xprof_answer": {*_RECORDS, "analysis"},
    # Where those three meet.
    "service": {*_RECORDS, "formats", "analysis", "sessions"},
    # The records of every answer, written from what service hands out.
    "wire": _ANSWERS,
    # Doors: what goes out as JSON goes through wire.
    "web": {*_ANSWERS, "", "wire", "xprof_answer"},
    "api": {*_ANSWERS, "wire"},
    "cli": {*_ANSWERS, "", "wire", "web", "export"},
    "export": {*_ANSWERS, "", "wire", "web"},
    "lookout": set(),
    "profile_tab": set(),
    "plugin": {"errors", "units", "model", "service", "web", "export", "lookout", "profile_tab"},
    "plugin_loader": {"errors", "units", "plugin"},
}

# Package of others → rooms that may import it. What is not here nobody imports.
OTHERS: dict[str, set[str]] = {
    "numpy": {"model", "formats", "analysis", "xprof_answer", "service", "wire", "cli", "export", "api"},
    "google": {"formats", "protos"},
    "brotli": {"formats"},
    "fsspec": {"sessions"},
    # Whatever the caller has of them; none is needed.
    "jax": {"api"},
    "pandas": {"api"},
    "werkzeug": {"web", "export", "profile_tab"},
    "tensorboard": {"plugin", "plugin_loader"},
}

# Rooms that open files, each with its reason.
READERS = {
    "sessions": "the captures",
    "web": "the built page",
    "cli": "its own output, and files that the user names",
    "export": "its own output, and the built page",
    "api": "its own error text, beside a dump",
}
_OPENS = {"open", "read_bytes", "read_text", "write_bytes", "write_text"}
_NAMES_THAT_SAY_NOTHING = {"utils", "util", "helpers", "helper", "common", "misc"}

FILES = sorted(file for file in PACKAGE.rglob("*.py") if not file.stem.endswith("_pb2"))


def room_of(file: Path) -> str:
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return "" if parts == ("__init__",) else parts[0]


def imports_of(file: Path) -> Iterator[tuple[int, str]]:
    """Line and full name of all that a file imports, within functions too, not for type checkers only."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            node.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}:{node.lineno}: imports are by full name"
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def room_imported(name: str) -> str:
    """The room of a full name below our package."""
    first = name.split(".")[1]
    return first if (PACKAGE / first).is_dir() or (PACKAGE / f"{first}.py").is_file() else ""


def stdlib(name: str) -> bool:
    return name.partition(".")[0] in sys.stdlib_module_names


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_arrows_point_the_right_way(file: Path) -> None:
    room = room_of(file)
    assert room in ROOMS, f"the room {room!r} is not in the table"
    wrong = [
        f"{file.name}:{line}: {name}"
        for line, name in imports_of(file)
        if name.startswith(f"{NAME}.") and room_imported(name) not in {*ROOMS[room], room}
    ]
    assert not wrong


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_packages_of_others_stay_in_their_rooms(file: Path) -> None:
    wrong = [
        f"{file.name}:{line}: {name}"
        for line, name in imports_of(file)
        if not name.startswith(NAME)
        and not stdlib(name)
        and room_of(file) not in OTHERS.get(name.split(".")[0], set())
    ]
    assert not wrong


def through_sessions(call: ast.Attribute) -> bool:
    """A file system of the sessions opens only what the listing found."""
    return call.attr == "open" and ast.unparse(call.value).endswith("filesystem")


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_files_are_opened_only_where_that_is_the_task(file: Path) -> None:
    if room_of(file) in READERS:
        return
    tree = ast.parse(file.read_text(encoding="utf-8"))
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    wrong = [
        f"{file.name}:{call.lineno}: {ast.unparse(call)}"
        for call in calls
        if (isinstance(call, ast.Name) and call.id in _OPENS)
        or (isinstance(call, ast.Attribute) and call.attr in _OPENS and not through_sessions(call))
    ]
    assert not wrong


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_a_file_says_what_it_is_for(file: Path) -> None:
    assert ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
    assert not _NAMES_THAT_SAY_NOTHING & set(file.relative_to(PACKAGE).with_suffix("").parts)


def test_the_tables_name_only_rooms_that_are_there() -> None:
    rooms = {room_of(file) for file in FILES}
    named = set(ROOMS) | set(READERS) | {room for allowed in OTHERS.values() for room in allowed}
    assert named == rooms
