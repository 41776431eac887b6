"""Prints results: as JSON, as Markdown, or as text with problems on stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any

from tensorboard_plugin_memviewer.cli.safe_text import safe_markdown
from tensorboard_plugin_memviewer.cli.table import Table
from tensorboard_plugin_memviewer.cli.terminal import styled
from tensorboard_plugin_memviewer.errors import Problem
from tensorboard_plugin_memviewer.visible import visible

Json = dict[str, Any]


def print_json(value: Mapping[str, Any]) -> None:
    """One JSON document, in ASCII: names cannot reach a terminal's ear, and lone surrogates pass."""
    # Text and Markdown start sooner without.
    import json  # noqa: PLC0415

    print(json.dumps(value, indent=2))


def print_tables(kind: str, tables: Iterable[tuple[str, Table]], problems: Iterable[Problem] = ()) -> None:
    """Titled tables as "text" or "markdown", and problems: in Markdown below them, else on stderr."""
    for at, (title, table) in enumerate(tables):
        if at:
            print()
        if title:
            print(f"## {safe_markdown(title)}\n" if kind == "markdown" else styled(visible(title), "bold"))
        if table.rows or not title:
            print(table.markdown() if kind == "markdown" else table.text())
    if kind == "markdown":
        _print_markdown_problems(list(problems))
    else:
        print_problems(problems)


def print_problems(problems: Iterable[Problem], *, beside: bool = True) -> None:
    """Each problem once, as two lines on stderr; one of several files names the first.

    The mark is that of an error where they stand `beside` no answer.
    """
    mark = styled("problem:", "yellow", sys.stderr) if beside else "memviewer:"
    for problem, files in _by_file(problems):
        print(in_two_lines(mark, problem, files), file=sys.stderr)


def in_two_lines(mark: str, problem: Problem, files: int = 1) -> str:
    """What is wrong, in so many files, behind a mark, and below it what to do."""
    where = f" ({visible(problem.unsaid_path)}{_more(files)})" if problem.unsaid_path else ""
    return f"{mark} {visible(problem.message)}{where}\n  {visible(problem.advice)}"


def _print_markdown_problems(problems: list[Problem]) -> None:
    if problems:
        print("\n### Problems\n")
    for problem, files in _by_file(problems):
        where = f" ({safe_markdown(problem.unsaid_path)}{_more(files)})" if problem.unsaid_path else ""
        print(f"- {safe_markdown(problem.message)}{where}. {safe_markdown(problem.advice)}")


def _by_file(problems: Iterable[Problem]) -> list[tuple[Problem, int]]:
    """Each problem with the number of files that have it, the first one named."""
    found: dict[Problem, list[Problem]] = {}
    for problem in dict.fromkeys(problems):
        found.setdefault(problem._replace(path=None), []).append(problem)
    return [(same[0], len(same)) for same in found.values()]


def _more(files: int) -> str:
    return f" and {files - 1} more" if files > 1 else ""
