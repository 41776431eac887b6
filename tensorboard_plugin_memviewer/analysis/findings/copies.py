"""Findings about arrays that are there twice.

Copies beside their originals, and donated arguments that are not updated in place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from tensorboard_plugin_memviewer.analysis.findings.finding import (
    LEAST_BYTES,
    MOST_ROWS,
    Facts,
    Finding,
    percent,
)
from tensorboard_plugin_memviewer.model.module import AllocationType
from tensorboard_plugin_memviewer.model.space import HBM
from tensorboard_plugin_memviewer.units import format_bytes

_COPIES = ("copy", "copy-start", "copy-done")
# Copies of copies: into the chip and out again, in another layout.
_LONGEST_CHAIN = 8
_CARRY = (
    "Carry the array through the loop and write into it (x.at[i].set, jax.lax.dynamic_update_slice), "
    "instead of stacking a loop's outputs to a new one."
)
_NEEDS_ALL = (
    "Elements of the new value are made from others of the old one, as in a matrix product: where that "
    "cannot change, donating the argument saves nothing."
)
_Pair = tuple[int, int]


def find_copies(facts: Facts) -> Iterator[Finding]:
    """What is held twice at the peak in device memory, where it is 5 % of the peak or more."""
    if facts.usage.space != HBM or facts.plan.order.axis == "events":
        return
    peak = facts.usage.headline.peak_bytes
    readable = _rows_by_reader(facts)
    for pairs, make in ((_copied(facts, readable), _copies), (_replaced(facts, readable), _second)):
        total = facts.covered([row for row, _ in pairs])
        if total >= LEAST_BYTES and 20 * total >= peak:
            yield make(facts, pairs, total)


def _copies(facts: Facts, pairs: list[_Pair], total: int) -> Finding:
    copy, source = pairs[0]
    share = percent(total, facts.usage.headline.peak_bytes)
    equal = facts.as_large([copy for copy, _ in pairs])
    largest = f"{facts.name(copy)}, {format_bytes(facts.size(copy))}{equal}"
    return Finding(
        kind="copies",
        title=f"Copies beside their originals take {share} of the peak",
        bytes=total,
        detail=f"{_counted(len(pairs))}, the largest {largest}, of {facts.name(source)}.",
        advice="A copy is made where an operation wants another layout, or where an array is changed that is "
        "read again later: keep to one layout, or change it after its last use.",
        rows=_evidence(pairs),
        points=(facts.usage.headline.peak_point,),
    )


def _second(facts: Facts, pairs: list[_Pair], total: int) -> Finding:
    row, argument = pairs[0]
    in_loop = any(_in_loop(facts, argument) for _, argument in pairs)
    name = facts.operation(argument)
    return Finding(
        kind="not_in_place",
        title="A donated argument is not updated in place",
        bytes=total,
        detail=f"The new value of {name} grows in {facts.name(row)}, {format_bytes(facts.size(row))}, beside "
        "the old one, and is copied over it at the end.",
        advice=_CARRY if in_loop else _NEEDS_ALL,
        rows=_evidence(pairs),
        points=(facts.usage.headline.peak_point,),
    )


def _in_loop(facts: Facts, row: int) -> bool:
    """Whether a loop reads a row's buffer."""
    buffer, order = facts.buffer(row), facts.plan.order
    points = () if buffer is None else facts.readers.of(buffer).tolist()
    return any(order.outermost_loop(point) is not None for point in points)


def copied_argument(facts: Facts, row: int) -> int | None:
    """The instruction of the argument that a row is a copy of, or a copy of a copy; None for others."""
    table, instruction = facts.plan.module.instructions, facts.instruction(row)
    if instruction is None or facts.opcode(row) not in _COPIES:
        return None
    for _ in range(_LONGEST_CHAIN):
        start, end = table.operand_start[instruction : instruction + 2].tolist()
        opcode = table.opcodes[table.opcode[instruction]]
        if opcode == "parameter":
            return instruction if table.computation[instruction] == facts.plan.module.entry else None
        if opcode not in (*_COPIES, "bitcast") or start == end:
            return None
        instruction = int(table.operands[start])
    return None


def _evidence(pairs: list[_Pair]) -> tuple[int, ...]:
    return tuple(row for pair in pairs for row in pair)[:MOST_ROWS]


def _counted(count: int) -> str:
    return "1 copy" if count == 1 else f"{count} copies"


def _rows_by_reader(facts: Facts) -> dict[int, list[int]]:
    """Rows of the buffers by the points that read them."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for row, buffer in enumerate(facts.usage.buffers.buffer.tolist()):
        for point in () if buffer < 0 else facts.readers.of(buffer).tolist():
            found[point].append(row)
    return found


def _copied(facts: Facts, readable: dict[int, list[int]]) -> list[_Pair]:
    """`(copy, original)` for the copies at the peak whose original is alive there too."""
    live = set(facts.live.tolist())
    row_of = {facts.instruction(row): row for row in live if facts.type(row) == AllocationType.PARAMETER}
    pairs: list[_Pair] = []
    for row in facts.live.tolist():
        if facts.type(row) == AllocationType.TEMPORARY:
            sources = _copied_from(facts, row, readable)
            argument = row_of.get(copied_argument(facts, row))
            if argument is not None and _shape_text(facts, argument) == _shape_text(facts, row):
                sources.append(argument)
            pairs += [(row, source) for source in sources if source != row and source in live][:1]
    return pairs


def _copied_from(facts: Facts, row: int, readable: dict[int, list[int]]) -> list[int]:
    """Rows of the same shape and type that the instruction of a row reads, where that is a copy."""
    instruction = facts.instruction(row)
    if instruction is None or facts.opcode(row) not in _COPIES:
        return []
    shape = _shape_text(facts, row)
    sources = readable.get(int(facts.plan.order.point[instruction]), [])
    return [source for source in sources if _shape_text(facts, source) == shape]


def _shape_text(facts: Facts, row: int) -> str | None:
    shape = facts.shape(row)
    return None if shape is None else shape.text(layout=False)


def _replaced(facts: Facts, readable: dict[int, list[int]]) -> list[_Pair]:
    """`(new value, argument)` where a copy writes a temporary over an aliased argument.

    The new value is the row at the peak that lies where the copied temporary does: a loop's state has a
    buffer for each step of it.
    """
    table, aliased = facts.usage.buffers, facts.plan.module.allocations.aliased
    at_peak = {_place(facts, row): row for row in facts.live.tolist()}
    argument_of = {
        int(table.allocation[row]): row for row in facts.live.tolist() if aliased[table.allocation[row]]
    }
    pairs: dict[_Pair, None] = {}
    for row, allocation in enumerate(table.allocation.tolist()):
        if allocation not in argument_of or table.represents[row]:
            continue
        for source in _copied_from(facts, row, readable):
            held, argument = at_peak.get(_place(facts, source)), argument_of[allocation]
            if held is None or facts.type(held) != AllocationType.TEMPORARY:
                continue
            if copied_argument(facts, held) is None:  # or it is one of the copies
                pairs[held, argument] = None
    return sorted(pairs, key=lambda pair: -facts.size(pair[0]))


def _place(facts: Facts, row: int) -> tuple[int, int, int]:
    table = facts.usage.buffers
    return int(table.allocation[row]), int(table.offset[row]), int(table.size[row])
