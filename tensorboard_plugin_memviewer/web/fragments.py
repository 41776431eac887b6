"""JSON objects put together from parts that are compressed once.

Most of a large answer is the same for every memory space of a module. A raw deflate stream that ends in a
full flush can be followed by another: parts are compressed on their own, and the whole is one ordinary gzip
stream (RFC 1951, 1952).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tensorboard_plugin_memviewer.web.responses import GZIP_LEVEL, json_bytes

_GZIP_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
# An empty final block: ends what full flushes have left open.
_END = b"\x03\x00"


@dataclass(frozen=True, slots=True)
class Fragment:
    """The fields of a JSON object without its braces, as text and deflated up to a full flush."""

    text: bytes
    deflated: bytes

    @property
    def size_bytes(self) -> int:
        """Memory that it takes in a cache."""
        return len(self.text) + len(self.deflated) + 200


def fragment(fields: dict[str, Any]) -> Fragment:
    """The fields, compressed. At least one must be there."""
    return raw_fragment(json_bytes(fields)[1:-1])


def raw_fragment(text: bytes) -> Fragment:
    """A piece of JSON text, compressed."""
    compressor = zlib.compressobj(GZIP_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return Fragment(text, compressor.compress(text) + compressor.flush(zlib.Z_FULL_FLUSH))


_OPEN, _COMMA, _CLOSE = raw_fragment(b"{"), raw_fragment(b","), raw_fragment(b"}")


def joined(parts: Sequence[Fragment]) -> bytes:
    """The gzip stream of the JSON object that has the fields of all parts."""
    pieces = [_OPEN]
    for part in parts:
        pieces += [part, _COMMA]
    pieces[-1] = _CLOSE
    checksum = length = 0
    for piece in pieces:
        checksum = zlib.crc32(piece.text, checksum)
        length += len(piece.text)
    body = b"".join(piece.deflated for piece in pieces)
    return _GZIP_HEADER + body + _END + struct.pack("<II", checksum, length & 0xFFFF_FFFF)
