"""Data as gzip or xz, unpacked up to a limit, for a few kilobytes may expand to gigabytes. Knows no content.

Both formats allow several streams one behind the other, and their content is that of all of them: `cat a.gz
b.gz`, bgzip and parallel compressors write such files.
"""

from __future__ import annotations

import re
import zlib
from typing import Any

from tensorboard_plugin_memviewer.errors import Damaged, Unsupported
from tensorboard_plugin_memviewer.units import format_bytes

_PIECE = 1 << 16
# Each stream costs a piece, however small it is: bgzip writes one for every 64 KiB of content.
_MOST_STREAMS = 100_000
# `xz -9` needs 65 MiB to unpack; a header can ask for 4 GiB.
_MOST_MEMORY = 256 << 20
# A module of a real program is below 100 MB; what expands beyond this is a bomb or not a module.
_MOST_OF_A_MODULE = 2 << 30
_PADDING = re.compile(rb"\0+")


def plain(data: bytes) -> bytes:
    """The data of a module's file, unpacked where it is packed. Raises Damaged."""
    return unpacked(data, _MOST_OF_A_MODULE)


def is_packed(head: bytes) -> bool:
    """Whether data that begins so is gzip or xz. No protocol buffer, JSON or text that is read here does."""
    return _name(head) is not None


def unpacked(data: bytes, most: int) -> bytes:
    """The content of gzip or xz data; other data as it is.

    Raises Damaged where it is cut short, altered, or more than `most` bytes.
    """
    name = _name(data)
    if name is None:
        return data
    pieces: list[bytes] = []
    position, left = 0, most
    for _ in range(_MOST_STREAMS):
        content, position = _next_stream(name, data, position, left)
        pieces.append(content)
        left -= len(content)
        if left < 0:
            what = f"its {name} data expands to more than {format_bytes(most)}"
            raise Damaged(what, "It is not what its name claims: save or dump it again.")
        if position == len(data):
            return pieces[0] if len(pieces) == 1 else b"".join(pieces)
    raise Damaged(f"its {name} data has more than {_MOST_STREAMS} streams", "Compress it again.")


def unpacked_head(data: bytes, most: int) -> bytes:
    """The first `most` bytes of the content, or as many as the beginning of a file gives."""
    name = _name(data)
    if name is None:
        return data[:most]
    stream, broken = _open(name)
    try:
        return bytes(stream.decompress(data, most))
    except broken:
        return b""


def _name(head: bytes) -> str | None:
    if head.startswith(b"\x1f\x8b"):
        return "gzip"
    return "xz" if head.startswith(b"\xfd7zXZ\0") else None


def _open(name: str) -> tuple[Any, type[Exception]]:
    """A decompressor, and what it raises."""
    if name == "gzip":
        return zlib.decompressobj(wbits=31), zlib.error
    try:
        # Takes longer to load than a capture takes to scan.
        import lzma  # noqa: PLC0415
    except ImportError as error:
        raise Unsupported(
            "it is xz data, and this Python was built without lzma", "Unpack it: xz -d."
        ) from error
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MOST_MEMORY), lzma.LZMAError


def _next_stream(name: str, data: bytes, position: int, most: int) -> tuple[bytes, int]:
    """The content of the stream at `position`, up to a byte more than `most`, and where the next begins."""
    stream, broken = _open(name)
    pieces: list[bytes] = []
    left = most
    while not stream.eof and left >= 0:
        packed = data[position : position + _PIECE]
        position += len(packed)
        try:
            # The byte more tells that there is more; for zlib 0 would be no limit.
            piece = stream.decompress(packed, left + 1)
        except broken as error:
            raise Damaged(f"its {name} data is damaged ({error})", "Copy it again in binary mode.") from error
        left -= len(piece)
        if not packed and not stream.eof:
            raise Damaged(f"its {name} data is cut short", "Copy it again.")
        pieces.append(piece)
    return b"".join(pieces), _after_padding(data, position - len(stream.unused_data))


def _after_padding(data: bytes, position: int) -> int:
    """Both formats allow zeros behind a stream, which tapes and block devices leave."""
    if data[position : position + 1] != b"\0":
        return position
    padding = _PADDING.match(data, position)
    return position if padding is None else padding.end()
