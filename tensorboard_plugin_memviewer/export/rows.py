"""The buffers of a memory space as CSV, which spreadsheets open: no cell is ever taken for a formula."""

from __future__ import annotations

import csv
import io
from typing import Any, Final

import numpy as np

from tensorboard_plugin_memviewer.analysis.live_set import metadata_of
from tensorboard_plugin_memviewer.analysis.sources import source_of
from tensorboard_plugin_memviewer.analysis.usage import Plan, SpaceUsage
from tensorboard_plugin_memviewer.export.visible import visible
from tensorboard_plugin_memviewer.model.module import AllocationType

# Spreadsheets take a cell that starts so for a formula.
_FORMULA: Final = ("=", "+", "-", "@")

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
        writer.writerow([_cell(value) for value in _csv_row(plan, usage, row)])
    return stream.getvalue()


def _csv_row(plan: Plan, usage: SpaceUsage, row: int) -> list[Any]:
    module, table = plan.module, usage.buffers
    buffer, allocation = int(table.buffer[row]), int(table.allocation[row])
    instruction = int(module.buffers.instruction[buffer]) if buffer >= 0 else -1
    metadata = metadata_of(plan, usage, row)
    source = source_of(module, metadata)
    start, end, peak = int(table.start[row]), int(table.end[row]), usage.headline.peak_point
    size, unpadded = int(table.size[row]), int(table.unpadded[row])
    return [
        int(module.buffers.ids[buffer]) if buffer >= 0 else "",
        module.instructions.names[instruction] if instruction >= 0 else "",
        (module.buffers.index_text(buffer) or "{}") if buffer >= 0 else "",
        module.instructions.opcodes[module.instructions.opcode[instruction]] if instruction >= 0 else "",
        module.shapes[module.buffers.shape[buffer]].text() if buffer >= 0 else "",
        size,
        unpadded,
        size - unpadded,
        AllocationType(int(module.allocations.type[allocation])).label if allocation >= 0 else "",
        int(module.allocations.aliased[allocation]) if allocation >= 0 else 0,
        int(module.allocations.index[allocation]) if allocation >= 0 else "",
        int(table.offset[row]),
        start,
        end,
        int(bool(table.represents[row]) and start <= peak < end),
        metadata.op_name,
        "" if source is None else source.text(),
    ]


def _cell(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = visible(value)
    return f"'{text}" if text.startswith(_FORMULA) else text
