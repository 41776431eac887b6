"""A BufferAssignmentProto → logical buffers, allocations and heap traces, with ids turned into rows.

What refers to something that the file does not define is reported once a kind and left out; the rest stands.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from tensorboard_plugin_memviewer.errors import Damaged, Problem
from tensorboard_plugin_memviewer.formats.unpadded import unpadded_sizes
from tensorboard_plugin_memviewer.model.module import (
    Allocations,
    AllocationType,
    EventKind,
    HeapTrace,
    Instructions,
    Ints,
    LogicalBuffers,
    Rows,
)
from tensorboard_plugin_memviewer.model.shape import UNKNOWN_SHAPE, Shape
from tensorboard_plugin_memviewer.protos import memviewer_hlo_pb2 as pb

_ADVICE = "The file is altered or from an unknown compiler; the rest of the module is shown."


def decode_buffer_assignment(
    assignment: pb.BufferAssignment,
    instructions: Instructions,
    shapes: list[Shape],
    problems: list[Problem],
) -> tuple[LogicalBuffers, Allocations, tuple[HeapTrace, ...]]:
    """The plan of a module. Shapes of buffers inside tuples are appended to `shapes`, faults to `problems`.

    Raises Damaged where an id that others refer to is given twice.
    """
    faults: Counter[str] = Counter()
    decoder = _BufferDecoder(instructions, shapes, faults)
    row_of_id = _row_of_id([buffer.id for buffer in assignment.logical_buffers])
    allocations, assigned_size = _decode_allocations(assignment, row_of_id, faults)
    buffers = decoder.decode(assignment, allocations, assigned_size)
    traces = tuple(_decode_trace(trace, row_of_id, faults) for trace in assignment.heap_simulator_traces)
    problems.extend(
        Problem("buffer_assignment", f"{count} × {fault}", _ADVICE) for fault, count in faults.items()
    )
    return buffers, allocations, traces


def _row_of_id(ids: list[int]) -> dict[int, int]:
    rows = {key: row for row, key in enumerate(ids)}
    if len(rows) < len(ids):
        raise Damaged(
            "two logical buffers have the same id", "The file is altered: capture the profile or dump again."
        )
    return rows


class _BufferDecoder:
    """Finds each logical buffer's instruction and shape; distinct sub-shapes go into the table once."""

    def __init__(self, instructions: Instructions, shapes: list[Shape], faults: Counter[str]) -> None:
        self._instructions = instructions
        self._shapes = shapes
        self._faults = faults
        self._row_by_id = {key: row for row, key in enumerate(instructions.ids.tolist())}
        self._shape_of: list[int] = instructions.shape.tolist()
        self._row_by_name: dict[str, int] | None = None
        self._sub_shape_rows: dict[tuple[int, tuple[int, ...]], int] = {}
        self._shape_rows: dict[Shape, int] = {}

    def decode(
        self, assignment: pb.BufferAssignment, allocations: Allocations, assigned_size: Ints
    ) -> LogicalBuffers:
        """The logical buffers. `assigned_size` goes with `allocations.assigned`: their sizes, said again."""
        ids: list[int] = []
        sizes: list[int] = []
        spaces: list[int] = []
        instruction: list[int] = []
        indexes: list[tuple[int, ...]] = []
        for buffer in assignment.logical_buffers:
            ids.append(buffer.id)
            sizes.append(buffer.size)
            spaces.append(buffer.color)
            place = buffer.defined_at
            row = self._row_by_id.get(number) if (number := place.instruction_id) else None
            instruction.append(self._instruction_row(place) if row is None else row)
            indexes.append(tuple(path) if (path := place.shape_index) else ())
        shape = [
            self._shape_row(row, index) if index or row < 0 else self._shape_of[row]
            for row, index in zip(instruction, indexes, strict=True)
        ]
        size = self._checked_size(np.array(sizes, np.int64))
        allocation, offset = _places(allocations, len(ids), self._faults)
        self._report_outside(size, allocation, offset, allocations)
        if other := int((size[allocations.assigned] != assigned_size).sum()):
            self._faults["an allocation gives a logical buffer another size than it has"] += other
        return LogicalBuffers(
            ids=np.array(ids, np.int64),
            size=size,
            unpadded=unpadded_sizes(size, np.array(shape, np.int32), self._shapes),
            space=np.array(spaces, np.int64),
            instruction=np.array(instruction, np.int32),
            shape=np.array(shape, np.int32),
            shape_index=tuple(indexes),
            allocation=allocation,
            offset=offset,
            hlo_buffer=self._hlo_buffers(assignment, ids, instruction, indexes),
        )

    def _hlo_buffers(
        self,
        assignment: pb.BufferAssignment,
        ids: list[int],
        instruction: list[int],
        indexes: list[tuple[int, ...]],
    ) -> Rows:
        """The first of the logical buffers that XLA made one buffer, by logical buffer: itself, mostly.

        An alias names another place of a value; where another logical buffer is defined, the two are one.
        """
        first = list(range(len(ids)))
        if not assignment.buffer_aliases:
            return np.array(first, np.int32)
        defined = {place: row for row, place in enumerate(zip(instruction, indexes, strict=True))}
        row_of_id = {key: row for row, key in enumerate(ids)}
        for alias in assignment.buffer_aliases:
            source = row_of_id.get(alias.source_buffer_id)
            place = alias.location
            found = self._row_by_id.get(place.instruction_id, -1)
            if found < 0 and place.instruction_name:
                found = self._instruction_row(place)
            other = defined.get((found, tuple(place.shape_index)))
            if source is None or other is None or found < 0:
                continue
            one, two = sorted((_representative(first, source), _representative(first, other)))
            first[two] = one
        return np.array([_representative(first, row) for row in first], np.int32)

    def _checked_size(self, size: Ints) -> Ints:
        if negative := int((size < 0).sum()):
            self._faults["a logical buffer has a negative size, read as 0"] += negative
        return np.maximum(size, 0)

    def _instruction_row(self, place: pb.LogicalBuffer.Location) -> int:
        """Files from before 2022 name the instruction; later ones number it."""
        row = None
        if place.instruction_id != 0 or not place.instruction_name:
            row = self._row_by_id.get(place.instruction_id)
        if row is None and place.instruction_name:
            if self._row_by_name is None:
                self._row_by_name = {name: at for at, name in enumerate(self._instructions.names)}
            row = self._row_by_name.get(place.instruction_name)
        if row is None:
            self._faults["a logical buffer is defined by an unknown instruction"] += 1
            return -1
        return row

    def _shape_row(self, instruction: int, index: tuple[int, ...]) -> int:
        if instruction < 0:
            return self._row_of_shape(UNKNOWN_SHAPE)
        whole = self._shape_of[instruction]
        key = (whole, index)
        row = self._sub_shape_rows.get(key)
        if row is None:
            shape = self._shapes[whole].find(index)
            if shape is None:
                self._faults["a logical buffer's shape index leaves its instruction's shape"] += 1
                shape = UNKNOWN_SHAPE
            row = self._sub_shape_rows[key] = self._row_of_shape(shape)
        return row

    def _row_of_shape(self, shape: Shape) -> int:
        row = self._shape_rows.get(shape)
        if row is None:
            row = self._shape_rows[shape] = len(self._shapes)
            self._shapes.append(shape)
        return row

    def _report_outside(self, size: Ints, allocation: Rows, offset: Ints, allocations: Allocations) -> None:
        """A buffer that leaves its allocation is counted only as far as it lies inside."""
        placed = allocation >= 0
        room = allocations.size[allocation[placed]] - offset[placed]
        outside = int(((offset[placed] < 0) | (size[placed] > room)).sum())
        if outside:
            self._faults["a logical buffer lies partly outside its allocation"] += outside


