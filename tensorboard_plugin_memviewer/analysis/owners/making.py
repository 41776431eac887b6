"""How every logical buffer comes to its content: made, moved, sliced, stored into, filled, met.

| opcode | step |
| --- | --- |
| parameter of the entry | ARGUMENT |
| copy, copy-start, transpose, reshape, reverse, pad, joined prefetches, moves to the host | MOVES operand 0 |
| convert | CONVERTS operand 0: the author's own cast is an operation of its own |
| slice, dynamic-slice | SLICES operand 0 |
| dynamic-update-slice | STORES operand 1 into operand 0 |
| broadcast of one element, constant, iota, AllocateBuffer | FILLS |
| all-gather and its start | GATHERS its operand |
| all-reduce, reduce-scatter, all-to-all, collective-permute and their starts | EXCHANGES its operand |
| while, conditional, parameter of what is called | MEETS: another value comes to stand there |
| a further s8 or u8 result of a custom-call | WORKSPACE of the call |
| fusion | as the operation inside that makes the element (model/fused.py) |
| any other | MAKES |
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

import numpy as np

from tensorboard_plugin_memviewer.analysis.lifetimes.positions import Positions
from tensorboard_plugin_memviewer.analysis.owners.names import NO_NAME, Names
from tensorboard_plugin_memviewer.model.fused import Fused, Making
from tensorboard_plugin_memviewer.model.module import Flags, Ints, Module


class Act(IntEnum):
    """What an instruction does to make a logical buffer."""

    MAKES = 0
    ARGUMENT = 1
    MOVES = 2
    CONVERTS = 3
    SLICES = 4
    STORES = 5
    FILLS = 6
    GATHERS = 7
    EXCHANGES = 8
    MEETS = 9
    WORKSPACE = 10
    TABLE = 11


class Step(NamedTuple):
    """How one logical buffer is made. `name` is the number of a name (names.py); `source` the row of
    LogicalBuffers that it is made from, -1 where there is none or several. For STORES `into` is the buffer
    that is written into, `source` what is stored; where a fusion computes that, `stored` is its name.
    """

    act: Act
    name: int
    source: int = -1
    into: int = -1
    stored: int = NO_NAME


_MOVES = ("copy", "copy-start", "transpose", "reshape", "bitcast-convert", "bitcast", "reverse", "pad")
_MOVING_CALLS: Final = frozenset(
    {"ConcatBitcast", "MoveToHost", "MoveToDevice", "X64Combine", "X64SplitLow", "X64SplitHigh"}
)
_FILLING_CALLS: Final = frozenset({"AllocateBuffer"})
_GATHERS = ("all-gather", "all-gather-start")
_EXCHANGES = (
    *("all-reduce", "all-reduce-start", "reduce-scatter", "all-to-all", "ragged-all-to-all"),
    *("collective-permute", "collective-permute-start", "collective-broadcast", "send", "recv"),
)
_MEETS = ("while", "conditional", "parameter", "call", "async-start", "async-update", "async-done")
_BY_OPCODE: Final[dict[str, Act]] = {
    **dict.fromkeys(_MOVES, Act.MOVES),
    "convert": Act.CONVERTS,
    "slice": Act.SLICES,
    "dynamic-slice": Act.SLICES,
    "dynamic-update-slice": Act.STORES,
    "constant": Act.FILLS,
    "iota": Act.FILLS,
    **dict.fromkeys(_GATHERS, Act.GATHERS),
    **dict.fromkeys(_EXCHANGES, Act.EXCHANGES),
    **dict.fromkeys(_MEETS, Act.MEETS),
    "tuple": Act.TABLE,
}
# What computes an element of its result from the same element of its operands.
_ELEMENTWISE: Final = frozenset(
    {
        *("add", "subtract", "multiply", "divide", "negate", "maximum", "minimum", "select", "clamp"),
        *("sqrt", "rsqrt", "power", "exponential", "log", "tanh", "sign", "abs", "and", "or", "not"),
        *("compare", "convert", "fusion"),
    }
)
# A library's scratch is one of several results, in bytes.
_SCRATCH_TYPES: Final = frozenset({"s8", "u8"})
_OF_MAKING: Final = {Making.MOVES: Act.MOVES, Making.SLICES: Act.SLICES, Making.FILLS: Act.FILLS}


class Makings:
    """The steps of a module's logical buffers.

    `act` is by row of LogicalBuffers what its instruction does, as far as the opcode says; `step` looks
    closer. `plain` marks those that a named operation makes, without a closer look, and `name` is its name.
    """

    def __init__(self, module: Module, positions: Positions, names: Names) -> None:
        self._module = module
        self._positions = positions
        self._names = names
        self.act: Ints = self._acts()
        self._first_result: dict[int, int] = {}

    def _acts(self) -> Ints:
        module, table = self._module, self._module.instructions
        by_opcode = np.array([_BY_OPCODE.get(name, Act.MAKES) for name in (*table.opcodes, "")], np.int64)
        row = module.buffers.instruction
        self.plain: Flags = np.zeros(len(row), np.bool_)
        self.name: Ints = np.full(len(row), NO_NAME, np.int64)
        if not len(table):
            return np.full(len(row), int(Act.MAKES), np.int64)
        known = row >= 0
        act: Ints = np.where(known, by_opcode[table.opcode[row]], int(Act.MAKES))
        argument = table.has_opcode("parameter")[row] & (table.computation[row] == module.entry) & known
        act[argument] = Act.ARGUMENT
        self.name = np.where(known, table.metadata[row], 0).astype(np.int64)
        self.name[self.name == 0] = NO_NAME
        # These are looked at closer, one by one; of most programs the rest is most.
        inside = np.zeros(len(table), np.bool_)
        inside[[*module.fused.of, *table.custom_call_target]] = True
        inside |= table.has_opcode("broadcast")
        self.plain = known & (act == Act.MAKES) & ~inside[row]
        self._name_fused()
        self.plain &= self._names.tells[self.name] & ~self._tuples()
        return act

    def _name_fused(self) -> None:
        """Of fusions, what an operation inside computes is plain, under its name."""
        fused, buffers = self._module.fused.of, self._module.buffers
        is_fused = np.zeros(len(self._module.instructions), np.bool_)
        is_fused[list(fused)] = True
        rows = np.flatnonzero((buffers.instruction >= 0) & is_fused[buffers.instruction])
        for buffer, row in zip(rows.tolist(), buffers.instruction[rows].tolist(), strict=True):
            index, ends = buffers.shape_index[buffer], fused[row].ends
            at = index[0] if index else 0
            if at < len(ends) and ends[at].update is None and ends[at].making is Making.COMPUTES:
                inside = self._names.of_fused(ends[at].metadata)
                self.plain[buffer] = True
                if self._names.tells[inside]:
                    self.name[buffer] = inside

    def _tuples(self) -> Flags:
        shapes = np.array([shape.is_tuple for shape in self._module.shapes], np.bool_)
        tuples: Flags = shapes[self._module.buffers.shape]
        return tuples

    def step(self, buffer: int) -> Step:  # noqa: PLR0911 - a return a row of the table
        """How one logical buffer is made."""
        module = self._module
        row = int(module.buffers.instruction[buffer])
        if row < 0:
            return Step(Act.MAKES, NO_NAME)
        name = int(module.instructions.metadata[row]) or NO_NAME
        act = Act(int(self.act[buffer]))
        if module.shapes[module.buffers.shape[buffer]].is_tuple:
            return Step(Act.ARGUMENT if act is Act.ARGUMENT else Act.TABLE, name)
        if act is Act.MAKES:
            return self._making(buffer, row, name)
        if act in (Act.GATHERS, Act.EXCHANGES):
            index = module.buffers.shape_index[buffer]
            several = len(self.operands(row)) > 1 and index
            return Step(act, name, self.operand(row, index[-1] if several else 0))
        if act is Act.STORES:
            return Step(act, name, self.operand(row, 1), self.operand(row, 0))
        if act in (Act.MOVES, Act.CONVERTS, Act.SLICES):
            return Step(act, name, self.operand(row, 0))
        return Step(act, name)

    def first_result(self, row: int) -> int:
        """The first array that an instruction defines, a row of LogicalBuffers; -1 for none."""
        if not self._first_result:
            buffers, positions = self._module.buffers, self._positions
            defined = np.nonzero((positions.definition >= 0) & (buffers.instruction >= 0))[0]
            defined = defined[positions.array[positions.definition[defined]]]
            defined = defined[np.argsort(-positions.definition[defined], kind="stable")]
            self._first_result = dict(
                zip(buffers.instruction[defined].tolist(), defined.tolist(), strict=True)
            )
        return self._first_result.get(row, -1)

    def first_result_beside(self, buffer: int) -> int:
        """The first array that the instruction of a logical buffer defines; -1 for none."""
        return self.first_result(int(self._module.buffers.instruction[buffer]))

    def operands(self, row: int) -> list[int]:
        """The operands of an instruction, rows of Instructions."""
        table = self._module.instructions
        found: list[int] = table.operands[table.operand_start[row] : table.operand_start[row + 1]].tolist()
        return found

    def operand(self, row: int, number: int) -> int:
        """The buffer that stands at an operand, -1 where none does."""
        operands = self.operands(row)
        if not 0 <= number < len(operands) or not self._positions.size[operands[number]]:
            return -1
        return int(self._positions.buffer[self._positions.base[operands[number]]])

    def read_by(self, buffer: int) -> list[int]:
        """The buffers that its instruction reads, in the order of operands."""
        row = int(self._module.buffers.instruction[buffer])
        if row < 0:
            return []
        found = (self.operand(row, number) for number in range(len(self.operands(row))))
        return [source for source in found if source >= 0]

    def is_elementwise(self, buffer: int) -> bool:
        """Whether each of its elements is computed from the same element of what its instruction reads."""
        table = self._module.instructions
        row = int(self._module.buffers.instruction[buffer])
        opcode = table.opcodes[table.opcode[row]] if row >= 0 else ""
        fused = self._module.fused.of.get(row)
        return opcode in _ELEMENTWISE and (opcode != "fusion" or (fused is not None and not fused.mixes))

    def _making(self, buffer: int, row: int, name: int) -> Step:
        module, table = self._module, self._module.instructions
        fused = module.fused.of.get(row)
        index = module.buffers.shape_index[buffer]
        if fused is not None:
            at = index[0] if index else 0
            return self._of_end(row, name, fused, at) if at < len(fused.ends) else Step(Act.MAKES, name)
        opcode = table.opcodes[table.opcode[row]]
        if opcode == "custom-call":
            return self._call(buffer, row, name)
        if opcode == "broadcast" and self._is_single(self.operand(row, 0)):
            return Step(Act.FILLS, name)
        return Step(Act.MAKES, name)

    def _of_end(self, row: int, name: int, fused: Fused, at: int) -> Step:
        end = fused.ends[at]
        inside = self._names.of_fused(end.metadata)
        source = self.operand(row, end.operand) if end.operand >= 0 else -1
        if end.update is not None:
            into = self.operand(row, end.into) if end.into is not None else -1
            update = self._names.of_fused(end.update)
            return Step(Act.STORES, update, source, into, inside)
        named = inside if self._names.tells[inside] else name
        if end.making is Making.FILLS and not self._is_single(source):
            return Step(Act.MAKES, named)
        gathers = end.making is Making.MOVES and fused.collective == "all-gather"
        return Step(Act.GATHERS if gathers else _OF_MAKING.get(end.making, Act.MAKES), named, source)

    def _call(self, buffer: int, row: int, name: int) -> Step:
        module = self._module
        target = module.instructions.custom_call_target.get(row, "")
        if target in _FILLING_CALLS:
            return Step(Act.FILLS, NO_NAME)
        if target in _MOVING_CALLS:
            return Step(Act.MOVES, name, self.operand(row, 0))
        index = module.buffers.shape_index[buffer]
        shape = module.shapes[module.buffers.shape[buffer]]
        if index and index[-1] > 0 and shape.type_name in _SCRATCH_TYPES:
            return Step(Act.WORKSPACE, name)
        return Step(Act.MAKES, name)

    def _is_single(self, buffer: int) -> bool:
        """Whether a logical buffer holds no more than one element; what has no buffer is a constant."""
        return buffer < 0 or self._module.shapes[self._module.buffers.shape[buffer]].elements <= 1
