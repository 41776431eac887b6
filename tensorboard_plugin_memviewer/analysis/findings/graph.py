"""What values are made of: the buffer that a value lies in, and the instruction that makes it.

Looks through instructions that only hand a value on. Knows nothing of findings.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tensorboard_plugin_memviewer.model.module import Module
from tensorboard_plugin_memviewer.model.shape import Shape

# A damaged file may hand a value on in a circle.
_LONGEST_WALK = 1000
_SAME = {"bitcast", "optimization-barrier", "add-dependency", "domain", "all-reduce-done"}
_ELEMENT = {"copy-done": 0, "async-done": 1, "all-gather-done": 1, "collective-permute-done": 1}
_COPIES = {"copy", "copy-start"}
# A custom call of TPU's: what was brought in slices, side by side, is one array.
_JOIN = "ConcatBitcast"

Index = tuple[int, ...]


class Value(NamedTuple):
    """A value: the row of Instructions, and the shape index `at` which it is in the result."""

    row: int
    at: Index


class Result(NamedTuple):
    """An array that the program gives back: `buffer` is the row of LogicalBuffers that it lies in, `maker`
    the row of the instruction that makes it, `shape` its own.
    """

    buffer: int
    maker: int
    shape: Shape


class Graph:
    """The instructions of one module."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._table = module.instructions
        self._operands: dict[int, list[int]] = {}

    @cached_property
    def _defined(self) -> dict[Value, int]:
        buffers = self._module.buffers
        rows = zip(buffers.instruction.tolist(), buffers.shape_index, strict=True)
        return {Value(row, index): buffer for buffer, (row, index) in enumerate(rows)}

    @cached_property
    def callers(self) -> dict[int, int]:
        """The row of the first instruction that runs a computation, by row of Computations."""
        table = self._table
        callers: dict[int, int] = {}
        for row in np.nonzero(np.diff(table.called_start))[0].tolist():
            for called in table.called[table.called_start[row] : table.called_start[row + 1]].tolist():
                callers.setdefault(called, row)
        return callers

    def opcode(self, row: int) -> str:
        """The opcode of an instruction."""
        opcode: str = self._table.opcodes[self._table.opcode[row]]
        return opcode

    def operands(self, row: int) -> list[int]:
        """The rows of an instruction's operands."""
        found = self._operands.get(row)
        if found is None:
            # Kept: each element of a wide tuple asks for all of them.
            start, end = self._table.operand_start[row : row + 2].tolist()
            found = self._operands[row] = self._table.operands[start:end].tolist()
        return found

    def op_name(self, row: int) -> str:
        """The framework's name of an instruction, "" where it gave none."""
        name: str = self._module.metadata[self._table.metadata[row]].op_name
        return name

    def shape(self, value: Value) -> Shape | None:
        """The shape of a value; None where the instruction's shape has no such index."""
        shape: Shape = self._module.shapes[self._table.shape[value.row]]
        return shape.find(value.at)

    def buffer(self, value: Value) -> int | None:
        """The row of LogicalBuffers that a value lies in; None where that is not known."""
        for _ in range(_LONGEST_WALK):
            if value in self._defined:
                return self._defined[value]
            before = self._handed_on(value)
            if before is None:
                return None
            value = before
        return None

    def made(self, value: Value, copies: bool = False) -> Value:
        """Where a value is made: back through what only hands it on and, where `copies`, copies it."""
        for _ in range(_LONGEST_WALK):
            before = self._handed_on(value)
            if before is None and copies:
                before = self._copied(value)
            if before is None or (self.opcode(value.row) == "while" and value in self._defined):
                return value
            value = before
        return value

    def argument(self, value: Value) -> int | None:
        """The row of the parameter that a value is, or a copy of; None for others."""
        made = self.made(value, copies=True)
        is_argument = self.opcode(made.row) == "parameter" and (
            self._table.computation[made.row] == self._module.entry
        )
        return made.row if is_argument else None

    def put_back(self, value: Value) -> int | None:
        """The instruction in a loop's body that makes what the loop puts back at an index; None where a
        value is no loop's.
        """
        if self.opcode(value.row) != "while":
            return None
        start, end = self._table.called_start[value.row : value.row + 2].tolist()
        root = self._module.computations.root[self._table.called[start]] if end > start else -1
        return self.made(Value(root, value.at)).row if root >= 0 else None

    def is_update(self, row: int) -> bool:
        """Whether an instruction writes a slice into an array, as far as names tell of a fusion."""
        texts = (self.opcode(row), self._table.names[row], self.op_name(row))
        return any("dynamic-update-slice" in text.replace("_", "-") for text in texts)

    def results(self) -> Iterator[Result]:
        """The arrays that the entry computation's root stands for, where their buffers are known."""
        entry = self._module.entry
        root = -1 if entry is None else self._module.computations.root[entry]
        if root < 0:
            return
        for index, shape in _leaves(self._module.shapes[self._table.shape[root]]):
            value = Value(root, index)
            buffer = self.buffer(value)
            if buffer is not None:
                yield Result(buffer, int(self._module.buffers.instruction[buffer]), shape)

    def _copied(self, value: Value) -> Value | None:
        """The value that an instruction copies, whole or in pieces that it joins; None for others."""
        operands = self.operands(value.row)
        if not operands:
            return None
        if self.opcode(value.row) in _COPIES:
            return Value(operands[0], ())
        if self._table.custom_call_target.get(value.row) != _JOIN:
            return None
        piece = self.made(Value(operands[0], ())).row
        brought = self.operands(piece)
        is_slice = self.opcode(piece) in ("async-start", "slice") and len(brought) == 1
        return Value(brought[0], ()) if is_slice else None

    def _handed_on(self, value: Value) -> Value | None:
        """The value that an instruction hands on; None where it makes one."""
        row, index = value
        opcode, operands = self.opcode(row), self.operands(row)
        if opcode == "call":
            start, end = self._table.called_start[row : row + 2].tolist()
            root = self._module.computations.root[self._table.called[start]] if end > start else -1
            return Value(root, index) if root >= 0 else None
        if not operands:
            return None
        if opcode == "tuple":
            is_element = index and 0 <= index[0] < len(operands)
            return Value(operands[index[0]], index[1:]) if is_element else None
        if opcode == "get-tuple-element":
            return Value(operands[0], (int(self._table.tuple_index[row]), *index))
        if opcode in _ELEMENT:
            return Value(operands[0], (_ELEMENT[opcode], *index))
        # A loop hands on what goes into it where its result has no buffer of its own.
        return Value(operands[0], index) if opcode in _SAME or opcode == "while" else None


def _leaves(shape: Shape) -> Iterator[tuple[Index, Shape]]:
    """The arrays of a shape, with their indexes, in order."""
    pending: list[tuple[Index, Shape]] = [((), shape)]
    while pending:
        index, held = pending.pop()
        if held.is_tuple:
            inner = [((*index, step), element) for step, element in enumerate(held.tuple_shapes)]
            pending += reversed(inner)
        else:
            yield index, held
