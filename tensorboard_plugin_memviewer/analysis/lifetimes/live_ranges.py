"""The points between which each value is needed: XLA's own live ranges, recomputed from the module.

XLA's compilers compute live ranges before they assign addresses, and write them next to a dump as
`*-live-range.txt`; the heap trace keeps only the order of allocations. A value is live from the point that
defines it to the last of: the points where it stands, the points that use it, and the end of a computation
whose result it is part of. Of values that XLA made one buffer, each ends where the next begins.

Definitions in docs/numbers.md; the rules are those of hlo_live_range.cc and heap_simulator.cc.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tensorboard_plugin_memviewer.analysis.lifetimes.blocks import ramps
from tensorboard_plugin_memviewer.analysis.lifetimes.positions import Positions
from tensorboard_plugin_memviewer.analysis.lifetimes.program_order import ProgramOrder
from tensorboard_plugin_memviewer.model.module import Flags, Ints, Module

# The custom call by which a TPU compiler joins slices that it prefetched side by side, without a copy.
_JOIN = "ConcatBitcast"


@dataclass(frozen=True, slots=True)
class Uses:
    """Every use of a buffer: row of LogicalBuffers and program point, in no order, some twice.

    `reads` marks uses that read data: not those that only hand a value on.
    """

    buffer: Ints
    point: Ints
    reads: Flags


@dataclass(frozen=True, slots=True)
class LiveRanges:
    """Half-open ranges `[start, end)` of program points by row of LogicalBuffers; both -1 for a value that
    has no position (Positions.definition).
    """

    start: Ints
    end: Ints


# What hands a table of pointers on without looking into it; the others look at the table alone.
_NO_USE = ("tuple", "domain")
_TABLE_ONLY = ("get-tuple-element", "copy")
# Uses that move no data: the value goes on under another name, and is read there.
_HANDS_ON = frozenset(
    {
        "tuple",
        "get-tuple-element",
        "parameter",
        "constant",
        "call",
        "async-start",
        "bitcast",
        "optimization-barrier",
        "add-dependency",
        "domain",
    }
)


def find_uses(module: Module, order: ProgramOrder, positions: Positions, most: int) -> Uses | None:
    """Every use, by XLA's rules: a loop uses its operand at the first point of its body. None where there are
    more than `most`.
    """
    table = module.instructions
    user = np.repeat(np.arange(len(table)), np.diff(table.operand_start))
    operand = table.operands
    placed = (positions.size[user] > 0) & (positions.size[operand] > 0)
    first = np.zeros(len(user), np.bool_)
    first[table.operand_start[:-1][np.diff(table.operand_start) > 0]] = True
    user, operand, first = user[placed], operand[placed], first[placed]
    opcode = table.opcode[user]
    codes = {name: code for code, name in enumerate(table.opcodes)}
    length = positions.size[operand]
    length[np.isin(opcode, [codes.get(name, -1) for name in _NO_USE])] = 0
    table_only = np.isin(opcode, [codes.get(name, -1) for name in _TABLE_ONLY])
    length[table_only] = np.minimum(length[table_only], 1)
    point = order.point[user].astype(np.int64)
    # A predicate or branch index is read by the conditional itself; the other operands are handed on.
    reads = ~np.isin(opcode, [codes.get(name, -1) for name in (*_HANDS_ON, "while", "conditional")])
    reads |= (opcode == codes.get("conditional", -1)) & first
    body = _first_called(module, order)[user]
    length[(opcode == codes.get("call", -1)) & (body >= 0)] = 0
    loops = np.nonzero((opcode == codes.get("while", -1)) & (body >= 0))[0]
    begin = _points_of_parameters(module, order)[body[loops]]
    point[loops] = np.where(begin >= 0, begin, point[loops])
    if int(length.sum()) > most:
        return None
    position = np.repeat(positions.base[operand], length) + ramps(length)
    buffer = positions.buffer[position].astype(np.int64)
    data = np.repeat(reads, length) & positions.array[position]
    known = buffer >= 0
    return Uses(buffer[known], np.repeat(point, length)[known], data[known])


def _first_called(module: Module, order: ProgramOrder) -> Ints:
    """By instruction the first of the computations that it calls; -1 where that has no program points."""
    table = module.instructions
    calls = np.diff(table.called_start) > 0
    result = np.full(len(table), -1, np.int64)
    called = table.called[table.called_start[:-1][calls]]
    result[calls] = np.where(order.first[called] >= 0, called, -1)
    return result


def _points_of_parameters(module: Module, order: ProgramOrder) -> Ints:
    """By computation the point of the first of its parameters that has one, -1 for none."""
    table = module.instructions
    rows = np.nonzero(table.has_opcode("parameter") & (order.point >= 0))[0][::-1]
    result = np.full(len(module.computations), -1, np.int64)
    result[table.computation[rows]] = order.point[rows]
    return result


def live_ranges(module: Module, order: ProgramOrder, positions: Positions, uses: Uses) -> LiveRanges:
    """The live range of every logical buffer, as XLA computes it."""
    # A value that stands nowhere, not even where it is defined, has no range.
    start = np.where(positions.definition >= 0, _begins(module, order), -1)
    # Inclusive until the last line, as XLA counts.
    last = np.where(start >= 0, order.point[module.buffers.instruction], -1).astype(np.int64)
    standing = np.nonzero(positions.buffer >= 0)[0]
    buffer, row = positions.buffer[standing], positions.row[standing]
    np.maximum.at(last, buffer, order.point[row])
    np.maximum.at(last, uses.buffer, uses.point)
    _to_ends_of_computations(module, order, positions, last)
    _to_ends_of_chains(module, order, last)
    last[_kept_arguments(module)] = order.points
    _one_holder_at_a_time(module, start, last)
    return LiveRanges(start, np.where(start >= 0, np.minimum(last + 1, order.points), -1))


def _kept_arguments(module: Module) -> Flags:
    """By logical buffer, whether it is an argument that is held to the end: no output takes its memory."""
    table, buffers = module.instructions, module.buffers
    known = np.nonzero((buffers.instruction >= 0) & (buffers.allocation >= 0))[0]
    row = buffers.instruction[known]
    argument = table.has_opcode("parameter")[row] & (table.computation[row] == module.entry)
    result = np.zeros(len(buffers), np.bool_)
    result[known] = argument & ~module.allocations.live_out[buffers.allocation[known]]
    return result


def _begins(module: Module, order: ProgramOrder) -> Ints:
    """By logical buffer the point at which it begins, -1 for none: a parameter with its computation.

    Newer compilers let what an asynchronous computation defines begin at its chain's start, where that is
    later (Module.late_async_values).
    """
    table, buffers = module.instructions, module.buffers
    known = buffers.instruction >= 0
    row = buffers.instruction[known]
    computation = table.computation[row]
    parameter = table.has_opcode("parameter")[row]
    point = order.point[row].astype(np.int64)
    if module.late_async_values:
        starts = np.full(len(module.computations), -1, np.int64)
        for operation in order.chains.operations.values():
            if operation.computation is not None:
                starts[operation.computation] = order.point[operation.start]
        point = np.where((point >= 0) & ~parameter, np.maximum(point, starts[computation]), point)
    result = np.full(len(buffers), -1, np.int64)
    result[known] = np.where(parameter & (point >= 0), order.first[computation], point)
    return result


def _to_ends_of_computations(module: Module, order: ProgramOrder, positions: Positions, last: Ints) -> None:
    """What is part of a computation's result lives to the point of what runs the computation."""
    for computation, root in enumerate(module.computations.root):
        if root >= 0 and order.first[computation] >= 0:
            block = slice(positions.base[root], positions.base[root] + positions.size[root])
            held = positions.buffer[block]
            held = held[held >= 0]
            last[held] = np.maximum(last[held], order.end[computation])


