"""The `buffer` answer: all that is known of one logical buffer. For scripts: the page has it already."""

from __future__ import annotations

from typing import TypedDict

import numpy as np

from tensorboard_plugin_memviewer.analysis.lifetimes.readers import longest_idle
from tensorboard_plugin_memviewer.analysis.padding import PaddingExplanation, explain
from tensorboard_plugin_memviewer.analysis.sources import library_of, stack_of
from tensorboard_plugin_memviewer.analysis.usage import Plan, SpaceUsage
from tensorboard_plugin_memviewer.errors import BadParameter, NotFound
from tensorboard_plugin_memviewer.model.module import AllocationType, Module
from tensorboard_plugin_memviewer.model.space import space_name
from tensorboard_plugin_memviewer.wire.buffer_record import BufferRecord
from tensorboard_plugin_memviewer.wire.names import SpaceNames
from tensorboard_plugin_memviewer.wire.subject import Subject

_MOST_READERS = 1000


class Point(TypedDict):
    """A program point."""

    point: int
    instruction: str | None
    """The instruction there, None where none is known."""
    opcode: str | None
    op_name: str


class StackLine(TypedDict):
    """A frame of the Python stack."""

    file: str
    function: str
    line: int
    column: int


class StoredDimension(TypedDict):
    """A dimension of the shape as it is stored."""

    dimensions: list[int]
    """The logical dimensions meant: several where a tile combines them, none where a tile has more."""
    size: int
    stored: int


class Padding(TypedDict):
    """How the bytes of the buffer follow from its shape."""

    dimensions: list[StoredDimension]
    element_bits: int
    stored_bits: int
    """What an element takes."""
    tail_elements: int
    """Added after the last element."""
    prefix_bytes: int
    """Before the first element."""
    unpadded_bytes: int
    stored_bytes: int
    factor: float | None
    """Stored bytes over unpadded bytes; None for an array without elements."""
    stored: str
    """The stored dimensions, `784 × 128`."""
    worst: str | None
    """What costs most; None where nothing is padded."""


class Allocation(TypedDict):
    """An allocation of the compiler."""

    index: int
    type: str
    bytes: int
    aliased: bool
    """Whether an output reuses the memory of an argument."""
    live_out: bool
    """Whether it may hold part of the result."""
    parameter: int | None
    """The parameter of the program that it holds."""
    parameter_shape_index: list[int]


class Span(TypedDict):
    """A stretch of program points `[start, end)` in which the buffer is alive."""

    start: int
    end: int
    allocated_at: str | None
    """The instruction at its first point."""
    freed_after: str | None
    """The instruction at its last point; None for an empty span."""


class Stretch(TypedDict):
    """Program points `[start, end)`."""

    start: int
    end: int


class BufferAnswer(SpaceNames):
    """One logical buffer."""

    id: str
    buffers: list[BufferRecord]
    """A record for each of its spans."""
    spans: list[Span]
    """Parallel to `buffers`."""
    computation: str | None
    """That of the instruction which defines it."""
    shape_index: list[int]
    library: str | None
    """`file:line` of the innermost line, where that is a library's which the user's own line calls."""
    stack: list[StackLine]
    """The Python stack, innermost frame first."""
    padding: Padding | None
    """None where the shape does not explain the size."""
    allocation: Allocation
    readers: list[Point]
    """The points that read it, ascending, the first 1000."""
    reader_count: int
    last_reader: Point | None
    longest_idle: Stretch | None
    """The longest stretch of any span in which nobody reads it."""


