"""The finding about large constants: arrays that are part of the program."""

from __future__ import annotations

from collections.abc import Iterator

from tensorboard_plugin_memviewer.analysis.findings.finding import MOST_ROWS, Facts, Finding
from tensorboard_plugin_memviewer.model.module import AllocationType
from tensorboard_plugin_memviewer.units import format_bytes
from tensorboard_plugin_memviewer.vocabulary.findings import LARGE_CONSTANTS, LEAST_BYTES


def find_constants(facts: Facts) -> Iterator[Finding]:
    """Large constants that are part of the program. As arguments they take as much, or more."""
    rows = [
        row
        for row in facts.live.tolist()
        if facts.type(row) == AllocationType.CONSTANT and facts.size(row) >= LEAST_BYTES
    ]
    total = facts.sizes(rows)
    if total < LARGE_CONSTANTS:
        return
    shape = facts.shape_words(rows[0])
    largest = f"; the largest is {shape}{facts.as_large(rows)}" if shape else ""
    yield Finding(
        kind="large_constants",
        title="1 large constant in the program"
        if len(rows) == 1
        else f"{len(rows)} large constants in the program",
        bytes=total,
        detail=f"{format_bytes(total)} are part of the program itself{largest}. Every program that uses them "
        "holds its own copy, and compiling takes longer.",
        advice="Pass arrays that the function closes over as arguments: programs then share them. The peak "
        "of this program stays the same.",
        rows=tuple(rows[:MOST_ROWS]),
        cure="constant",
    )
