"""The buffers of a memory space as CSV, which spreadsheets open: no cell is ever taken for a formula."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias, cast

import numpy as np

from tensorboard_plugin_memviewer.analysis.usage import SpaceUsage
from tensorboard_plugin_memviewer.service import LoadedModule
from tensorboard_plugin_memviewer.visible import visible
from tensorboard_plugin_memviewer.wire.buffer_record import buffer_record
from tensorboard_plugin_memviewer.wire.csv_columns import CSV_COLUMNS

Cell: TypeAlias = "str | int | bool | None"

# Spreadsheets take a cell that starts so for a formula, in full width and other forms too.
_FORMULA: Final = ("=", "+", "-", "@")


def as_csv(loaded: LoadedModule, usage: SpaceUsage) -> str:
    """The buffers of a memory space, a row each, in program order; columns as CSV_COLUMNS."""
    rows = np.nonzero(usage.buffers.represents)[0].tolist()
    cells = (_cells(loaded, usage, row) for row in rows)
    return csv_text(CSV_COLUMNS, ([one[name] for name in CSV_COLUMNS] for one in cells))


def csv_text(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Rows as CSV (RFC 4180, CRLF); None is empty, True "yes", False empty. The page writes the same."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return stream.getvalue()


def _cells(loaded: LoadedModule, usage: SpaceUsage, row: int) -> dict[str, Cell]:
    record, buffer = buffer_record(loaded.plan, usage, row), int(usage.buffers.buffer[row])
    return {
        **cast("dict[str, Cell]", record),
        "padding_bytes": record["bytes"] - record["unpadded_bytes"],
        "points": record["end"] - record["start"],
        "readers": len(loaded.readers.of(buffer)) if buffer >= 0 else 0,
    }


def _cell(value: Cell) -> str | int:
    if isinstance(value, bool):
        return "yes" if value else ""
    if not isinstance(value, str):
        return "" if value is None else value
    text = visible(value)
    return f"'{text}" if unicodedata.normalize("NFKC", text[:1]).startswith(_FORMULA) else text
