"""The facts of one buffer in a list, for people and for scripts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from tensorboard_plugin_memviewer.analysis.live_set import metadata_of
from tensorboard_plugin_memviewer.analysis.replay import SpanSource
from tensorboard_plugin_memviewer.analysis.sources import source_of
from tensorboard_plugin_memviewer.analysis.usage import Plan, SpaceUsage
from tensorboard_plugin_memviewer.model.module import AllocationType

KnownBy = Literal["trace", "readers", "unknown", "allocation"]
"""How it is known when a buffer lives: by the compiler's heap trace, by its readers in the schedule, not at
all (it then counts at every point), or by its allocation, which is held for the whole run.
"""

_KNOWN_BY: Final[dict[SpanSource, KnownBy]] = {
    SpanSource.TRACED: "trace",
    SpanSource.INFERRED: "readers",
    SpanSource.UNKNOWN: "unknown",
}


@dataclass(frozen=True, slots=True)
class BufferFacts:
    """One buffer of a memory space; sizes in bytes, its span `[start, end)` in program points.

    `row` is its row in SpaceUsage.buffers. `id` is None for an allocation that holds no buffer, `allocation`
    None for what no allocation holds.
    """

    row: int
    id: int | None
    instruction: str
    shape_index: str
    opcode: str
    op_name: str
    scope: str
    source: str | None
    shape: str
    dtype: str
    bytes: int
    unpadded_bytes: int
    type: str
    aliased: bool
    allocation: int | None
    offset: int
    start: int
    end: int
    known_by: KnownBy
    live_at_peak: bool


def known_by(source: SpanSource, *, held: bool) -> KnownBy:
    """How it is known when a buffer lives. `held` is whether its allocation is held for the whole run."""
    return "allocation" if held else _KNOWN_BY[source]


def buffer_facts(plan: Plan, usage: SpaceUsage, row: int) -> BufferFacts:
    """The facts of a row of `usage.buffers`."""
    module, table, places = plan.module, usage.buffers, plan.places
    buffer, allocation = int(table.buffer[row]), int(table.allocation[row])
    instruction = int(module.buffers.instruction[buffer]) if buffer >= 0 else -1
    opcode = int(module.instructions.opcode[instruction]) if instruction >= 0 else -1
    metadata = metadata_of(plan, usage, row)
    place = int(module.instructions.metadata[instruction]) if instruction >= 0 else 0
    source = source_of(module, metadata)
    shape = module.shapes[module.buffers.shape[buffer]] if buffer >= 0 else None
    kind = AllocationType(int(module.allocations.type[allocation])) if allocation >= 0 else None
    start, end = int(table.start[row]), int(table.end[row])
    held = kind is not None and kind is not AllocationType.TEMPORARY
    return BufferFacts(
        row=row,
        id=int(module.buffers.ids[buffer]) if buffer >= 0 else None,
        instruction=module.instructions.names[instruction] if instruction >= 0 else "",
        shape_index=module.buffers.index_text(buffer) if buffer >= 0 else "",
        opcode=module.instructions.opcodes[opcode] if opcode >= 0 else "",
        op_name=metadata.op_name,
        scope=places.scopes[places.scope[place]],
        source=source.text() if source is not None else None,
        shape="" if shape is None else shape.text(),
        dtype="" if shape is None else shape.type_name,
        bytes=int(table.size[row]),
        unpadded_bytes=int(table.unpadded[row]),
        type="" if kind is None else kind.label,
        aliased=bool(module.allocations.aliased[allocation]) if allocation >= 0 else False,
        allocation=int(module.allocations.index[allocation]) if allocation >= 0 else None,
        offset=int(table.offset[row]),
        start=start,
        end=end,
        known_by=known_by(SpanSource(int(table.source[row])), held=held),
        live_at_peak=bool(table.represents[row]) and start <= usage.headline.peak_point < end,
    )
