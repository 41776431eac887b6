"""The values of one chunk of records, by range: as they stand, or unpacked as a stream of which a window is
kept.

Unpacking is bounded by what is asked for, never by what the packed bytes expand to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from tensorboard_plugin_memviewer.errors import Damaged, Unsupported

_PIECE = 1 << 20
_KEPT = 1 << 17

Data = Callable[[int, int], bytes]


class Values(Protocol):
    """Bytes by range."""

    def read(self, start: int, end: int) -> bytes:
        """The values' bytes `start:end`. Raises Damaged, Unsupported."""
        ...


class PlainValues:
    """Values that stand in the data from `start` as they are."""

    def __init__(self, data: Data, start: int) -> None:
        self._data = data
        self._start = start

    def read(self, start: int, end: int) -> bytes:
        """The bytes `start:end`."""
        return self._data(self._start + start, self._start + end)


class BrotliValues:
    """Values compressed with Brotli in the data's bytes `start:end`. Raises Unsupported without brotli."""

    def __init__(self, data: Data, start: int, end: int) -> None:
        self._data = data
        self._start = start
        self._end = end
        self._brotli = _brotli()
        self._restart()

    def read(self, start: int, end: int) -> bytes:
        """The bytes `start:end`; forward it costs what lies between, backward everything."""
        if start < self._base:
            self._restart()
        while self._base + len(self._window) < end:
            self._window += self._next_piece()
            past = min(start - self._base, len(self._window)) - _KEPT
            if past > 0:
                del self._window[:past]
                self._base += past
        return bytes(self._window[start - self._base : end - self._base])

    def _restart(self) -> None:
        self._stream: Any = self._brotli.Decompressor()
        self._position = self._start
        self._base = 0
        self._window = bytearray()

    def _next_piece(self) -> bytes:
        """At least one more byte."""
        try:
            while True:
                packed = b""
                # Once it is broken, a stream raises even when it is only asked.
                if self._stream.can_accept_more_data():
                    packed = self._data(self._position, min(self._position + _PIECE, self._end))
                    self._position += len(packed)
                is_over = not packed and self._stream.can_accept_more_data()
                piece: bytes = self._stream.process(packed, output_buffer_limit=_PIECE)
                if piece:
                    return piece
                if is_over:
                    raise _damaged("unpacks to less than its stated size")
        except self._brotli.error as error:
            raise _damaged("does not unpack") from error


def _brotli() -> Any:
    advice = "Install the Python package brotli, 1.2 or newer: pip install 'brotli>=1.2'."
    try:
        import brotli  # noqa: PLC0415 - an optional package
    except ImportError as error:
        raise Unsupported(
            "this capture is compressed with Brotli, which Python does not include", advice
        ) from error
    if not hasattr(brotli.Decompressor, "can_accept_more_data"):
        raise Unsupported("the installed brotli cannot unpack in bounded memory", advice)
    return brotli


def _damaged(what: str) -> Damaged:
    return Damaged(f"a compressed chunk of records {what}", "Copy the file again, or capture it again.")
