"""Hops over the protobuf wire format of a file that is read by ranges, so that gigabytes cost a few reads.

Where `wire` walks bytes that are already in memory, this reads a small window at each field header and steps
over the payload unread. The window doubles while fields follow one another closely and falls back after each
long jump, so that a run of small fields takes few reads and a run of big ones takes few bytes. Knows no
schema and opens no file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from tensorboard_plugin_memviewer.errors import Damaged
from tensorboard_plugin_memviewer.formats import wire

_SMALLEST_WINDOW = 4096
_LARGEST_WINDOW = 1 << 20
# Two varints of at most ten bytes: a tag and a length or value.
_LONGEST_HEADER = 20


class RangeReader(Protocol):
    """A file of `size` bytes; `read(start, end)` gives exactly the bytes of that half-open range."""

    @property
    def size(self) -> int:
        """Bytes in all."""
        ...

    def read(self, start: int, end: int) -> bytes:
        """The bytes `start:end`."""
        ...


class Hopper:
    """Walks messages of one file; give it up after `budget` fields, so that a hostile file costs bounded
    time.

    `missing_bytes` tells, once met, how many bytes the file is short of what its lengths claim.
    """

    def __init__(self, reader: RangeReader, budget: int) -> None:
        self.missing_bytes = 0
        self._reader = reader
        self.size = reader.size
        self._budget = budget
        self._base = 0
        self._window = b""
        self._width = _SMALLEST_WINDOW

    @property
    def is_spent(self) -> bool:
        """Whether the budget is used up, so that nothing more can be walked."""
        return self._budget < 0

    def fields(self, start: int, end: int) -> Iterator[wire.Field]:
        """As `wire.fields`, with positions in the file. Walks may be nested and abandoned.

        A payload cut off by the end of the file is given as far as it goes, as the last field, and
        `missing_bytes` is set. Raises Damaged where the bytes cannot be the wire format, or when the budget
        is spent.
        """
        position = start
        while position < end:
            number, kind, a, b = self._field(position, end)
            if b > end:
                self._cut(position, b, end)
                b = end
            if kind == wire.VARINT or a <= b:
                yield number, kind, a, b
            position = b

    def bytes(self, start: int, end: int) -> bytes:
        """The payload `start:end`, from the window where it lies there."""
        if end - start > _LARGEST_WINDOW:
            return self._reader.read(start, end)
        at = self._ensure(start, end - start)
        return self._window[at : at + end - start]

    def text(self, start: int, end: int, longest: int) -> str:
        """The string `start:end`, cut to `longest` bytes. Long texts spend the budget too."""
        self._budget -= (end - start) // 64
        value = self.bytes(start, min(end, start + longest))
        return value.decode("utf-8", errors="replace")

    def _field(self, position: int, end: int) -> wire.Field:
        """The field at `position`, whose payload may claim to run past `end`."""
        self._budget -= 1
        if self._budget < 0:
            raise Damaged(
                f"too many fields: gave up at byte {position}",
                "This does not look like a capture of a real program; capture it again.",
            )
        header = min(_LONGEST_HEADER, end - position)
        at = self._ensure(position, header)
        window, stop = self._window, at + header
        try:
            tag = window[at]
            if tag < 0x80:
                at += 1
            else:
                tag, at = wire.varint(window, at, stop)
            number, kind = tag >> 3, tag & 7
            value = 0
            if kind in (wire.BYTES, wire.VARINT):
                value, at = wire.varint(window, at, stop)
        except Damaged as error:
            return self._unreadable_header(position, end, error)
        if not 0 < number <= wire.LARGEST_FIELD_NUMBER:
            raise wire.damaged(position, f"field number {number} cannot be")
        after = self._base + at
        if kind == wire.BYTES:
            return number, kind, after, after + value
        if kind == wire.VARINT:
            return number, kind, value, after
        if kind in (wire.FIXED64, wire.FIXED32):
            return number, kind, after, after + (8 if kind == wire.FIXED64 else 4)
        raise wire.damaged(position, f"wire type {kind} cannot be here")

    def _unreadable_header(self, position: int, end: int, error: Damaged) -> wire.Field:
        """A header that the end of the file cuts is a field without payload; any other is damage."""
        if end == self.size and end - position < _LONGEST_HEADER:
            return 1, wire.BYTES, end + 1, end + 1
        raise wire.damaged(position, "an integer cannot be read") from error

    def _cut(self, position: int, claimed: int, end: int) -> None:
        if end != self.size:
            raise wire.damaged(position, f"a field claims {claimed - end} bytes more than its message has")
        self.missing_bytes = max(self.missing_bytes, claimed - end)

    def _ensure(self, position: int, length: int) -> int:
        """Index in the window of `position`, after making sure that `length` bytes from there are in it."""
        at = position - self._base
        have = len(self._window)
        if at >= 0 and at + length <= have:
            return at
        follows = 0 <= at <= have + self._width
        self._width = min(self._width * 2, _LARGEST_WINDOW) if follows else _SMALLEST_WINDOW
        self._base = position
        self._window = self._reader.read(position, min(self.size, position + max(length, self._width)))
        return 0
