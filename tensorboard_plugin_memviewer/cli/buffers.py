"""The facts of one buffer as the command line shows them, in a table or as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from tensorboard_plugin_memviewer.analysis.live_set import metadata_of
from tensorboard_plugin_memviewer.analysis.sources import source_of
from tensorboard_plugin_memviewer.analysis.usage import Plan, SpaceUsage
from tensorboard_plugin_memviewer.cli.output import Json
from tensorboard_plugin_memviewer.cli.table import Column
from tensorboard_plugin_memviewer.model.module import AllocationType
from tensorboard_plugin_memviewer.units import format_bytes

BUFFER_COLUMNS = (
    Column("INSTRUCTION", shortens=True),
    Column("BYTES", right=True),
    Column("UNPADDED", right=True),
    Column("SHAPE", shortens=True),
    Column("TYPE"),
    Column("OP", shortens=True),
    Column("SOURCE", shortens=True),
)


@dataclass(frozen=True, slots=True)
class BufferFacts:
    """One buffer of a memory space; its span `[start, end)` is in program points.

    `id` is None for an allocation that holds no buffer.
    """

    id: str | None
    instruction: str
    opcode: str
    shape_index: str
    shape: str
    bytes: int
    unpadded_bytes: int
    type: str
    op_name: str
    source: str | None
    allocation: int | None
    offset: int
    start: int
    end: int

    def as_dict(self) -> Json:
        """By name."""
        return asdict(self)

    def row(self) -> tuple[str, ...]:
        """As BUFFER_COLUMNS has it."""
        return (
            self.instruction + self.shape_index,
            format_bytes(self.bytes),
            format_bytes(self.unpadded_bytes),
            self.shape,
            self.type,
            self.op_name,
            self.source or "",
        )


def buffer_facts(plan: Plan, usage: SpaceUsage, row: int) -> BufferFacts:
    """The facts of a row of `usage.buffers`."""
    module, table = plan.module, usage.buffers
    buffer, allocation = int(table.buffer[row]), int(table.allocation[row])
    instruction = int(module.buffers.instruction[buffer]) if buffer >= 0 else -1
    metadata = metadata_of(plan, usage, row)
    source = source_of(module, metadata)
    return BufferFacts(
        id=str(int(module.buffers.ids[buffer])) if buffer >= 0 else None,
        instruction=module.instructions.names[instruction] if instruction >= 0 else "",
        opcode=module.instructions.opcodes[module.instructions.opcode[instruction]]
        if instruction >= 0
        else "",
        shape_index=module.buffers.index_text(buffer) if buffer >= 0 else "",
        shape=module.shapes[module.buffers.shape[buffer]].text() if buffer >= 0 else "",
        bytes=int(table.size[row]),
        unpadded_bytes=int(table.unpadded[row]),
        type=AllocationType(int(module.allocations.type[allocation])).label if allocation >= 0 else "",
        op_name=metadata.op_name,
        source=source.text() if source is not None else None,
        allocation=int(module.allocations.index[allocation]) if allocation >= 0 else None,
        offset=int(table.offset[row]),
        start=int(table.start[row]),
        end=int(table.end[row]),
    )
