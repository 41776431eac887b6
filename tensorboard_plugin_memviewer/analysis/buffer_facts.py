"""What a list of buffers says of each: the row of a table, for people and for scripts."""

from __future__ import annotations

from dataclasses import dataclass

from tensorboard_plugin_memviewer.analysis.live_set import metadata_of
from tensorboard_plugin_memviewer.analysis.sources import source_of
from tensorboard_plugin_memviewer.analysis.usage import Plan, SpaceUsage
from tensorboard_plugin_memviewer.model.module import AllocationType


@dataclass(frozen=True, slots=True)
class BufferFacts:
    """One buffer of a memory space; sizes in bytes, its span `[start, end)` in program points.

    `id` is None for an allocation that holds no buffer, `allocation` None for what no allocation holds.
    """

    id: int | None
    instruction: str
    opcode: str
    shape_index: str
    shape: str
    bytes: int
    unpadded_bytes: int
    type: str
    aliased: bool
    op_name: str
    source: str | None
    allocation: int | None
    offset: int
    start: int
    end: int
    live_at_peak: bool


def buffer_facts(plan: Plan, usage: SpaceUsage, row: int) -> BufferFacts:
    """The facts of a row of `usage.buffers`."""
    module, table = plan.module, usage.buffers
    buffer, allocation = int(table.buffer[row]), int(table.allocation[row])
    instruction = int(module.buffers.instruction[buffer]) if buffer >= 0 else -1
    opcode = int(module.instructions.opcode[instruction]) if instruction >= 0 else -1
    metadata = metadata_of(plan, usage, row)
    source = source_of(module, metadata)
    start, end = int(table.start[row]), int(table.end[row])
    return BufferFacts(
        id=int(module.buffers.ids[buffer]) if buffer >= 0 else None,
        instruction=module.instructions.names[instruction] if instruction >= 0 else "",
        opcode=module.instructions.opcodes[opcode] if opcode >= 0 else "",
        shape_index=module.buffers.index_text(buffer) if buffer >= 0 else "",
        shape=module.shapes[module.buffers.shape[buffer]].text() if buffer >= 0 else "",
        bytes=int(table.size[row]),
        unpadded_bytes=int(table.unpadded[row]),
        type=AllocationType(int(module.allocations.type[allocation])).label if allocation >= 0 else "",
        aliased=bool(module.allocations.aliased[allocation]) if allocation >= 0 else False,
        op_name=metadata.op_name,
        source=source.text() if source is not None else None,
        allocation=int(module.allocations.index[allocation]) if allocation >= 0 else None,
        offset=int(table.offset[row]),
        start=start,
        end=end,
        live_at_peak=bool(table.represents[row]) and start <= usage.headline.peak_point < end,
    )
