"""XLA's memory usage report next to a dump: its totals verify that the plan was read correctly.

Its lists of the largest buffers are ignored, because they do not add up.
"""

from __future__ import annotations

import re
from dataclasses import replace

from tensorboard_plugin_memviewer.errors import Problem
from tensorboard_plugin_memviewer.model.module import Module
from tensorboard_plugin_memviewer.model.space import space_name
from tensorboard_plugin_memviewer.units import format_apart

_TOTAL = re.compile(r"Total bytes(?: used)?: (\d{1,18})\b", re.ASCII)
_SPACE = re.compile(r"Memory Space: .* \(color=(\d{1,9})\)\s*", re.ASCII)


def parse_usage_totals(text: str) -> dict[int | None, int]:
    """Bytes that the report gives as total, by memory space.

    Reports from before 2026 have one total over all memory spaces: its key is None. {} where `text` is no
    such report.
    """
    totals: dict[int | None, int] = {}
    space: int | None = None
    for line in text.split("\n"):
        if (heading := _SPACE.fullmatch(line)) is not None:
            space = int(heading[1])
        elif (total := _TOTAL.match(line)) is not None:
            totals[space] = int(total[1])
    return totals


def checked_against_report(module: Module, text: str) -> Module:
    """The module, with a problem for each total of the report that its allocations do not add up to."""
    allocations = module.allocations
    problems = []
    for space, total in parse_usage_totals(text).items():
        sizes = allocations.size if space is None else allocations.size[allocations.space == space]
        if int(sizes.sum()) != total:
            problems.append(_differs(space, int(sizes.sum()), total))
    return replace(module, problems=(*module.problems, *problems)) if problems else module


def _differs(space: int | None, ours: int, theirs: int) -> Problem:
    where = "" if space is None else f" of {space_name(space)}"
    reported, planned = format_apart(theirs, ours)
    return Problem(
        "report_differs",
        f"XLA's memory usage report next to the dump states that {reported}{where} are allocated,"
        f" the plan {planned}",
        "The two may be of different compilations: dump again into an empty folder.",
    )
