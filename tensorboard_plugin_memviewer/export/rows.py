"""The buffers of a memory space as CSV, which spreadsheets open: no cell is ever taken for a formula."""

from __future__ import annotations

import csv
import io
import unicodedata
from typing import Any, Final

import numpy as np

from tensorboard_plugin_memviewer.analysis.buffer_facts import BufferFacts, buffer_facts
from tensorboard_plugin_memviewer.analysis.replay import SpanSource
from tensorboard_plugin_memviewer.analysis.usage import Plan, SpaceUsage
from tensorboard_plugin_memviewer.model.module import AllocationType
from tensorboard_plugin_memviewer.visible import visible

# Spreadsheets take a cell that starts so for a formula, in full width and other forms too.
_FORMULA: Final = ("=", "+", "-", "@")

# The words of the page's table. What is not temporary is held for the whole run.
_KNOWN_BY: Final = {
    SpanSource.TRACED: "trace",
    SpanSource.INFERRED: "readers",
    SpanSource.UNKNOWN: "unknown",
}

CSV_COLUMNS: Final = (
    "id",
    "instruction",
    "shape_index",
    "opcode",
    "shape",
    "bytes",
    "unpadded_bytes",
    "padding_bytes",
    "type",
    "aliased",
    "allocation",
    "offset",
    "start",
    "end",
    "known_by",
    "live_at_peak",
    "op_name",
    "source",
)


def as_csv(plan: Plan, usage: SpaceUsage) -> str:
    """The buffers of a memory space, a row each, in program order; columns as CSV_COLUMNS."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(CSV_COLUMNS)
    for row in np.nonzero(usage.buffers.represents)[0].tolist():
        facts, source = buffer_facts(plan, usage, row), SpanSource(int(usage.buffers.source[row]))
        writer.writerow([_cell(value) for value in _csv_row(facts, source)])
    return stream.getvalue()


def _csv_row(facts: BufferFacts, source: SpanSource) -> list[Any]:
    return [
        "" if facts.id is None else facts.id,
        facts.instruction,
        "" if facts.id is None else facts.shape_index or "{}",
        facts.opcode,
        facts.shape,
        facts.bytes,
        facts.unpadded_bytes,
        facts.bytes - facts.unpadded_bytes,
        facts.type,
        int(facts.aliased),
        "" if facts.allocation is None else facts.allocation,
        facts.offset,
        facts.start,
        facts.end,
        _KNOWN_BY[source] if facts.type == AllocationType.TEMPORARY.label else "allocation",
        int(facts.live_at_peak),
        facts.op_name,
        facts.source or "",
    ]


def _cell(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = visible(value)
    return f"'{text}" if unicodedata.normalize("NFKC", text[:1]).startswith(_FORMULA) else text
