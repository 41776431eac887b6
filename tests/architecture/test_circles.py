"""No module needs, in whatever way, a module that needs it: each can be read, tested and moved without it.

An import within a function, or for type checkers alone, hides a circle from Python and not from a reader.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.conftest import ROOT

NAME = "tensorboard_plugin_memviewer"
PACKAGE = ROOT / NAME


def name_of(file: Path) -> str:
    """The full name of the module in a file, that of the folder for its __init__."""
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(file): file.read_text(encoding="utf-8") for file in sorted(PACKAGE.rglob("*.py"))}


def needed_by(source: str, modules: Mapping[str, str]) -> Iterator[str]:
    """The modules that a source imports, wherever in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            named = (f"{node.module}.{alias.name}" for alias in node.names)
            found = {name if name in modules else node.module for name in named}
            yield from found & modules.keys()


def circles(modules: Mapping[str, str]) -> list[list[str]]:
    """The groups of modules that need one another, sorted."""
    needs = {name: set(needed_by(source, modules)) - {name} for name, source in modules.items()}
    reached = {name: _reached(name, needs) for name in modules}
    groups = {
        tuple(sorted({name, *(other for other in reached[name] if name in reached[other])}))
        for name in modules
    }
    return sorted(list(group) for group in groups if len(group) > 1)


def _reached(name: str, needs: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    pending = [name]
    while pending:
        for other in needs[pending.pop()] - found:
            found.add(other)
            pending.append(other)
    return found


def test_no_modules_need_one_another() -> None:
    assert circles(MODULES) == []


@pytest.mark.parametrize(
    "hidden",
    [
        "import p.a",
        "from p import a",
        "from p.a import f",
        "def g():\n    from p.a import f",
        "if TYPE_CHECKING:\n    from p.a import f",
    ],
)
def test_a_circle_is_found_however_it_is_hidden(hidden: str) -> None:
    modules = {"p": "", "p.a": "from p.b import g", "p.b": "import p.c", "p.c": hidden, "p.d": "import p.a"}
    assert circles(modules) == [["p.a", "p.b", "p.c"]]