def _to_ends_of_chains(module: Module, order: ProgramOrder, last: Ints) -> None:
    """What an asynchronous computation defines lives until its chain is done."""
    known = np.nonzero(module.buffers.instruction >= 0)[0]
    chain = order.asynchronous[module.instructions.computation[module.buffers.instruction[known]]]
    within = known[chain >= 0]
    for buffer, start in zip(within.tolist(), chain[chain >= 0].tolist(), strict=True):
        last[buffer] = max(last[buffer], order.point[order.chains.done(start)])


def _one_holder_at_a_time(module: Module, start: Ints, last: Ints) -> None:
    """Of values that are one buffer, each ends where the next begins, and the last lives for all of them."""
    group = module.buffers.hlo_buffer
    shared = np.bincount(group, minlength=len(group))[group] > 1
    rows = np.nonzero(shared & (start >= 0))[0]
    if not len(rows):
        return
    rows = rows[np.lexsort((module.buffers.ids[rows], last[rows], start[rows], group[rows]))]
    same_as_next = group[rows[:-1]] == group[rows[1:]]
    # One running maximum for all groups: each lies above the one before.
    _, number = np.unique(group[rows], return_inverse=True)
    span = int(last[rows].max()) + 2
    latest = np.maximum.accumulate(last[rows] + number * span) - number * span
    latest[:-1] = np.where(same_as_next, np.minimum(latest[:-1], start[rows[1:]]), latest[:-1])
    last[rows] = latest


def joined_prefetches(
    module: Module, order: ProgramOrder, positions: Positions, ranges: LiveRanges
) -> tuple[LiveRanges, dict[int, set[int]]]:
    """The ranges, in which slices that are joined without a copy live as long as what they are joined to.

    XLA's own live ranges end such a slice where it is joined; but its memory is the joined buffer's.
    """
    end = ranges.end.copy()
    parts: dict[int, set[int]] = {}
    table = module.instructions
    joins = [row for row, target in table.custom_call_target.items() if target == _JOIN]
    for row in sorted(joins, key=lambda join: -int(order.point[join])):
        joined = int(positions.buffer[positions.base[row]]) if positions.size[row] else -1
        if joined < 0 or module.buffers.instruction[joined] != row:
            continue
        parts.setdefault(joined, set()).add(joined)
        for operand in table.operands[table.operand_start[row] : table.operand_start[row + 1]].tolist():
            block = slice(positions.base[operand], positions.base[operand] + positions.size[operand])
            pieces = positions.buffer[block]
            pieces = pieces[pieces >= 0]
            end[pieces] = np.maximum(end[pieces], end[joined])
            for piece in pieces.tolist():
                parts.setdefault(piece, set()).add(joined)
    return LiveRanges(ranges.start, end), parts