def _representative(first: list[int], row: int) -> int:
    """The end of a chain of rows, with the chain cut short for the next time."""
    while first[row] != row:
        first[row] = first[first[row]]
        row = first[row]
    return row


def _places(allocations: Allocations, buffer_count: int, faults: Counter[str]) -> tuple[Rows, Ints]:
    """Allocation and offset by buffer. A buffer assigned twice keeps its first place."""
    allocation = np.full(buffer_count, -1, np.int32)
    offset = np.zeros(buffer_count, np.int64)
    owners = np.repeat(np.arange(len(allocations), dtype=np.int32), np.diff(allocations.assigned_start))
    rows, first = np.unique(allocations.assigned, return_index=True)
    if len(rows) < len(allocations.assigned):
        faults["a logical buffer is assigned more than once"] += len(allocations.assigned) - len(rows)
    allocation[rows] = owners[first]
    offset[rows] = allocations.assigned_offset[first]
    return allocation, offset


def _decode_allocations(
    assignment: pb.BufferAssignment, row_of_id: dict[int, int], faults: Counter[str]
) -> tuple[Allocations, Ints]:
    """The allocations, and the size that they give for each buffer in them."""
    # A list keeps what stands for a message in Python: every walk over the field itself makes it anew.
    protos = list(assignment.buffer_allocations)
    start, rows, offsets, sizes = [0], [], [], []
    for allocation in protos:
        for place in allocation.assigned:
            row = row_of_id.get(place.logical_buffer_id)
            if row is None:
                faults["an allocation holds an unknown logical buffer"] += 1
                continue
            rows.append(row)
            offsets.append(place.offset)
            sizes.append(place.size)
        start.append(len(rows))
    size = np.array([allocation.size for allocation in protos], np.int64)
    if (size < 0).any():
        faults["an allocation has a negative size, read as 0"] += int((size < 0).sum())
    flags = {
        AllocationType.PARAMETER: np.array([one.is_entry_computation_parameter for one in protos], np.bool_),
        AllocationType.OUTPUT: np.array([one.maybe_live_out for one in protos], np.bool_),
        AllocationType.THREAD_LOCAL: np.array([one.is_thread_local for one in protos], np.bool_),
        AllocationType.CONSTANT: np.array([one.is_constant for one in protos], np.bool_),
    }
    allocations = Allocations(
        index=np.array([allocation.index for allocation in protos], np.int64),
        size=np.maximum(size, 0),
        space=np.array([allocation.color for allocation in protos], np.int64),
        # docs/numbers.md: the first flag that is set decides.
        type=np.select(list(flags.values()), list(flags), AllocationType.TEMPORARY).astype(np.int8),
        live_out=flags[AllocationType.OUTPUT],
        is_parameter=flags[AllocationType.PARAMETER],
        is_constant=flags[AllocationType.CONSTANT],
        is_thread_local=flags[AllocationType.THREAD_LOCAL],
        is_tuple=np.array([allocation.is_tuple for allocation in protos], np.bool_),
        parameter_number=tuple(
            allocation.parameter_number if allocation.is_entry_computation_parameter else None
            for allocation in protos
        ),
        parameter_shape_index=tuple(
            tuple(allocation.parameter_shape_index) if allocation.is_entry_computation_parameter else ()
            for allocation in protos
        ),
        assigned_start=np.array(start, np.int32),
        assigned=np.array(rows, np.int32),
        assigned_offset=np.array(offsets, np.int64),
    )
    return allocations, np.array(sizes, np.int64)


def _decode_trace(trace: pb.HeapSimulatorTrace, row_of_id: dict[int, int], faults: Counter[str]) -> HeapTrace:
    found = [(event.kind, row_of_id.get(event.buffer_id, -1)) for event in trace.events]
    kind, buffer = np.array(found, np.int64).reshape(-1, 2).T
    buffer = np.where((kind >= 0) & (kind <= EventKind.SHARE_WITH), buffer, -1)
    # proto3 keeps numbers that this enum lacks; such an event cannot be replayed.
    kind = np.where(buffer >= 0, kind, EventKind.FREE)
    canonical = np.full(len(kind), -1, np.int32)
    for at in np.nonzero(kind == EventKind.SHARE_WITH)[0].tolist():
        canonical[at] = row_of_id.get(trace.events[at].share_with_canonical_id, -1)
    unknown = int((buffer < 0).sum())
    if unknown:
        faults["a heap event names an unknown logical buffer or has an unknown kind"] += unknown
    return HeapTrace(
        kind=kind.astype(np.int8),
        buffer=buffer.astype(np.int32),
        canonical=canonical,
    )
