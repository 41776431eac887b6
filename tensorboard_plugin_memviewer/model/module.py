"""A module (XLA program) and its memory plan, as columns that are never changed after they are made.

References between tables are row numbers; ids of the file are kept only where a user or another tool needs
them. Column arrays are numpy and read-only; tables of few distinct values (shapes, metadata) are tuples.
Every function that makes a `Module` ends in `check.check_module`, so readers of a Module need no defensive
code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tensorboard_plugin_memviewer.errors import Problem
from tensorboard_plugin_memviewer.model.fused import NO_FUSED_ENDS, FusedEnds
from tensorboard_plugin_memviewer.model.op_metadata import OpMetadata
from tensorboard_plugin_memviewer.model.shape import Shape
from tensorboard_plugin_memviewer.vocabulary.allocation_types import ALLOCATION_TYPES

Ints = NDArray[np.int64]
Rows = NDArray[np.int32]
Flags = NDArray[np.bool_]


class AllocationType(IntEnum):
    """What an allocation is for: the first that applies, in this order. All but TEMPORARY are indefinite."""

    PARAMETER = 0
    OUTPUT = 1
    THREAD_LOCAL = 2
    CONSTANT = 3
    TEMPORARY = 4

    @property
    def label(self) -> str:
        """The name as users know it from XProf."""
        return ALLOCATION_TYPES[self]


class EventKind(IntEnum):
    """Kinds of a heap simulator event, numbered as on the wire."""

    ALLOC = 0
    FREE = 1
    SHARE_WITH = 2


@dataclass(frozen=True, slots=True)
class StackFrame:
    """One frame of a Python stack; `parent` is a row of `Module.frames`, None for the outermost."""

    file: str
    function: str
    line: int
    column: int
    parent: int | None


@dataclass(frozen=True, slots=True)
class Computations:
    """One row a decoded computation (fused computations are not decoded: nothing of the plan lies in them).

    `first[i]:first[i+1]` are its rows in Instructions; `root` its root's row or -1; `sequence` its schedule
    as rows of Instructions, None where the module has no schedule for it.
    """

    ids: tuple[int, ...]
    names: tuple[str, ...]
    first: tuple[int, ...]
    root: tuple[int, ...]
    sequence: tuple[Rows | None, ...]

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class Instructions:
    """One row an instruction, computation by computation, in file order.

    `opcode`, `shape` and `metadata` index the tables `opcodes`, `Module.shapes`, `Module.metadata`. The
    operands of row i are `operands[operand_start[i]:operand_start[i+1]]` (rows), the computations it calls
    likewise in `called` (rows of Computations). `tuple_index` and `parameter_number` are 0 where the opcode
    has none.
    """

    ids: Ints
    names: tuple[str, ...]
    opcode: Rows
    opcodes: tuple[str, ...]
    shape: Rows
    metadata: Rows
    computation: Rows
    operand_start: Rows
    operands: Rows
    called_start: Rows
    called: Rows
    parameter_number: Ints
    tuple_index: Ints
    fusion_kind: dict[int, str]
    custom_call_target: dict[int, str]

    def __len__(self) -> int:
        return len(self.ids)

    def has_opcode(self, *names: str) -> Flags:
        """By row, whether the opcode is one of these."""
        codes = [code for code, opcode in enumerate(self.opcodes) if opcode in names]
        found: Flags = np.isin(self.opcode, codes)
        return found

    def callers(self) -> dict[int, int]:
        """The row of the first instruction that calls a computation, by row of Computations."""
        callers: dict[int, int] = {}
        for row in np.nonzero(np.diff(self.called_start))[0].tolist():
            for computation in self.called[self.called_start[row] : self.called_start[row + 1]].tolist():
                callers.setdefault(computation, row)
        return callers


@dataclass(frozen=True, slots=True)
class ScopedMemory:
    """Memory that an instruction reserves while it runs: one row a configuration.

    `largest` holds, by memory space, the largest single configuration in bytes and the name of the first
    instruction that has it, over the whole file: also instructions without a program point (of fused
    computations), which repeat what their fusion says and have no row.
    """

    instruction: Rows
    space: Ints
    offset: Ints
    size: Ints
    largest: dict[int, tuple[int, str]]

    @classmethod
    def of(
        cls, rows: Sequence[tuple[int, int, int, int]], largest: dict[int, tuple[int, str]]
    ) -> ScopedMemory:
        """From `(instruction, space, offset, size)` a configuration."""
        instruction, space, offset, size = np.array(rows, np.int64).reshape(-1, 4).T
        return cls(instruction.astype(np.int32), space, offset, size, largest)


@dataclass(frozen=True, slots=True)
class LogicalBuffers:
    """One row a logical buffer. `instruction` is the row of the instruction that defines it.

    `size` is bytes as stored; `unpadded` bytes without padding, never more than size. `shape` is the row in
    `Module.shapes` of the buffer's own shape (at its shape index). `allocation` and `offset` say where it is
    assigned; allocation is -1 where it is assigned nowhere. `hlo_buffer` is the first row of the values that
    XLA made one buffer (a loop's initial value, parameter and result): the row itself where it is alone.
    """

    ids: Ints
    size: Ints
    unpadded: Ints
    space: Ints
    instruction: Rows
    shape: Rows
    shape_index: tuple[tuple[int, ...], ...]
    allocation: Rows
    offset: Ints
    hlo_buffer: Rows

    def __len__(self) -> int:
        return len(self.ids)

    def index_text(self, row: int) -> str:
        """The shape index of a buffer as XLA writes it, `{0,2}`; "" where it is the whole shape."""
        index = self.shape_index[row]
        return "{" + ",".join(map(str, index)) + "}" if index else ""


@dataclass(frozen=True, slots=True)
class Allocations:
    """One row a buffer allocation. `type` holds AllocationType; `size` bytes.

    The buffers assigned to row i, in file order, are the rows
    `assigned[assigned_start[i]:assigned_start[i+1]]` of LogicalBuffers; `assigned_offset` (bytes) goes with
    `assigned`.
    """

    index: Ints
    size: Ints
    space: Ints
    type: NDArray[np.int8]
    live_out: Flags
    is_parameter: Flags
    is_constant: Flags
    is_thread_local: Flags
    is_tuple: Flags
    parameter_number: tuple[int | None, ...]
    parameter_shape_index: tuple[tuple[int, ...], ...]
    assigned_start: Rows
    assigned: Rows
    assigned_offset: Ints

    def __len__(self) -> int:
        return len(self.index)

    @property
    def aliased(self) -> Flags:
        """Parameters whose memory is reused for an output."""
        aliased: Flags = (self.type == AllocationType.PARAMETER) & self.live_out
        return aliased


@dataclass(frozen=True, slots=True)
class HeapTrace:
    """The events of one heap simulator trace in their order, as columns of equal length.

    `kind` holds EventKind; `buffer` and `canonical` are rows of LogicalBuffers, -1 where the file names a
    buffer that it does not define (`canonical`: also for anything but SHARE_WITH).
    """

    kind: NDArray[np.int8]
    buffer: Rows
    canonical: Rows

    def __len__(self) -> int:
        return len(self.kind)


@dataclass(frozen=True, slots=True)
class WrittenRanges:
    """Live ranges as XLA wrote them down: half-open `[start, end)` by row of LogicalBuffers, both -1 where it
    wrote none. The points are those of `sequence`, rows of Instructions, -1 for one that the module lacks.
    """

    sequence: Rows
    start: Ints
    end: Ints


class InPlace(NamedTuple):
    """A part of an instruction's result that is written into a part of one of its operands.

    Parts are shape indexes, `operand` is a number; `row` is the instruction's in Instructions.
    """

    row: int
    part: tuple[int, ...]
    operand: int
    operand_part: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Module:
    """A module with its memory plan. `metadata[0]` is NO_METADATA; `platform` "tpu", "gpu", "cpu" or None.

    `late_async_values` says that its compiler lets what an asynchronous computation defines begin no earlier
    than the async-start of its chain. `in_place` is known for text dumps only; elsewhere
    `LogicalBuffers.hlo_buffer` has what follows from it.
    """

    name: str
    entry: int | None
    entry_name: str
    instruction_count: int
    platform: str | None
    computations: Computations
    instructions: Instructions
    shapes: tuple[Shape, ...]
    metadata: tuple[OpMetadata, ...]
    frames: tuple[StackFrame, ...]
    scoped: ScopedMemory
    buffers: LogicalBuffers
    allocations: Allocations
    traces: tuple[HeapTrace, ...]
    has_schedule: bool
    problems: tuple[Problem, ...]
    late_async_values: bool = False
    written_ranges: WrittenRanges | None = None
    fused: FusedEnds = NO_FUSED_ENDS
    in_place: tuple[InPlace, ...] = ()
