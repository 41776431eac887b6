"""Where every value of a program stands: the flow of logical buffers through what moves no data.

A *position* is a shape index of a scheduled instruction's result, numbered in preorder (shape_trees.py). A
value is defined at one position and stands at all those that it is handed on to: through tuples,
get-tuple-element, bitcast, the halves of asynchronous operations, the parameters and results of called
computations.

Theory of operation. Handing on copies a block of positions to another block of equal form. All such blocks are
gathered, opcode by opcode; each position then has one position that it receives from, its *source*, unless a
value is defined there. Where two values meet (a loop's parameter, a conditional's result) XLA's plan has a
value of its own, so one source is enough, and following sources to their end gives the value. Pointers are
doubled meanwhile: the cost is linear in positions, times the logarithm of the longest way.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tensorboard_plugin_memviewer.analysis.program_order import ProgramOrder
from tensorboard_plugin_memviewer.analysis.shape_trees import Index, ShapeTrees
from tensorboard_plugin_memviewer.model.module import Flags, Ints, Module, Rows

# Operand 0 stands at the same positions of the result.
_SAME = ("bitcast", "optimization-barrier", "add-dependency", "domain", "all-reduce-done", "while")
# What stands at an element of operand 0 stands in the result: element and where in the result.
_ELEMENT_OF_OPERAND: dict[str, tuple[Index, Index]] = {
    "all-gather-done": ((1,), ()),
    "collective-permute-done": ((1,), ()),
    "recv-done": ((0,), (0,)),
}
# A second source is needed only where the first is not reached: by a value that goes round, or a damaged file.
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


def find_positions(module: Module, order: ProgramOrder) -> Positions:
    """Every position of a module with a schedule, and the buffer there."""
    return _Flow(module, order).positions()


_NONE: Ints = np.zeros(0, np.int64)


class _Blocks:
    """Blocks of positions, each handed on from a source to a target."""

    def __init__(self) -> None:
        self._columns: list[tuple[Ints, Ints, Ints]] = []
        self._single: list[tuple[int, int, int]] = []

    def add(self, source: Ints, target: Ints, length: Ints) -> None:
        """Many blocks, as columns."""
        self._columns.append((source, target, length))

    def add_one(self, source: int, target: int, length: int) -> None:
        """One block."""
        self._single.append((source, target, length))

    def expanded(self) -> tuple[Ints, Ints]:
        """Source and target of every position."""
        columns = [*self._columns, tuple(np.array(self._single, np.int64).reshape(-1, 3).T)]
        source, target, length = (np.concatenate([column[at] for column in columns]) for at in range(3))
        length = np.maximum(length, 0)
        steps = ramps(length)
        return np.repeat(source, length) + steps, np.repeat(target, length) + steps


def ramps(lengths: Ints) -> Ints:
    """0, 1, … up to each length, one after the other."""
    ends = np.cumsum(lengths)
    result: Ints = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - lengths, lengths)
    return result


class _Flow:
    def __init__(self, module: Module, order: ProgramOrder) -> None:
        self._module = module
        self._order = order
        self._table = module.instructions
        self._trees = ShapeTrees(module.shapes)
        scheduled = np.zeros(len(self._table), np.bool_)
        scheduled[order.instruction] = True
        self._size = np.where(scheduled, self._trees.size[self._table.shape], 0)
        self._base = np.cumsum(self._size) - self._size
        self._operands = np.diff(self._table.operand_start)
        self._parameter = self._parameters()
        self._first = _Blocks()
        self._second = _Blocks()

    def positions(self) -> Positions:
        """All of it."""
        row = np.repeat(np.arange(len(self._size), dtype=np.int32), self._size)
        array = np.ones(len(row), np.bool_)
        for wide in np.nonzero(self._size > 1)[0].tolist():
            start = self._base[wide]
            array[start : start + self._size[wide]] = self._trees.arrays(int(self._table.shape[wide]))
        definition = self._definitions()
        self._gather()
        buffer = self._standing(definition, len(row))
        return Positions(self._base, self._size, row, array, buffer, definition)

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

    def _standing(self, definition: Ints, count: int) -> Rows:
        defined = np.full(count, -1, np.int32)
        known = np.nonzero(definition >= 0)[0]
        # Where a damaged file defines two at one position, the first stands there.
        defined[definition[known[::-1]]] = known[::-1]
        source, target = self._first.expanded()
        other_source, other_target = self._second.expanded()
        origin = np.arange(count)
        origin[other_target] = other_source
        origin[target] = source
        origin = np.where(defined >= 0, np.arange(count), origin)
        for _ in range(count.bit_length()):
            further = origin[origin]
            if np.array_equal(further, origin):
                break
            origin = further
        buffer = defined[origin]
        source, target = np.concatenate([source, other_source]), np.concatenate([target, other_target])
        for _ in range(_MOST_ROUNDS):
            missing = (buffer[target] < 0) & (buffer[source] >= 0)
            if not missing.any():
                break
            buffer[target[missing]] = buffer[source[missing]]
        return buffer

    # ---- Handing on, by opcode ----

    def _gather(self) -> None:
        rows = {opcode: self._rows_of(code) for code, opcode in enumerate(self._table.opcodes)}
        for opcode in _SAME:
            self._same(rows.get(opcode, _NONE))
        self._get_tuple_element(rows.get("get-tuple-element", _NONE))
        self._tuple(rows.get("tuple", _NONE))
        self._elements_of_copy(rows.get("copy", _NONE))
        self._copy_start(rows.get("copy-start", _NONE))
        self._copy_done(rows.get("copy-done", _NONE))
        for row in rows.get("while", _NONE).tolist():
            self._while(row)
        for row in rows.get("call", _NONE).tolist():
            self._call(row)
        for row in rows.get("conditional", _NONE).tolist():
            self._conditional(row)
        for row in rows.get("send", _NONE).tolist():
            self._hand(self._operand(row, 0), (), row, (0,))
        for opcode in ("all-gather-start", "collective-permute-start"):
            for row in rows.get(opcode, _NONE).tolist():
                several = self._operands[row] > 1
                for number in range(int(self._operands[row])):
                    self._hand(self._operand(row, number), (), row, (0, number) if several else (0,))
        for opcode, (element, place) in _ELEMENT_OF_OPERAND.items():
            for row in rows.get(opcode, _NONE).tolist():
                self._hand(self._operand(row, 0), element, row, place)
        for start in self._order.chains.members:
            self._chain(start)

    def _rows_of(self, code: int) -> Ints:
        found: Ints = np.nonzero((self._table.opcode == code) & (self._size > 0))[0]
        return found

    def _with_operand(self, rows: Ints) -> tuple[Ints, Ints]:
        """Those rows whose operand 0 has positions, and that operand."""
        rows = rows[self._operands[rows] > 0]
        operand = self._table.operands[self._table.operand_start[rows]]
        placed = self._size[operand] > 0
        return rows[placed], operand[placed]

    def _same(self, rows: Ints) -> None:
        rows, operand = self._with_operand(rows)
        length = np.minimum(self._size[rows], self._size[operand])
        self._first.add(self._base[operand], self._base[rows], length)

    def _get_tuple_element(self, rows: Ints) -> None:
        rows, operand = self._with_operand(rows)
        inside, room = self._trees.elements(self._table.shape[operand], self._table.tuple_index[rows])
        length = np.where(inside >= 0, np.minimum(self._size[rows], room), 0)
        self._first.add(self._base[operand] + inside, self._base[rows], length)

    def _tuple(self, rows: Ints) -> None:
        counts = self._operands[rows]
        owner = np.repeat(rows, counts)
        number = ramps(counts)
        operand = self._table.operands[self._table.operand_start[owner] + number]
        inside, room = self._trees.elements(self._table.shape[owner], number)
        length = np.where(inside >= 0, np.minimum(self._size[operand], room), 0)
        self._first.add(self._base[operand], self._base[owner] + inside, length)

    def _elements_of_copy(self, rows: Ints) -> None:
        """A copy of a tuple copies its table of pointers alone."""
        rows, operand = self._with_operand(rows)
        length = np.minimum(self._size[rows], self._size[operand]) - 1
        self._first.add(self._base[operand] + 1, self._base[rows] + 1, length)

    def _copy_start(self, rows: Ints) -> None:
        rows, operand = self._with_operand(rows)
        inside, _ = self._trees.elements(self._table.shape[rows], np.ones(len(rows), np.int64))
        self._first.add(self._base[operand], self._base[rows] + inside, (inside >= 0).astype(np.int64))

    def _copy_done(self, rows: Ints) -> None:
        rows, operand = self._with_operand(rows)
        inside, _ = self._trees.elements(self._table.shape[operand], np.zeros(len(rows), np.int64))
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
        codes = [code for code, opcode in enumerate(self._table.opcodes) if opcode == "parameter"]
        rows = np.nonzero(np.isin(self._table.opcode, codes) & (self._size > 0))[0]
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

    def _hand(  # noqa: PLR0913 - two places, and how
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