def buffer_answer(subject: Subject, id_text: str) -> BufferAnswer:
    """What is known of the buffer with the id that the compiler gave it. Raises BadParameter, NotFound."""
    plan, usage = subject.loaded.plan, subject.usage
    module = plan.module
    buffer = _buffer_row(module, usage, id_text)
    buffers = module.buffers
    shape, size = module.shapes[buffers.shape[buffer]], int(buffers.size[buffer])
    rows = np.nonzero(usage.buffers.buffer == buffer)[0].tolist()
    points = subject.loaded.readers.of(buffer).tolist()
    instruction = int(buffers.instruction[buffer])
    metadata = module.metadata[module.instructions.metadata[instruction] if instruction >= 0 else 0]
    library = library_of(module, metadata)
    padding = explain(shape, size)
    return {
        **subject.space_names,
        "id": str(int(buffers.ids[buffer])),
        "buffers": subject.records(rows),
        "spans": [_span(plan, usage, row) for row in rows],
        "computation": _computation(module, instruction),
        "shape_index": list(buffers.shape_index[buffer]),
        "library": None if library is None else library.text(),
        "stack": [
            {"file": frame.file, "function": frame.function, "line": frame.line, "column": frame.column}
            for frame in stack_of(module, metadata)
        ],
        "padding": None if padding is None else _padding(padding),
        "allocation": _allocation(module, usage, rows[0]),
        "readers": [_point(plan, point) for point in points[:_MOST_READERS]],
        "reader_count": len(points),
        "last_reader": _point(plan, points[-1]) if points else None,
        "longest_idle": _idle(usage, rows, points),
    }


def _buffer_row(module: Module, usage: SpaceUsage, id_text: str) -> int:
    if not (id_text.isascii() and id_text.removeprefix("-").isdecimal() and len(id_text) < 21):
        raise BadParameter(
            f"{id_text[:40]!r} is no id of a buffer", "Ids are numbers, as in the usage answer."
        )
    rows = np.nonzero(module.buffers.ids == int(id_text))[0]
    rows = rows[np.isin(rows, usage.buffers.buffer)]
    if not len(rows):
        raise NotFound(
            f"there is no buffer {id_text} in {space_name(usage.space)}",
            "Ids hold for one compilation: look the buffer up again.",
        )
    return int(rows[0])


def _computation(module: Module, instruction: int) -> str | None:
    if instruction < 0:
        return None
    name: str = module.computations.names[module.instructions.computation[instruction]]
    return name


def _padding(found: PaddingExplanation) -> Padding:
    return {
        "dimensions": [
            {"dimensions": list(one.dimensions), "size": one.size, "stored": one.stored}
            for one in found.dimensions
        ],
        "element_bits": found.element_bits,
        "stored_bits": found.stored_bits,
        "tail_elements": found.tail_elements,
        "prefix_bytes": found.prefix_bytes,
        "unpadded_bytes": found.unpadded_bytes,
        "stored_bytes": found.stored_bytes,
        "factor": found.factor,
        "stored": found.stored_text,
        "worst": found.worst_text,
    }


def _allocation(module: Module, usage: SpaceUsage, row: int) -> Allocation:
    table, at = module.allocations, int(usage.buffers.allocation[row])
    return {
        "index": int(table.index[at]),
        "type": AllocationType(int(table.type[at])).label,
        "bytes": int(table.size[at]),
        "aliased": bool(table.aliased[at]),
        "live_out": bool(table.live_out[at]),
        "parameter": table.parameter_number[at],
        "parameter_shape_index": list(table.parameter_shape_index[at]),
    }


def _span(plan: Plan, usage: SpaceUsage, row: int) -> Span:
    start, end = int(usage.buffers.start[row]), int(usage.buffers.end[row])
    return {
        "start": start,
        "end": end,
        "allocated_at": _point(plan, start)["instruction"],
        "freed_after": _point(plan, end - 1)["instruction"] if end > start else None,
    }


def _point(plan: Plan, point: int) -> Point:
    instruction, table = int(plan.order.instruction[point]), plan.module.instructions
    if instruction < 0:
        return {"point": point, "instruction": None, "opcode": None, "op_name": ""}
    return {
        "point": point,
        "instruction": table.names[instruction],
        "opcode": table.opcodes[table.opcode[instruction]],
        "op_name": plan.module.metadata[table.metadata[instruction]].op_name,
    }


def _idle(usage: SpaceUsage, rows: list[int], points: list[int]) -> Stretch | None:
    table = usage.buffers
    stretches = [longest_idle(int(table.start[row]), int(table.end[row]), points) for row in rows]
    found = [stretch for stretch in stretches if stretch is not None]
    if not found:
        return None
    start, end = max(found, key=lambda stretch: stretch[1] - stretch[0])
    return {"start": start, "end": end}
