"""Where every value of a program stands: the flow of logical buffers through what moves no data.

A *position* is a shape index of a scheduled instruction's result, numbered in preorder (shape_trees.py). A
value is defined at one position and stands at all those that it is handed on to: through tuples,
get-tuple-element, bitcast, the halves of asynchronous operations, the parameters and results of called
computations.

Theory of operation. Handing on copies a block of positions to another block of equal form. All such blocks
are gathered, opcode by opcode; each position then has one that it receives from, its *source*, unless a value
is defined there. Where two values meet (a loop's parameter, a conditional's result) XLA's plan has a
value of its own, so one source is enough, and following sources to their end gives the value. Pointers are
doubled meanwhile: the cost is linear in positions, times the logarithm of the longest way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tensorboard_plugin_memviewer.analysis.lifetimes.blocks import Blocks, Edges, ramps
from tensorboard_plugin_memviewer.analysis.lifetimes.program_order import ProgramOrder
from tensorboard_plugin_memviewer.analysis.lifetimes.shape_trees import Index, ShapeTrees
from tensorboard_plugin_memviewer.model.module import Flags, Ints, Module, Rows

# Operand 0 stands at the same positions of the result.
_SAME = ("bitcast", "optimization-barrier", "add-dependency", "domain", "all-reduce-done", "while")
# What stands at an index of operand 0 stands at an index of the result.
_ELEMENTS: dict[str, tuple[Index, Index]] = {
    "send": ((), (0,)),
    "all-gather-done": ((1,), ()),
    "collective-permute-done": ((1,), ()),
    "recv-done": ((0,), (0,)),
}
# A second source is needed only where the first is not reached: a value that goes round, or a damaged file.
_MOST_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class Positions:
    """Positions of the scheduled instructions, and the row of LogicalBuffers that stands at each, or -1.

    The positions of instruction row i are `base[i]` up to `base[i] + size[i]`; an instruction without a
    program point has size 0. `row` is the instruction of a position, `array` whether an array stands there
    (not a tuple). `definition` is by logical buffer the position that defines it, -1 where it has none.
    """

    base: Ints
    size: Ints
    row: Rows
    array: Flags
    buffer: Rows
    definition: Ints
    meeting: Meeting


class Meeting(NamedTuple):
    """Where a value ends because another begins: columns of the buffer that stood there and the one that
    stands there now (rows of LogicalBuffers), and of the instructions at which each does.
    """

    source: Ints
    target: Ints
    source_row: Ints
    target_row: Ints


def find_positions(
    module: Module, order: ProgramOrder, most: int, *, tuples: bool = True
) -> Positions | None:
    """Every position of a module with a schedule, and the buffer there; None if there are more than `most`,
    or if values are handed on more often (many callers that share one computation).

    Without `tuples` every result counts as one position, whatever it holds, and there always is an answer.
    """
    flow = _Flow(module, order, ShapeTrees(module.shapes, tuples=tuples))
    if tuples and (flow.count > most or flow.gather() > 2 * most):
        return None
    if not tuples:
        flow.gather()
    return flow.positions()


def _meeting(buffer: Rows, row: Rows, array: Flags, edges: Edges) -> Meeting:
    source, target = edges
    differ = (buffer[source] != buffer[target]) & (buffer[source] >= 0) & array[target]
    source, target = source[differ], target[differ]
    columns = buffer[source], buffer[target], row[source], row[target]
    return Meeting(*(column.astype(np.int64) for column in columns))


class _Flow:
    def __init__(self, module: Module, order: ProgramOrder, trees: ShapeTrees) -> None:
        self._module = module
        self._order = order
        self._table = module.instructions
        self._trees = trees
        scheduled = np.zeros(len(self._table), np.bool_)
        scheduled[order.instruction] = True
        self._size = np.where(scheduled, self._trees.size[self._table.shape], 0)
        self.count = int(self._size.sum())
        self._base = np.cumsum(self._size) - self._size
        self._shape = self._table.shape.astype(np.int64)
        self._operands = np.diff(self._table.operand_start)
        self._parameter = self._parameters()
        self._first = Blocks()
        self._second = Blocks()

    def positions(self) -> Positions:
        """All of it, once it is gathered."""
        row = np.repeat(np.arange(len(self._size), dtype=np.int32), self._size)
        array = np.ones(len(row), np.bool_)
        for wide in np.nonzero(self._size > 1)[0].tolist():
            start = self._base[wide]
            array[start : start + self._size[wide]] = self._trees.arrays(int(self._table.shape[wide]))
        definition = self._definitions()
        source, target = self._first.expanded()
        other_source, other_target = self._second.expanded()
        buffer = self._standing(definition, len(row), (source, target), (other_source, other_target))
        edges = np.concatenate([source, other_source]), np.concatenate([target, other_target])
        meeting = _meeting(buffer, row, array, edges)
        return Positions(self._base, self._size, row, array, buffer, definition, meeting)

    def _definitions(self) -> Ints:
        """By logical buffer its position. One at an index that its instruction's shape lacks has none."""
        buffers = self._module.buffers
        known = buffers.instruction >= 0
        known[known] = self._size[buffers.instruction[known]] > 0
        position = np.full(len(buffers), -1, np.int64)
        position[known] = self._base[buffers.instruction[known]]
        for at in [at for at, index in enumerate(buffers.shape_index) if index]:
            if position[at] >= 0:
                shape = int(self._table.shape[buffers.instruction[at]])
                inside = self._trees.offset(shape, buffers.shape_index[at])
                position[at] = -1 if inside is None else position[at] + inside
        return position

    def _standing(self, definition: Ints, count: int, first: Edges, second: Edges) -> Rows:
        defined = np.full(count, -1, np.int32)
        known = np.nonzero(definition >= 0)[0]
        # Where a damaged file defines two at one position, the first stands there.
        defined[definition[known[::-1]]] = known[::-1]
        origin = np.arange(count)
        for source, target in (second, first):
            origin[target] = source
        origin = np.where(defined >= 0, np.arange(count), origin)
        for _ in range(count.bit_length()):
            further = origin[origin]
            if np.array_equal(further, origin):
                break
            origin = further
        buffer = defined[origin]
        source, target = (np.concatenate(columns) for columns in zip(first, second, strict=True))
        for _ in range(_MOST_ROUNDS):
            missing = (buffer[target] < 0) & (buffer[source] >= 0)
            if not missing.any():
                break
            buffer[target[missing]] = buffer[source[missing]]
        return buffer

    # ---- Handing on, by opcode ----

    def gather(self) -> int:
        """Gathers what is handed on; the number of times that a position is."""
        self._same(self._rows_of(*_SAME))
        self._get_tuple_element(self._rows_of("get-tuple-element"))
        self._tuple(self._rows_of("tuple"))
        self._elements_of_copy(self._rows_of("copy"))
        self._copy_start(self._rows_of("copy-start"))
        self._copy_done(self._rows_of("copy-done"))
        one_by_one: tuple[tuple[Callable[[int], None], tuple[str, ...]], ...] = (
            (self._while, ("while",)),
            (self._call, ("call",)),
            (self._conditional, ("conditional",)),
            (self._element, tuple(_ELEMENTS)),
            (self._gathering, ("all-gather-start", "collective-permute-start")),
        )
        for hand_on, opcodes in one_by_one:
            for row in self._rows_of(*opcodes).tolist():
                hand_on(row)
        for start in self._order.chains.members:
            self._chain(start)
        return self._first.edge_count + self._second.edge_count

    def _rows_of(self, *opcodes: str) -> Ints:
        found: Ints = np.nonzero(self._table.has_opcode(*opcodes) & (self._size > 0))[0]
        return found

    def _with_operand(self, rows: Ints) -> tuple[Ints, Ints]:
        """Those rows whose operand 0 has positions, and that operand."""
        rows = rows[self._operands[rows] > 0]
        operand = self._table.operands[self._table.operand_start[rows]]
        placed = self._size[operand] > 0
        return rows[placed], operand[placed].astype(np.int64)

    def _same(self, rows: Ints) -> None:
        rows, operand = self._with_operand(rows)
        length = np.minimum(self._size[rows], self._size[operand])
        self._first.add(self._base[operand], self._base[rows], length)

    def _get_tuple_element(self, rows: Ints) -> None:
        rows, operand = self._with_operand(rows)
        inside, room = self._trees.elements(self._shape[operand], self._table.tuple_index[rows])
        length = np.where(inside >= 0, np.minimum(self._size[rows], room), 0)
        self._first.add(self._base[operand] + inside, self._base[rows], length)

    def _tuple(self, rows: Ints) -> None:
        counts = self._operands[rows]
        owner = np.repeat(rows, counts)
        number = ramps(counts)
        operand = self._table.operands[self._table.operand_start[owner] + number]
        inside, room = self._trees.elements(self._shape[owner], number)
        length = np.where(inside >= 0, np.minimum(self._size[operand], room), 0)
        self._first.add(self._base[operand], self._base[owner] + inside, length)

    def _elements_of_copy(self, rows: Ints) -> None:
        """A copy of a tuple copies its table of pointers alone."""
        rows, operand = self._with_operand(rows)
        length = np.minimum(self._size[rows], self._size[operand]) - 1
        self._first.add(self._base[operand] + 1, self._base[rows] + 1, length)

    def _copy_start(self, rows: Ints) -> None:
        rows, operand = self._with_operand(rows)
        inside, _ = self._trees.elements(self._shape[rows], np.ones(len(rows), np.int64))
        self._first.add(self._base[operand], self._base[rows] + inside, (inside >= 0).astype(np.int64))

    def _copy_done(self, rows: Ints) -> None:
        rows, operand = self._with_operand(rows)
        inside, _ = self._trees.elements(self._shape[operand], np.zeros(len(rows), np.int64))
        self._first.add(self._base[operand] + inside, self._base[rows], (inside >= 0).astype(np.int64))

    def _while(self, row: int) -> None:
        called = self._called(row)
        for computation in called:
            self._hand(self._operand(row, 0), (), self._parameter.get((computation, 0)), ())
        for target in (row, *(self._parameter.get((computation, 0)) for computation in called)):
            self._hand(self._root(called[0]) if called else None, (), target, (), first=False)

    def _call(self, row: int) -> None:
        for computation in self._called(row)[:1]:
            for number in range(int(self._operands[row])):
                self._hand(self._operand(row, number), (), self._parameter.get((computation, number)), ())
            self._hand(self._root(computation), (), row, ())

    def _conditional(self, row: int) -> None:
        for branch, computation in enumerate(self._called(row)):
            self._hand(self._operand(row, branch + 1), (), self._parameter.get((computation, 0)), ())
            self._hand(self._root(computation), (), row, (), first=branch == 0)

    def _element(self, row: int) -> None:
        at, to = _ELEMENTS[self._table.opcodes[self._table.opcode[row]]]
        self._hand(self._operand(row, 0), at, row, to)

    def _gathering(self, row: int) -> None:
        """The first element of such an operation's result is what it was given, a tuple of several."""
        several = self._operands[row] > 1
        for number in range(int(self._operands[row])):
            self._hand(self._operand(row, number), (), row, (0, number) if several else (0,))

    def _chain(self, start: int) -> None:
        """What the operations of a chain bind, what its computation computes, and what stands from one
        operation to the next. Tuples are not handed on there: each operation has tables of its own.
        """
        chains = self._order.chains
        computation = chains.operations[start].computation
        root = None if computation is None else self._root(computation)
        previous: int | None = None
        for row in chains.members[start]:
            is_done = self._table.opcodes[self._table.opcode[row]] == "async-done"
            chained = 0 if row == start else 1
            for number in range(chained, int(self._operands[row])):
                bound = chains.operations[row].before + number - chained
                operand = self._operand(row, number)
                if not is_done:
                    self._hand(operand, (), row, (0, bound))
                if computation is not None:
                    self._hand(operand, (), self._parameter.get((computation, bound)), ())
            self._hand(root, (), row, () if is_done else (1,), arrays=True)
            self._hand(previous, (1,) if is_done else (), row, (), arrays=True, first=False)
            previous = row

    # ---- What is where ----

    def _parameters(self) -> dict[tuple[int, int], int]:
        """Rows of parameters by computation and number."""
        rows = np.nonzero(self._table.has_opcode("parameter") & (self._size > 0))[0]
        numbers = self._table.parameter_number[rows].tolist()
        keys = zip(self._table.computation[rows].tolist(), numbers, strict=True)
        return dict(zip(keys, rows.tolist(), strict=True))

    def _called(self, row: int) -> list[int]:
        first, last = self._table.called_start[row], self._table.called_start[row + 1]
        called: list[int] = self._table.called[first:last].tolist()
        return called

    def _root(self, computation: int) -> int | None:
        root = self._module.computations.root[computation]
        return root if root >= 0 else None

    def _operand(self, row: int, number: int) -> int | None:
        if number >= self._operands[row]:
            return None
        return int(self._table.operands[self._table.operand_start[row] + number])

    def _hand(
        self,
        source: int | None,
        at: Index,
        target: int | None,
        to: Index,
        *,
        arrays: bool = False,
        first: bool = True,
    ) -> None:
        """What stands at an index of `source`, and all below, stands at an index of `target`.

        With `arrays` only arrays do. `first` says whether it is the source that decides where there are two.
        """
        if source is None or target is None or not (self._size[source] and self._size[target]):
            return
        shapes = int(self._table.shape[source]), int(self._table.shape[target])
        start, end = self._trees.offset(shapes[0], at), self._trees.offset(shapes[1], to)
        if start is None or end is None:
            return
        length = min(self._trees.size_below(shapes[0], start), self._trees.size_below(shapes[1], end))
        steps = np.arange(length)
        if arrays:
            both = self._trees.arrays(shapes[0])[start + steps] & self._trees.arrays(shapes[1])[end + steps]
            steps = steps[both]
        blocks = self._first if first else self._second
        if arrays:
            ones = np.ones(len(steps), np.int64)
            blocks.add(self._base[source] + start + steps, self._base[target] + end + steps, ones)
        else:
            blocks.add_one(int(self._base[source]) + start, int(self._base[target]) + end, length)
