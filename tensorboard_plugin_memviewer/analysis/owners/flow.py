"""How content flows from value to value: a graph whose nodes are logical buffers, each met once.

An instruction mixes what it reads into all that it defines, so the arrays that it defines share a node.
Where several values pass side by side (the parameters of a computation, the results of a loop or a
conditional, a collective of several arrays) each has a node of its own.

Theory of operation. Edges are the reads of `lifetimes.uses` and the meetings of `lifetimes.positions`. Sorted
by program point they lead forward; the one kind that does not, from what a loop's body returns to its
parameter, is left out: a loop counts as run once. That is what tells the passes of a program apart, because
in a loop that goes round everything depends on everything. Sets travel along the edges as bits of an integer,
so one sweep answers "who reaches whom" for as many as 62 origins in time linear in the edges.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tensorboard_plugin_memviewer.analysis.lifetimes.lifetimes import Lifetimes
from tensorboard_plugin_memviewer.analysis.lifetimes.program_order import ProgramOrder
from tensorboard_plugin_memviewer.model.module import Flags, Ints, Module

# The bits that a sweep carries: those of an int64 but for its sign.
MOST_BITS = 62

# What Flow.origins answers where there is not one origin.
NO_ORIGIN = -1
SEVERAL = -2

# What moves or converts an array and mixes nothing into it.
MOVES = ("copy", "copy-start", "convert", "reshape", "transpose", "bitcast-convert", "reverse")

# Results side by side, a node each.
_SEPARATE = ("parameter", "while", "conditional")
# Operand k becomes element k of the result, or of its element 1.
_COLLECTIVES = ("all-reduce", "all-reduce-start", "all-gather", "reduce-scatter", "collective-permute")
_STARTS = ("all-gather-start", "collective-permute-start")


@dataclass(frozen=True, slots=True)
class Flow:
    """Edges `source[i]` → `target[i]` between nodes, in the order of the targets' program points.

    `node` is by row of LogicalBuffers its node: a row of LogicalBuffers too, -1 for what has no program point
    or is no array. `point` is by node its program point.
    """

    source: Ints
    target: Ints
    node: Ints
    point: Ints

    def downstream(self, start: Ints) -> Ints:
        """By node the bits of all that it depends on; `start` holds the bits that nodes begin with."""
        # What flows from nodes that nothing flows into needs no order.
        first = self._is_root[self.source]
        begun = start | self.joined(np.where(first, start[self.source], 0))
        bits = begun.tolist()
        pairs = zip(self.source[~first].tolist(), self.target[~first].tolist(), strict=True)
        for source, target in pairs:
            if found := bits[source]:
                bits[target] |= found
        return np.array(bits, np.int64)

    def upstream(self, start: Ints) -> Ints:
        """By node the bits of all that depends on it."""
        last = np.ones(len(self.node), np.bool_)
        last[self.source] = False
        begun = start.copy()
        ends = last[self.target] & (start[self.target] != 0)
        np.bitwise_or.at(begun, self.source[ends], start[self.target[ends]])
        bits = begun.tolist()
        further = ~last[self.target]
        pairs = zip(self.source[further][::-1].tolist(), self.target[further][::-1].tolist(), strict=True)
        for source, target in pairs:
            if found := bits[target]:
                bits[source] |= found
        return np.array(bits, np.int64)

    def origins(self, start: Ints) -> Ints:
        """By node the one origin that all of it comes from; else NO_ORIGIN or SEVERAL."""
        first = self._is_root[self.source]
        origin = self._of_roots(start, first).tolist()
        pairs = zip(self.source[~first].tolist(), self.target[~first].tolist(), strict=True)
        for source, target in pairs:
            before = origin[target]
            if before != SEVERAL and (found := origin[source]) != before and found != NO_ORIGIN:
                origin[target] = found if before == NO_ORIGIN else SEVERAL
        return np.array(origin, np.int64)

    @property
    def _is_root(self) -> Flags:
        """By node, whether nothing flows into it."""
        root = np.ones(len(self.node), np.bool_)
        root[self.target] = False
        return root

    def _of_roots(self, start: Ints, first: Flags) -> Ints:
        """The origins of nodes as far as they come from roots."""
        known = first & (start[self.source] != NO_ORIGIN)
        origin, target = start[self.source[known]], self.target[known]
        result = start.copy()
        if len(target):
            group = np.flatnonzero(np.diff(target, prepend=-1))
            least, most = np.minimum.reduceat(origin, group), np.maximum.reduceat(origin, group)
            result[target[group]] = np.where(least == most, least, SEVERAL)
        return result

    def joined(self, values: Ints) -> Ints:
        """By node the bits of `values`, one an edge, of all edges that lead to it."""
        result = np.zeros(len(self.node), np.int64)
        if len(self.target):
            first = np.flatnonzero(np.diff(self.target, prepend=-1))
            result[self.target[first]] |= np.bitwise_or.reduceat(values, first)
        return result

    def without(self, left_out: Flags) -> Flow:
        """The flow without some of its edges."""
        return replace(self, source=self.source[~left_out], target=self.target[~left_out])


def bit_counts(bits: Ints) -> Ints:
    """The number of bits set in each of non-negative numbers."""
    count = bits.astype(np.uint64)
    for shift, mask in ((1, 0x5555555555555555), (2, 0x3333333333333333), (4, 0x0F0F0F0F0F0F0F0F)):
        count = (count & np.uint64(mask)) + (count >> np.uint64(shift) & np.uint64(mask))
    result: Ints = (count * np.uint64(0x0101010101010101) >> np.uint64(56)).astype(np.int64)
    return result


def find_flow(module: Module, order: ProgramOrder, lifetimes: Lifetimes) -> Flow:
    """The flow of a module with a schedule."""
    buffers, positions = module.buffers, lifetimes.positions
    node, point = _nodes(module, order, lifetimes)
    # By program point the node that its instruction mixes into.
    mixed = np.full(order.points, -1, np.int64)
    table = module.instructions
    rows = np.flatnonzero(node >= 0)
    side_by_side = table.has_opcode(*_SEPARATE) | _several(module)
    mixing = rows[~side_by_side[buffers.instruction[rows]]]
    mixed[point[mixing]] = node[mixing]
    uses = lifetimes.uses
    target = mixed[uses.point]
    read = uses.reads & (target >= 0)
    meeting = positions.meeting
    pairs = [
        (uses.buffer[read], target[read]),
        (meeting.source, meeting.target),
        _collected(module, lifetimes, node),
    ]
    source, target = (np.concatenate([pair[at] for pair in pairs]) for at in (0, 1))
    known = (node[source] >= 0) & (target >= 0)
    source, target = node[source[known]], target[known]
    forward = point[source] < point[target]
    source, target = source[forward], target[forward]
    in_order = np.lexsort((target, point[target]))
    return Flow(source[in_order], target[in_order], node, point)


def _nodes(module: Module, order: ProgramOrder, lifetimes: Lifetimes) -> tuple[Ints, Ints]:
    """By logical buffer its node, and the program point of its instruction (-1 for none)."""
    buffers, positions, table = module.buffers, lifetimes.positions, module.instructions
    defined = np.flatnonzero(positions.definition >= 0)
    arrays = defined[positions.array[positions.definition[defined]]]
    point = np.full(len(buffers), -1, np.int64)
    point[arrays] = order.point[buffers.instruction[arrays]]
    arrays = arrays[point[arrays] >= 0]
    first = np.full(len(table), -1, np.int64)
    row = buffers.instruction[arrays]
    first[row[::-1]] = arrays[::-1]
    separate = (table.has_opcode(*_SEPARATE) | _several(module))[row]
    node = np.full(len(buffers), -1, np.int64)
    node[arrays] = np.where(separate, arrays, first[row])
    return node, point


def _several(module: Module) -> Flags:
    """By instruction, whether it is a collective of several arrays."""
    table = module.instructions
    several: Flags = table.has_opcode(*_COLLECTIVES, *_STARTS) & (np.diff(table.operand_start) > 1)
    return several


def _collected(module: Module, lifetimes: Lifetimes, node: Ints) -> tuple[Ints, Ints]:
    """The edges of collectives of several arrays."""
    table, positions, buffers = module.instructions, lifetimes.positions, module.buffers
    found: list[tuple[int, int]] = []
    collectives = _several(module)
    known = np.flatnonzero(node >= 0)
    for buffer in known[collectives[buffers.instruction[known]]].tolist():
        row, index = int(buffers.instruction[buffer]), buffers.shape_index[buffer]
        number = table.operand_start[row] + (index[-1] if index else 0)
        if number < table.operand_start[row + 1]:
            operand = int(table.operands[number])
            if positions.size[operand]:
                found.append((int(positions.buffer[positions.base[operand]]), buffer))
    columns = np.array(found, np.int64).reshape(-1, 2)
    columns = columns[columns[:, 0] >= 0]
    return columns[:, 0], columns[:, 1]
