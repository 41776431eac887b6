"""Nothing in the tests has a limit of its own: what waits, waits as long as tests/patience.py says.

A number of seconds that is enough on one machine fails by chance on another, and so does a measured time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.conftest import ROOT

TESTS = ROOT / "tests"

_WAITS = {"wait", "join", "set_default_timeout", "set_default_navigation_timeout", "set_options"}
_CLOCKS = {"monotonic", "perf_counter", "process_time", "thread_time"}
# Who may ask a clock, or rest for a while, and why.
CLOCKS = {
    "patience.py": "the limit",
    "cost.py": "compares two costs on one machine",
}
RESTS = {
    "patience.py": "between two looks",
    "browser/eventually.py": "between two looks",
    "browser/test_page_modules.py": "a server that is slow",
    "reliability/test_changing_logdir.py": "a writer that is slow",
    "sessions/test_logdir.py": "longer than the tick of a file system's clock",
    "sessions/test_cache.py": "a computation that is slow",
}


def calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                yield node.func.attr, node
            elif isinstance(node.func, ast.Name):
                yield node.func.id, node


def is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def faults_of(source: str, name: str) -> list[str]:
    """Where a file sets a limit in numbers, asks a clock, or rests."""
    found = []
    for called, call in calls(ast.parse(source)):
        place = f"{name}:{call.lineno}"
        if any(one.arg == "timeout" and is_number(one.value) for one in call.keywords):
            found.append(f"{place}: a timeout of its own")
        if called in _WAITS and any(map(is_number, call.args)):
            found.append(f"{place}: a wait of its own")
        if called in _CLOCKS and name not in CLOCKS:
            found.append(f"{place}: asks a clock")
        if called in ("sleep", "wait_for_timeout") and name not in RESTS:
            found.append(f"{place}: rests")
        # It has been idle before, and then does not wait; and between two requests a page is idle, too.
        if any(isinstance(one, ast.Constant) and one.value == "networkidle" for one in call.args):
            found.append(f"{place}: waits for a network that may be idle already")
    return found


def test_all_wait_alike() -> None:
    found = [
        fault
        for file in sorted(TESTS.rglob("*.py"))
        for fault in faults_of(file.read_text(encoding="utf-8"), file.relative_to(TESTS).as_posix())
    ]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        "expect(page).to_be_visible(timeout=5_000)",
        "process.wait(10)",
        "context.set_default_timeout(15_000)",
        "assert time.monotonic() < 10",
        "page.wait_for_timeout(500)",
        "time.sleep(1)",
        'page.wait_for_load_state("networkidle")',
    ],
)
def test_a_limit_of_its_own_is_found(line: str) -> None:
    assert len(faults_of(line, "browser/test_new.py")) == 1


@pytest.mark.parametrize(
    "line", ["process.wait(PATIENCE_S)", "get(url, timeout=PATIENCE_S)", "', '.join(names)"]
)
def test_the_limit_of_all_is_none(line: str) -> None:
    assert faults_of(line, "browser/test_new.py") == []
