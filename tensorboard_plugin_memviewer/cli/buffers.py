"""The facts of one buffer in a table."""

from __future__ import annotations

from tensorboard_plugin_memviewer.analysis.buffer_facts import BufferFacts
from tensorboard_plugin_memviewer.cli.table import Column
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


def buffer_cells(facts: BufferFacts) -> tuple[str, ...]:
    """A row of a table with BUFFER_COLUMNS."""
    return (
        facts.instruction + facts.shape_index,
        format_bytes(facts.bytes),
        format_bytes(facts.unpadded_bytes),
        facts.shape,
        facts.type,
        facts.op_name,
        facts.source or "",
    )
