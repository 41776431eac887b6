"""The finding about buffers that are a large part of the peak and match no other finding.

Gives what made them, how long they live, and how much smaller their inputs are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import NamedTuple

from tensorboard_plugin_memviewer.analysis.findings.copies import copied_argument
from tensorboard_plugin_memviewer.analysis.findings.finding import (
    MOST_ROWS,
    Effect,
    Facts,
    Finding,
)
from tensorboard_plugin_memviewer.analysis.findings.graph import Value
from tensorboard_plugin_memviewer.model.module import AllocationType
from tensorboard_plugin_memviewer.model.space import HBM
from tensorboard_plugin_memviewer.units import format_bytes, format_share
from tensorboard_plugin_memviewer.vocabulary.findings import FINDING_KINDS, LEAST_BYTES

_SHARE = FINDING_KINDS["large_buffer"].share
# Elements; less is no sequence length.
_LONG = 1024
_LONGEST_CHAIN = 8
# What is this many times as large as all that it is made of is a broadcast, a mask or the like.
_FROM_NOTHING = 1000
_FROM_CONSTANTS = ("broadcast", "constant", "fusion", "iota")


class _Cure(NamedTuple):
    """A kind of change, and the advice for it."""

    kind: str
    advice: str


_GATHERS = _Cure(
    "gathers",
    "It is gathered from other devices: gather a part at a time where it is used, such as inside the loop "
    "over layers, and again in the backward pass.",
)
_OFFLOAD = _Cure(
    "offload",
    "It is brought from the host whole: bring a part at a time, inside the loop that uses it.",
)
_STACK = _Cure(
    "stack",
    "A loop stacks one entry per iteration: reduce the entries inside the loop if only a sum, a mean or the "
    "last one is used.",
)
_OUTPUT = _Cure("output", "Return less: a part, a sum or a mean, or donate an argument of that shape.")
_ATTENTION = _Cure(
    "attention",
    "Its last two dimensions are equal, so it grows with the square of that length. If these are attention "
    "scores, use fused or blocked attention, which never holds all of them.",
)
_UPFRONT = _Cure(
    "upfront",
    "Make it where it is used, a part at a time, such as inside the loop that reads it.",
)
_INTERMEDIATE = _Cure(
    "intermediate",
    "Make it in parts, in a loop over slices, or let one fused operation make and use it. Recomputing it "
    "does not help: it is there again when it is needed.",
)


def find_largest(facts: Facts, named: Collection[int]) -> Iterator[Finding]:
    """Temporaries of more than a third of the peak that are not among the rows of other findings, alone or
    several as large; outputs where there are several.
    """
    if facts.usage.space != HBM:
        return
    rows = _large(facts, named)
    total, peak = facts.covered(rows), facts.usage.headline.peak_bytes
    if not rows or total < LEAST_BYTES:
        return
    row, table = rows[0], facts.usage.buffers
    cure = _cure(facts, row)
    some = "One buffer takes" if len(rows) == 1 else f"{len(rows)} large buffers take"
    start, end = int(table.start[row]), int(table.end[row])
    yield Finding(
        kind="large_buffer",
        title=f"{some} {format_share(total, peak)} of the peak",
        bytes=total,
        detail=f"{'It is' if len(rows) == 1 else 'The largest is'} {_described(facts, row)}; it is alive for "
        f"{end - start} of {facts.usage.points} points, from point {start}.{_blown_up(facts, row)}",
        advice=cure.advice,
        rows=tuple(rows[:MOST_ROWS]),
        points=tuple(dict.fromkeys((facts.usage.headline.peak_point, start))),
        cure=cure.kind,
        effect=Effect(0, total),
    )


def _described(facts: Facts, row: int) -> str:
    op, source = facts.operation(row), facts.source(row)
    made = f", made by {op}" if op != facts.name(row) else ""
    line = f" at {source}" if source else ""
    size = format_bytes(facts.size(row))
    return f"{facts.name(row)} {facts.shape_words(row)}{facts.loop(row)}, {size}{made}{line}"


def _large(facts: Facts, named: Collection[int]) -> list[int]:
    """The rows to name, largest first."""
    peak = facts.usage.headline.peak_bytes
    arguments = [
        facts.size(row) for row in facts.live.tolist() if facts.type(row) == AllocationType.PARAMETER
    ]
    largest_argument = max(arguments, default=0)
    groups: defaultdict[tuple[int, AllocationType, tuple[int, ...]], list[int]] = defaultdict(list)
    found: set[int] = set()
    for row in facts.live.tolist():
        shape, kind = facts.shape(row), facts.type(row)
        if shape is None or row in named or not shape.dimensions or _is_part(facts, row):
            continue
        if kind == AllocationType.TEMPORARY and _SHARE.exceeded(facts.size(row), peak):
            found.add(row)
        if kind not in (AllocationType.TEMPORARY, AllocationType.OUTPUT) or _is_gradient(facts, row):
            continue
        if facts.size(row) > largest_argument:
            groups[facts.size(row), kind, shape.dimensions[-2:]].append(row)
    for rows in groups.values():
        if len(rows) > 1 and _SHARE.exceeded(facts.covered(rows), peak):
            found.update(rows)
    return [row for row in facts.live.tolist() if row in found]


def _is_gradient(facts: Facts, row: int) -> bool:
    """Whether the backward pass makes a temporary, as it makes one for each array of parameters."""
    op, shape = facts.op_name(row), facts.shape(row)
    is_backward = "transpose(jvp" in op
    is_square = shape is not None and _is_square(shape.dimensions)
    return is_backward and not is_square and facts.type(row) == AllocationType.TEMPORARY


def _is_part(facts: Facts, row: int) -> bool:
    """Whether a row is a copy of an argument on the device, or a slice of something larger."""
    value = facts.value(row)
    if value is None:
        return True
    if copied_argument(facts, row) is not None:
        return not _from_host(facts, row)
    is_slice = facts.opcode(row) in ("slice", "dynamic-slice")
    return is_slice or facts.graph.op_name(value.row).endswith("/dynamic_slice")


def _from_host(facts: Facts, row: int) -> bool:
    """Whether a row is a copy of an argument that lies in another memory space."""
    parameter = copied_argument(facts, row)
    buffer = None if parameter is None else facts.graph.buffer(Value(parameter, ()))
    return buffer is not None and int(facts.plan.module.buffers.space[buffer]) != facts.usage.space


def _cure(facts: Facts, row: int) -> _Cure:
    value, shape = facts.carried(row), facts.shape(row)
    maker = None if value is None else facts.graph.put_back(value)
    if facts.opcode(row).startswith("all-gather"):
        return _GATHERS
    if _from_host(facts, row):
        return _OFFLOAD
    if facts.type(row) == AllocationType.OUTPUT:
        return _OUTPUT
    if maker is not None and facts.graph.is_update(maker):
        return _STACK
    is_square = shape is not None and _is_square(shape.dimensions)
    times, table = _times(facts, row), facts.usage.buffers
    waits = 2 * int(table.end[row] - table.start[row]) > facts.usage.points
    if times > _FROM_NOTHING and (waits or not is_square):
        return _UPFRONT
    return _ATTENTION if is_square else _INTERMEDIATE


def _is_square(dimensions: tuple[int, ...]) -> bool:
    return len(dimensions) > 1 and dimensions[-1] == dimensions[-2] >= _LONG


def _blown_up(facts: Facts, row: int) -> str:
    """How much larger a row is than all that it is made of, where that is twice or more."""
    times = _times(facts, row)
    if times > _FROM_NOTHING:
        return " What it is made of takes next to nothing."
    return f" It is {times} times as large as all that it is made of." if times > 1 else ""


def _times(facts: Facts, row: int) -> int:
    """How many times as large a row is as all that it is made of; 0 where that is not known."""
    value = facts.value(row)
    made_of = None if value is None else _size_of_sources(facts, value, facts.size(row))
    return 0 if made_of is None else facts.size(row) // max(made_of, 1)


def _size_of_sources(facts: Facts, value: Value, size: int) -> int | None:
    """Σ bytes of what a value is made of, through what is as large as it; None where that is not known."""
    graph, buffers = facts.graph, facts.plan.module.buffers
    for _ in range(_LONGEST_CHAIN):
        made = graph.made(value)
        operands = [Value(row, ()) for row in graph.operands(made.row)]
        held = [graph.buffer(operand) for operand in operands]
        sizes = [int(buffers.size[buffer]) for buffer in held if buffer is not None]
        if len(sizes) < len(operands) or (not operands and graph.opcode(made.row) not in _FROM_CONSTANTS):
            return None
        if size not in sizes:
            return sum(sizes)
        value = operands[sizes.index(size)]
    return None
