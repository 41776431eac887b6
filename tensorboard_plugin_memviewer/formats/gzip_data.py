"""Gzip data, inflated up to a limit, for a few kilobytes may expand to gigabytes. Knows no content."""

from __future__ import annotations

import zlib

from tensorboard_plugin_memviewer.errors import Damaged
from tensorboard_plugin_memviewer.units import format_bytes

# A module of a real program is below 100 MB; what inflates beyond this is a bomb or not a module.
_MOST_OF_A_MODULE = 2 << 30


def plain(data: bytes, name: str) -> bytes:
    """The data of a module's file, decompressed where the file's name ends in `.gz`. Raises Damaged."""
    return inflated(data, _MOST_OF_A_MODULE) if name.endswith(".gz") else data


def inflated(data: bytes, most: int) -> bytes:
    """The content of one gzip stream. Raises Damaged: no gzip, cut short, or more than `most` bytes."""
    stream = zlib.decompressobj(wbits=31)
    try:
        content = stream.decompress(data, most)
    except zlib.error as error:
        raise Damaged(f"it is no gzip file ({error})", "Copy it again in binary mode.") from error
    if not stream.eof:
        is_cut = not stream.unconsumed_tail
        what = "is cut short" if is_cut else f"inflates to more than {format_bytes(most)}"
        advice = "Copy it again." if is_cut else "It cannot be what its name says: save or dump it again."
        raise Damaged(f"its gzip data {what}", advice)
    return content
