"""Writes Riegeli files for tests, from the format's description and by another way than the reader's.

Positions are found by laying out one byte after the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tensorboard_plugin_memviewer.formats.highway_hash import riegeli_hash
from tools.wire_writer import varint

BLOCK, BLOCK_HEADER = 1 << 16, 24
SIGNATURE = bytes.fromhex(
    "83af70d10d884a3f0000000000000000400000000000000091bac23c9287e1a9"
    "0000000000000000e19f13c0e9b1c37273000000000000000000000000000000"
)


def chunk(
    kind: str, data: bytes, records: int = 0, size: int = 0, is_hashed: bool = True
) -> tuple[bytes, int]:
    """A chunk's bytes without blocks' headers, and its number of records."""
    data_hash = riegeli_hash(data).to_bytes(8, "little") if is_hashed else bytes(8)
    header = len(data).to_bytes(8, "little") + data_hash + kind.encode()
    header += records.to_bytes(7, "little") + size.to_bytes(8, "little")
    header_hash = riegeli_hash(header).to_bytes(8, "little") if is_hashed else bytes(8)
    return header_hash + header + data, records


def simple(
    records: Iterable[bytes], brotli: Any = None, size: int | None = None, is_hashed: bool = True
) -> tuple[bytes, int]:
    """A simple chunk, compressed where a brotli module is given."""
    records = list(records)
    sizes, values = b"".join(varint(len(record)) for record in records), b"".join(records)
    if brotli is not None:
        sizes, values = (varint(len(part)) + brotli.compress(part, quality=4) for part in (sizes, values))
    data = (b"b" if brotli is not None else b"\0") + varint(len(sizes)) + sizes + values
    return chunk("r", data, len(records), sum(map(len, records)) if size is None else size, is_hashed)


def file_of(*chunks: tuple[bytes, int]) -> bytes:
    """A file: each byte goes behind the header of its block where it is the block's first."""
    out = bytearray(SIGNATURE)
    for data, records in chunks:
        begin = len(out)
        for start in range(len(data)):
            if len(out) % BLOCK == 0:
                out += bytes(BLOCK_HEADER)
            out.append(data[start])
        while len(out) < begin + records or 0 < len(out) % BLOCK <= BLOCK_HEADER:
            if len(out) % BLOCK == 0:
                out += bytes(BLOCK_HEADER)
            out.append(0)
        for block in range(-(-begin // BLOCK) * BLOCK, len(out), BLOCK):
            out[block : block + BLOCK_HEADER] = block_header(block - begin, len(out) - block)
    return bytes(out)


def block_header(behind: int, left: int) -> bytes:
    """What stands at a block's start: how far the chunk around it began before it, and goes on from it."""
    header = behind.to_bytes(8, "little") + left.to_bytes(8, "little")
    return riegeli_hash(header).to_bytes(8, "little") + header
