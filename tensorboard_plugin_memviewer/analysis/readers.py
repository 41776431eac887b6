"""Who reads each logical buffer, and when: what keeps it alive.

A buffer passes through instructions that move no data (tuple, get-tuple-element, bitcast, the parameters and
results of called computations, the halves of asynchronous operations). One walk in program order carries, for
every instruction, a tree of the buffers that its result stands for, shaped like its result; what takes an
operand and moves data reads the buffers there. Callees have their points before their caller, and operands
before both, so one pass suffices: the values that a loop carries round are buffers of their own in XLA's
plan.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from tensorboard_plugin_memviewer.analysis.program_order import ProgramOrder
from tensorboard_plugin_memviewer.errors import Problem
from tensorboard_plugin_memviewer.model.module import Ints, Module, Rows


@dataclass(frozen=True, slots=True)
class Readers:
    """The program points that read buffer row b, ascending: `points[start[b]:start[b + 1]]`. Empty on axis
    "events".
    """

    start: Ints
    points: Rows
    problems: tuple[Problem, ...] = ()

    def of(self, buffer: int) -> Rows:
        """The points that read one row of LogicalBuffers."""
        return self.points[self.start[buffer] : self.start[buffer + 1]]


def find_readers(module: Module, order: ProgramOrder) -> Readers:
    """The readers of every logical buffer."""
    if order.axis == "events":
        return Readers(np.zeros(len(module.buffers) + 1, np.int64), np.zeros(0, np.int32))
    reads = _Walk(module, order).run()
    return _compressed(reads, len(module.buffers), order.points)


def longest_idle(allocated: int, freed: int, readers: list[int]) -> tuple[int, int] | None:
    """The longest stretch `[start, end)` of a buffer's span in which nobody reads it; None where there is
    none.

    It lies after the point that defines the buffer and ends at a read or, after the last one, where the
    buffer is freed.
    """
    edges = [allocated, *(point for point in readers if allocated < point < freed), freed]
    stretches = [(b - a - 1, a + 1, b) for a, b in pairwise(edges)]
    length, start, end = max(stretches, key=lambda stretch: stretch[0])
    return (start, end) if length > 0 else None


class _Tree(NamedTuple):
    """The buffers behind a value: its own (-1: unknown), and for a tuple those of its elements."""

    buffer: int
    elements: tuple[_Tree, ...] = ()

    def at(self, element: int) -> _Tree:
        return self.elements[element] if 0 <= element < len(self.elements) else _NOTHING

    def leaves(self) -> Iterator[int]:
        """Buffers that hold data: those of arrays. A tuple's own buffer is a table of pointers.

        A tuple that stands in several places is entered once.
        """
        pending = [self]
        entered: set[int] = set()
        while pending:
            tree = pending.pop()
            if tree.elements:
                if id(tree) not in entered:
                    entered.add(id(tree))
                    pending.extend(tree.elements)
            elif tree.buffer >= 0:
                yield tree.buffer


_NOTHING = _Tree(-1)

# What passes its first operand on as it is, and whether it also waits for it (the end of an asynchronous
# operation holds what its start took).
_SAME = {
    "bitcast": False,
    "optimization-barrier": False,
    "add-dependency": False,
    "domain": False,
    "while": False,
}
_SAME |= {"async-update": True, "all-reduce-done": True}
# What passes on one element of its operand's result, which is a tuple, and waits for it.
_ELEMENT = {
    "copy-done": 0,
    "async-done": 1,
    "all-gather-done": 1,
    "collective-permute-done": 1,
}
# What starts such an operation: element k of its result is operand 0, or a tuple of all operands.
_STARTS = {"copy-start": 1, "send": 0, "all-gather-start": 0, "collective-permute-start": 0}
_SILENT = {"tuple", "get-tuple-element", "parameter", "constant", "call", "conditional", "async-start"} | {
    opcode for opcode, waits in _SAME.items() if not waits
}
# Buffers at their shape indexes within one value.
_Defined = list[tuple[tuple[int, ...], int]]

_PASSING = _SILENT | _SAME.keys() | _ELEMENT.keys() | _STARTS.keys() | {"recv-done"}

# Real modules have about one read an instruction. Only a damaged file has tuples that multiply beyond these.
_READS_ALLOWED = 500_000
_READS_AN_INSTRUCTION = 16
_TOO_MANY = Problem(
    "readers",
    "the instructions read far more buffers than there are",
    "Readers later in the program are left out; the file is probably damaged.",
)


@dataclass(slots=True)
class _Reads:
    """`(buffer, point)` of every read, as columns; `cut` where there are more than are kept."""

    most: int
    buffers: list[int] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    cut: bool = False

    def add(self, tree: _Tree, point: int) -> None:
        """Everything behind a value is read at a point."""
        if tree.elements:
            found = list(tree.leaves())
            self.buffers += found
            self.points += [point] * len(found)
            self.cut = len(self.points) > self.most
        elif tree.buffer >= 0:
            self.buffers.append(tree.buffer)
            self.points.append(point)


class _Walk:
    def __init__(self, module: Module, order: ProgramOrder) -> None:
        self._module = module
        self._order = order
        table = module.instructions
        self._opcode = [table.opcodes[code] for code in table.opcode]
        self._start = table.operand_start.tolist()
        self._operands = table.operands.tolist()
        self._trees: dict[int, _Tree] = {}
        self._defined: dict[int, _Defined] = {}
        self._find_defined(module)
        self._caller = self._callers()

    def _find_defined(self, module: Module) -> None:
        """Buffers by the row that defines them.

        One at an index that its instruction's shape lacks is left out: its own shape is not known.
        """
        known = [shape.element_type != 0 for shape in module.shapes]
        columns = (
            module.buffers.instruction.tolist(),
            module.buffers.shape.tolist(),
            module.buffers.shape_index,
        )
        for buffer, (row, shape, index) in enumerate(zip(*columns, strict=True)):
            if not index or known[shape]:
                self._defined.setdefault(row, []).append((index, buffer))

    def _callers(self) -> dict[int, tuple[int, int]]:
        """By computation: the row that runs it, and which of the called computations it is."""
        table = self._module.instructions
        callers: dict[int, tuple[int, int]] = {}
        for row in self._order.instruction.tolist():
            called = table.called[table.called_start[row] : table.called_start[row + 1]].tolist()
            for position, computation in enumerate(called):
                callers.setdefault(computation, (row, position))
        return callers

    def run(self) -> _Reads:
        """Every read, by point."""
        reads = _Reads(_READS_ALLOWED + _READS_AN_INSTRUCTION * len(self._opcode))
        for point, row in enumerate(self._order.instruction.tolist()):
            opcode = self._opcode[row]
            if opcode not in _SILENT and not reads.cut:
                for operand in self._operands_of(row):
                    reads.add(self._tree(operand), point)
            self._trees[row] = self._with_defined(row, self._passed_on(row, opcode))
        return reads

    def _operands_of(self, row: int) -> list[int]:
        operands: list[int] = self._operands[self._start[row] : self._start[row + 1]]
        return operands

    def _tree(self, row: int) -> _Tree:
        return self._trees.get(row, _NOTHING)

    def _operand_tree(self, row: int, position: int) -> _Tree:
        at = self._start[row] + position
        return self._tree(self._operands[at]) if at < self._start[row + 1] else _NOTHING

    def _passed_on(self, row: int, opcode: str) -> _Tree:  # noqa: C901, PLR0911 - a table of opcodes
        if opcode not in _PASSING:
            return _NOTHING
        if opcode == "tuple":
            return self._operands_tree(row)
        if opcode == "get-tuple-element":
            return self._operand_tree(row, 0).at(int(self._module.instructions.tuple_index[row]))
        if opcode in _SAME:
            return self._operand_tree(row, 0)
        if opcode in _ELEMENT:
            return self._operand_tree(row, 0).at(_ELEMENT[opcode])
        if opcode == "recv-done":
            return _Tree(-1, (self._operand_tree(row, 0).at(0),))  # the data, beside a token
        if opcode in _STARTS:
            element = _STARTS[opcode]
            return _Tree(-1, (_NOTHING,) * element + (self._started(row, element),))
        if opcode == "async-start":
            return _Tree(-1, (self._operands_tree(row), self._result_of_called(row)))
        if opcode in ("call", "conditional"):
            return self._result_of_called(row)
        if opcode == "parameter":
            return self._argument(row)
        return _NOTHING

    def _operands_tree(self, row: int) -> _Tree:
        return _Tree(-1, tuple(self._tree(operand) for operand in self._operands_of(row)))

    def _started(self, row: int, element: int) -> _Tree:
        """What an asynchronous operation holds of its operands in an element of its result."""
        elements = self._module.shapes[self._module.instructions.shape[row]].tuple_shapes
        several = element < len(elements) and elements[element].is_tuple
        return self._operands_tree(row) if several else self._operand_tree(row, 0)

    def _result_of_called(self, row: int) -> _Tree:
        """Of several branches the first: where they differ the result has a buffer of its own."""
        table = self._module.instructions
        first = table.called_start[row]
        if first == table.called_start[row + 1]:
            return _NOTHING
        return self._tree(self._module.computations.root[table.called[first]])

    def _argument(self, row: int) -> _Tree:
        table = self._module.instructions
        caller = self._caller.get(int(table.computation[row]))
        if caller is None:
            return _NOTHING
        caller_row, position = caller
        opcode = self._opcode[caller_row]
        if opcode == "while":
            return self._operand_tree(caller_row, 0)
        if opcode == "conditional":
            return self._operand_tree(caller_row, position + 1)
        return self._operand_tree(caller_row, int(table.parameter_number[row]))

    def _with_defined(self, row: int, tree: _Tree) -> _Tree:
        """The tree with the buffers that the instruction itself defines put in their places."""
        places = self._defined.get(row)
        return tree if places is None else _placed(tree, places)


def _placed(tree: _Tree, places: _Defined) -> _Tree:
    """The tree with buffers put at shape indexes, which exist in the value's shape."""
    if len(places) == 1 and not places[0][0]:
        return _Tree(places[0][1], tree.elements)
    own, below = tree.buffer, dict[int, _Defined]()
    for index, buffer in places:
        if index:
            below.setdefault(index[0], []).append((index[1:], buffer))
        else:
            own = buffer
    if not below:
        return _Tree(own, tree.elements)
    elements = [*tree.elements, *[_NOTHING] * (max(below) + 1 - len(tree.elements))]
    for at, inner in below.items():
        elements[at] = _placed(elements[at], inner)
    return _Tree(own, tuple(elements))


def _compressed(reads: _Reads, buffer_count: int, point_count: int) -> Readers:
    """Sorted by buffer, then by point; what an instruction reads twice is one read."""
    keys = np.unique(np.array(reads.buffers, np.int64) * point_count + np.array(reads.points, np.int64))
    buffers, points = np.divmod(keys, max(point_count, 1))
    start = np.concatenate([[0], np.cumsum(np.bincount(buffers, minlength=buffer_count))])
    return Readers(start, points.astype(np.int32), (_TOO_MANY,) if reads.cut else ())
