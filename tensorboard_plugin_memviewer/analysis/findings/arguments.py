"""Findings about what a program is given and gives back: arguments to donate, constants to pass instead."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from tensorboard_plugin_memviewer.analysis.findings.finding import LEAST_BYTES, MOST_ROWS, Facts, Finding
from tensorboard_plugin_memviewer.model.module import AllocationType
from tensorboard_plugin_memviewer.units import format_bytes

_LARGE_CONSTANT = 1 << 20
_Key = tuple[str, int]


def find_undonated(facts: Facts) -> Iterator[Finding]:
    """Arguments that are kept although an output of the same shape and type is written beside them."""
    arguments, outputs = _by_shape(facts, AllocationType.PARAMETER), _by_shape(facts, AllocationType.OUTPUT)
    given: list[int] = []
    made: list[int] = []
    for key, rows in outputs.items():
        count = min(len(rows), len(arguments.get(key, ())))
        given += arguments.get(key, [])[:count]
        made += rows[:count]
    saved = facts.sizes(made)
    if saved < LEAST_BYTES or 100 * saved < facts.usage.headline.required_bytes:
        return
    pairs = sorted(zip(given, made, strict=True), key=lambda pair: -facts.size(pair[1]))
    first = facts.op_name(pairs[0][0]) or facts.name(pairs[0][0])
    yield Finding(
        kind="undonated_arguments",
        title=f"{_counted(len(given), 'argument')} could be donated",
        bytes=saved,
        detail=f"{_counted(len(made), 'output')}, {format_bytes(saved)} in all, of the shape and type of "
        f"arguments whose memory is not used again, such as {first}.",
        advice="If the old values are not needed after the call, give their memory to the new ones: "
        "jax.jit(f, donate_argnums=…).",
        rows=tuple(row for pair in pairs for row in pair)[:MOST_ROWS],
    )


def _by_shape(facts: Facts, kind: AllocationType) -> dict[_Key, list[int]]:
    """Rows of allocations of a type that hold an array, no alias of an argument, by shape, type and size."""
    aliased = facts.plan.module.allocations.aliased
    found: defaultdict[_Key, list[int]] = defaultdict(list)
    for row in facts.live.tolist():
        shape = facts.shape(row)
        if facts.type(row) != kind or shape is None or shape.is_tuple:
            continue
        if not aliased[facts.usage.buffers.allocation[row]]:
            found[shape.text(layout=False), facts.size(row)].append(row)
    return found


def find_constants(facts: Facts) -> Iterator[Finding]:
    """Large constants that are part of the program."""
    rows = [
        row
        for row in facts.live.tolist()
        if facts.type(row) == AllocationType.CONSTANT and facts.size(row) >= LEAST_BYTES
    ]
    total = facts.sizes(rows)
    if total < _LARGE_CONSTANT:
        return
    shape = facts.shape(rows[0])
    largest = "" if shape is None else f", the largest {shape.text(layout=False)}"
    yield Finding(
        kind="large_constants",
        title=f"{_counted(len(rows), 'large constant')} in the program",
        bytes=total,
        detail=f"{format_bytes(total)} are part of the program itself{largest}: each program that has them "
        "holds a copy, and compiling takes longer.",
        advice="Pass arrays that the function closes over as arguments instead.",
        rows=tuple(rows[:MOST_ROWS]),
    )


def _counted(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count} {noun}s"
