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
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tensorboard_plugin_memviewer.analysis.program_order import ProgramOrder
from tensorboard_plugin_memviewer.model.module import Ints, Module, Rows


@dataclass(frozen=True, slots=True)
class Readers:
    """The program points that read buffer row b, ascending: `points[start[b]:start[b + 1]]`. Empty on axis
    "events".
    """

    start: Ints
    points: Rows

    def of(self, buffer: int) -> Rows:
        """The points that read one row of LogicalBuffers."""
        return self.points[self.start[buffer] : self.start[buffer + 1]]


def find_readers(module: Module, order: ProgramOrder) -> Readers:
    """The readers of every logical buffer."""
    if order.axis == "events":
        return Readers(np.zeros(len(module.buffers) + 1, np.int64), np.zeros(0, np.int32))
    pairs = _Walk(module, order).run()
    return _compressed(pairs, len(module.buffers))


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


@dataclass(frozen=True, slots=True)
class _Tree:
    """The buffers behind a value: its own (-1: unknown), and for a tuple those of its elements."""

    buffer: int
    elements: tuple[_Tree, ...] = ()

    def at(self, element: int) -> _Tree:
        return self.elements[element] if 0 <= element < len(self.elements) else _NOTHING

    def leaves(self) -> Iterator[int]:
        """Buffers that hold data: those of arrays. A tuple's own buffer is a table of pointers."""
        pending = [self]
        while pending:
            tree = pending.pop()
            if tree.elements:
                pending.extend(tree.elements)
            elif tree.buffer >= 0:
                yield tree.buffer


_NOTHING = _Tree(-1)

# What passes its first operand on as it is, and whether it also waits for it (the end of an asynchronous
# operation
# holds what its start took).
_SAME = {
    "bitcast": False,
    "optimization-barrier": False,
    "add-dependency": False,
    "domain": False,
    "while": False,
}
_SAME |= {"async-update": True, "all-reduce-done": True, "send-done": True}
# What passes on one element of its operand's result, which is a tuple, and waits for it.
_ELEMENT = {
    "copy-done": 0,
    "recv-done": 0,
    "async-done": 1,
    "all-gather-done": 1,
    "collective-permute-done": 1,
}
# What starts such an operation: element k of its result is operand 0.
_STARTS = {"copy-start": 1, "send": 0, "all-gather-start": 0, "collective-permute-start": 0}
_SILENT = {"tuple", "get-tuple-element", "parameter", "constant", "call", "conditional", "async-start"} | {
    opcode for opcode, waits in _SAME.items() if not waits
}


class _Walk:
    def __init__(self, module: Module, order: ProgramOrder) -> None:
        self._module = module
        self._order = order
        table = module.instructions
        self._opcode = [table.opcodes[code] for code in table.opcode]
        self._start = table.operand_start.tolist()
        self._operands = table.operands.tolist()
        self._trees: dict[int, _Tree] = {}
        self._defined: dict[int, list[int]] = {}
        for buffer, row in enumerate(module.buffers.instruction.tolist()):
            self._defined.setdefault(row, []).append(buffer)
        self._caller = self._callers()

    def _callers(self) -> dict[int, tuple[int, int]]:
        """By computation: the row that runs it, and which of the called computations it is."""
        table = self._module.instructions
        callers: dict[int, tuple[int, int]] = {}
        for row in self._order.instruction.tolist():
            called = table.called[table.called_start[row] : table.called_start[row + 1]].tolist()
            for position, computation in enumerate(called):
                callers.setdefault(computation, (row, position))
        return callers

    def run(self) -> list[tuple[int, int]]:
        """`(buffer, point)` of every read."""
        reads: list[tuple[int, int]] = []
        for point, row in enumerate(self._order.instruction.tolist()):
            opcode = self._opcode[row]
            if opcode not in _SILENT:
                for operand in self._operands_of(row):
                    reads.extend((buffer, point) for buffer in self._tree(operand).leaves())
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

    def _passed_on(self, row: int, opcode: str) -> _Tree:  # noqa: PLR0911 - a table of opcodes
        if opcode == "tuple":
            return _Tree(-1, tuple(self._tree(operand) for operand in self._operands_of(row)))
        if opcode == "get-tuple-element":
            return self._operand_tree(row, 0).at(int(self._module.instructions.tuple_index[row]))
        if opcode in _SAME:
            return self._operand_tree(row, 0)
        if opcode in _ELEMENT:
            return self._operand_tree(row, 0).at(_ELEMENT[opcode])
        if opcode in _STARTS:
            source = self._operand_tree(row, 0)
            return _Tree(-1, (_NOTHING,) * _STARTS[opcode] + (source,))
        if opcode == "async-start":
            sources = _Tree(-1, tuple(self._tree(operand) for operand in self._operands_of(row)))
            return _Tree(-1, (sources, self._result_of_called(row)))
        if opcode in ("call", "conditional"):
            return self._result_of_called(row)
        if opcode == "parameter":
            return self._argument(row)
        return _NOTHING

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
        for buffer in self._defined.get(row, ()):
            tree = _put(tree, self._module.buffers.shape_index[buffer], buffer)
        return tree


# Deeper or wider than any shape of a real program; keeps a damaged one from building huge trees.
_MOST_ELEMENTS = 1 << 20


def _put(tree: _Tree, index: tuple[int, ...], buffer: int) -> _Tree:
    if not index:
        return _Tree(buffer, tree.elements)
    first, rest = index[0], index[1:]
    if not 0 <= first < _MOST_ELEMENTS:
        return tree
    missing = max(0, first + 1 - len(tree.elements))
    elements = list(tree.elements) + [_NOTHING] * missing
    elements[first] = _put(elements[first], rest, buffer)
    return _Tree(tree.buffer, tuple(elements))


def _compressed(pairs: list[tuple[int, int]], buffer_count: int) -> Readers:
    columns = np.array(pairs, np.int64).reshape(-1, 2)
    columns = np.unique(columns, axis=0) if len(columns) else columns
    counts = np.bincount(columns[:, 0], minlength=buffer_count)
    start = np.concatenate([[0], np.cumsum(counts)])
    return Readers(start, columns[:, 1].astype(np.int32))
