"""The facts of one buffer in a table."""

from __future__ import annotations

from tensorboard_plugin_memviewer.analysis.buffer_facts import BufferFacts
from tensorboard_plugin_memviewer.cli.table import Column
from tensorboard_plugin_memviewer.units import format_bytes
from tensorboard_plugin_memviewer.vocabulary.columns import BUFFER_COLUMNS


def head(key: str) -> str:
    """A column of vocabulary/columns.py as the head of a table in the terminal."""
    return BUFFER_COLUMNS[key].word.upper()


_RIGHT = ("bytes", "unpadded_bytes")
_WHOLE = ("type", *_RIGHT)
TABLE_COLUMNS = tuple(
    Column(head(key), right=key in _RIGHT, shortens=key not in _WHOLE)
    for key in ("name", "bytes", "unpadded_bytes", "shape", "type", "op_name", "source")
)


def buffer_cells(facts: BufferFacts) -> tuple[str, ...]:
    """A row of a table with TABLE_COLUMNS."""
    return (
        facts.instruction + facts.shape_index,
        format_bytes(facts.bytes),
        format_bytes(facts.unpadded_bytes),
        facts.shape,
        facts.type,
        facts.op_name,
        facts.source or "",
    )
