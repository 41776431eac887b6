"""Findings about what a program is given and gives back: arguments to donate, constants to pass instead."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator

import numpy as np

from tensorboard_plugin_memviewer.analysis.findings.finding import LEAST_BYTES, MOST_ROWS, Facts, Finding
from tensorboard_plugin_memviewer.model.module import AllocationType
from tensorboard_plugin_memviewer.units import format_bytes

_LARGE_CONSTANT = 1 << 20
_Key = tuple[str, int]
_Pair = tuple[int, int]

# These read elements that they have written over already, were their result in the place of their operand.
_ANOTHER_ORDER = frozenset(
    {"all-gather", "all-gather-start", "all-to-all", "cholesky", "collective-permute", "concatenate"}
    | {"collective-permute-start", "convolution", "custom-call", "dot", "fft", "gather", "reduce-scatter"}
    | {"reduce-window", "reverse", "select-and-scatter", "transpose", "triangular-solve"}
)


def find_undonated(facts: Facts) -> Iterator[Finding]:
    """Arguments that are kept although an output that could be written over them is written beside them."""
    arguments, outputs = _by_shape(facts, AllocationType.PARAMETER), _by_shape(facts, AllocationType.OUTPUT)
    pairs = [pair for key, rows in outputs.items() for pair in _paired(facts, arguments.get(key, []), rows)]
    saved = facts.sizes([output for _, output in pairs])
    if saved < LEAST_BYTES or 100 * saved < facts.usage.headline.required_bytes:
        return
    pairs.sort(key=lambda pair: -facts.size(pair[1]))
    first = facts.operation(pairs[0][0])
    yield Finding(
        kind="undonated_arguments",
        title=f"{_counted(len(pairs), 'argument')} could be donated",
        bytes=saved,
        detail=f"{_counted(len(pairs), 'output')}, {format_bytes(saved)} in all, of the shape and type of "
        f"arguments that nothing reads once they are written, such as {first}."
        f"{_used_before(facts, [output for _, output in pairs], saved)}",
        advice="If the old values are not needed after the call, give their memory to the new ones: "
        "jax.jit(f, donate_argnums=…).",
        rows=tuple(row for pair in pairs for row in pair)[:MOST_ROWS],
    )


def _used_before(facts: Facts, outputs: list[int], saved: int) -> str:
    """What to add where the outputs' memory holds other buffers before, which need room all the same."""
    fall = _fall(facts, outputs, saved)
    if 10 * fall > 9 * saved:
        return ""
    how_far = f"falls by about {format_bytes(fall)}" if 10 * fall > saved else "hardly falls"
    return f" Other buffers use that memory before: the peak {how_far}."


def _fall(facts: Facts, outputs: list[int], saved: int) -> int:
    """By how much the peak falls where outputs have no memory of their own, as far as spans tell."""
    buffers, order = facts.plan.module.buffers, facts.plan.order
    change = np.zeros(order.points + 1, np.int64)
    for output in outputs:
        written = _written(facts, output)
        for buffer in facts.sharers(output).tolist():
            row = int(buffers.instruction[buffer])
            start = int(order.point[row]) if row >= 0 else -1
            end = int(facts.readers.of(buffer).max(initial=start)) + 1
            # What is still read when the output is written becomes the output, in one place with it; when
            # what has no point is there is not known.
            if start >= 0 and end <= written:
                change[start] += buffers.size[buffer]
                change[end] -= buffers.size[buffer]
    after = facts.usage.usage - saved + np.cumsum(change)[:-1]
    return max(facts.usage.headline.peak_bytes - int(after.max(initial=0)), 0)


def _paired(facts: Facts, arguments: list[int], outputs: list[int]) -> Iterator[_Pair]:
    """`(argument, output)` where nothing reads the argument once the output is written."""
    free = deque(sorted(arguments, key=lambda row: _last_read(facts, row)))
    for output in sorted(outputs, key=lambda row: _written(facts, row)):
        if free and _is_free(facts, free[0], _written(facts, output)):
            yield free.popleft(), output


def _last_read(facts: Facts, row: int) -> int:
    """The last point that reads an argument; -1 where none does, or where nothing is known of readers."""
    return max((int(facts.readers.of(buffer).max(initial=-1)) for buffer in facts.sharers(row)), default=-1)


def _written(facts: Facts, row: int) -> int:
    """The point that writes an output last, or where the outermost loop around it begins."""
    order, table = facts.plan.order, facts.plan.module.instructions
    rows = facts.plan.module.buffers.instruction[facts.sharers(row)]
    point = int(order.point[rows[rows >= 0]].max(initial=-1))
    if point < 0:
        return order.points
    is_loop = table.opcodes[table.opcode[order.instruction[point]]] == "while"
    loop = order.outermost_loop(point - 1 if is_loop else point)
    return point if loop is None else loop.start


def _is_free(facts: Facts, argument: int, point: int) -> bool:
    last = _last_read(facts, argument)
    return last < point or (last == point and _works_in_place(facts, point))


def _works_in_place(facts: Facts, point: int) -> bool:
    """Whether what runs at a point may write over what it reads, as far as its opcode tells."""
    row, table = int(facts.plan.order.instruction[point]), facts.plan.module.instructions
    opcode = table.opcodes[table.opcode[row]]
    return opcode not in _ANOTHER_ORDER and table.fusion_kind.get(row) != "kCustom"


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
    shape = facts.shape_words(rows[0])
    largest = f", the largest {shape}{facts.as_large(rows)}" if shape else ""
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
