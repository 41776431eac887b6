"""The columns of the buffers as CSV: the page, the route `export` and the command line write the same file.

The page's list is generated from this one.
"""

from __future__ import annotations

from typing import Final

CSV_COLUMNS: Final = (
    "id",
    "instruction",
    "shape_index",
    "opcode",
    "op_name",
    "scope",
    "source",
    "shape",
    "dtype",
    "bytes",
    "unpadded_bytes",
    "padding_bytes",
    "type",
    "aliased",
    "allocation",
    "offset",
    "start",
    "end",
    "points",
    "known_by",
    "live_at_peak",
    "readers",
)
"""`aliased` and `live_at_peak` are "yes" or empty, `readers` is the number of program points that read the
buffer, `points` of those at which it is alive; the others are as in wire/buffer_record.py, sizes in bytes,
absent ones empty.
"""
