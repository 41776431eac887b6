"""The `buffer` answer: all that is known of one logical buffer. For scripts: the page has it already."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from tensorboard_plugin_memviewer.analysis.lifetimes.readers import Readers, longest_idle
from tensorboard_plugin_memviewer.analysis.padding import PaddingExplanation, explain
from tensorboard_plugin_memviewer.analysis.replay import SpanSource
from tensorboard_plugin_memviewer.analysis.scope import parse_scope
from tensorboard_plugin_memviewer.analysis.sources import library_of, source_of, stack_of
from tensorboard_plugin_memviewer.analysis.usage import Plan, SpaceUsage
from tensorboard_plugin_memviewer.errors import BadParameter, NotFound
from tensorboard_plugin_memviewer.model.module import AllocationType, Module
from tensorboard_plugin_memviewer.model.space import space_name

Json = dict[str, Any]

_MOST_READERS = 1000


def buffer_payload(plan: Plan, usage: SpaceUsage, readers: Readers, id_text: str) -> Json:
    """What is known of the buffer with the id that the compiler gave it. Raises BadParameter, NotFound."""
    module = plan.module
    buffer = _buffer_row(module, usage, id_text)
    buffers = module.buffers
    shape, size = module.shapes[buffers.shape[buffer]], int(buffers.size[buffer])
    rows = np.nonzero(usage.buffers.buffer == buffer)[0].tolist()
    points = readers.of(buffer).tolist()
    return {
        "id": str(int(buffers.ids[buffer])),
        "rows": rows,
        "space": space_name(int(buffers.space[buffer])),
        **_definition(module, int(buffers.instruction[buffer])),
        "shape": shape.text(),
        "shape_index": list(buffers.shape_index[buffer]),
        "size": size,
        "unpadded": int(buffers.unpadded[buffer]),
        "padding": _padding(explain(shape, size)),
        "allocation": _allocation(module, usage, rows[0]),
        "offset": int(buffers.offset[buffer]),
        "spans": [_span(plan, usage, row) for row in rows],
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


def _definition(module: Module, instruction: int) -> Json:
    """The instruction that defines the buffer, and where in the user's code it comes from."""
    if instruction < 0:
        return {"instruction": None, "op": "", "scope": "", "source": None, "library": None, "stack": []}
    table = module.instructions
    metadata = module.metadata[table.metadata[instruction]]
    source, library = source_of(module, metadata), library_of(module, metadata)
    stack = [
        {"file": frame.file, "function": frame.function, "line": frame.line, "column": frame.column}
        for frame in stack_of(module, metadata)
    ]
    return {
        "instruction": {
            "name": table.names[instruction],
            "opcode": table.opcodes[table.opcode[instruction]],
            "computation": module.computations.names[table.computation[instruction]],
        },
        "op": metadata.op_name,
        "scope": parse_scope(metadata.op_name)[0].scope,
        "source": None if source is None else source._asdict(),
        "library": None if library is None else {"file": library.file, "line": library.line},
        "stack": stack,
    }


def _padding(found: PaddingExplanation | None) -> Json | None:
    if found is None:
        return None
    return {
        **asdict(found),
        "factor": found.factor,
        "stored": found.stored_text,
        "worst": found.worst_text,
    }


def _allocation(module: Module, usage: SpaceUsage, row: int) -> Json:
    table, at = module.allocations, int(usage.buffers.allocation[row])
    return {
        "index": int(table.index[at]),
        "type": AllocationType(int(table.type[at])).label,
        "size": int(table.size[at]),
        "aliased": bool(table.aliased[at]),
        "live_out": bool(table.live_out[at]),
        "parameter": table.parameter_number[at],
        "parameter_shape_index": list(table.parameter_shape_index[at]),
    }


def _span(plan: Plan, usage: SpaceUsage, row: int) -> Json:
    """`[start, end)`, with the instructions at whose points it begins and ends."""
    start, end = int(usage.buffers.start[row]), int(usage.buffers.end[row])
    return {
        "start": start,
        "end": end,
        "known_by": SpanSource(int(usage.buffers.source[row])).name.lower(),
        "allocated_at": _point(plan, start)["name"],
        "freed_after": _point(plan, end - 1)["name"] if end > start else None,
    }


def _point(plan: Plan, point: int) -> Json:
    instruction, table = int(plan.order.instruction[point]), plan.module.instructions
    if instruction < 0:
        return {"point": point, "name": None, "opcode": None, "op": ""}
    return {
        "point": point,
        "name": table.names[instruction],
        "opcode": table.opcodes[table.opcode[instruction]],
        "op": plan.module.metadata[table.metadata[instruction]].op_name,
    }


def _idle(usage: SpaceUsage, rows: list[int], points: list[int]) -> Json | None:
    """The longest stretch of any of its spans in which nobody reads it."""
    table = usage.buffers
    stretches = [longest_idle(int(table.start[row]), int(table.end[row]), points) for row in rows]
    found = [stretch for stretch in stretches if stretch is not None]
    if not found:
        return None
    start, end = max(found, key=lambda stretch: stretch[1] - stretch[0])
    return {"start": start, "end": end}
