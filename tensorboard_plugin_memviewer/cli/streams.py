"""stdout and stderr that fail with a typed error, on a full disk or a lost network drive."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, TextIO, cast

from tensorboard_plugin_memviewer.errors import MemviewerError
from tensorboard_plugin_memviewer.units import MINUS


class Unwritable(MemviewerError):
    """The output goes where nothing can be written."""

    code = "unwritable"

    def __init__(self, error: OSError) -> None:
        reason = error.strerror or type(error).__name__
        super().__init__(
            f"the output cannot be written: {reason}", "Free some space there, or write it elsewhere."
        )


def _escaped(error: UnicodeError) -> tuple[str | bytes, int]:
    """Python's backslashreplace, but for the sign of negative numbers, which ASCII has too."""
    if isinstance(error, UnicodeEncodeError) and error.object[error.start] == MINUS:
        return "-", error.start + 1
    return codecs.backslashreplace_errors(error)


_ESCAPES: Final = "memviewer_escapes"
codecs.register_error(_ESCAPES, _escaped)


@contextmanager
def guarded_streams() -> Iterator[None]:
    """Within it a failing stream raises Unwritable, or BrokenPipeError where its reader has seen enough."""
    before = sys.stdout, sys.stderr
    # Without a stream, which the caller may have closed, print would write to the other one.
    sys.stdout, sys.stderr = (cast("TextIO", _Guarded(_opened(stream))) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


@contextmanager
def until_closed() -> Iterator[None]:
    """Output whose reader may stop early (head, less), which changes nothing about a command's exit code."""
    with suppress(BrokenPipeError):
        yield


def write_bytes(data: bytes) -> None:
    """Write to stdout as it is. Raises Unwritable, BrokenPipeError."""
    sys.stdout.flush()
    cast("_Guarded", sys.stdout).write_bytes(data)


class _Guarded:
    """A text stream whose failures are typed; after the first one it takes everything and keeps nothing."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        if hasattr(stream, "reconfigure"):
            # Names in a capture are in any script; a terminal that cannot show one shows its escape.
            stream.reconfigure(errors=_ESCAPES)

    def write(self, text: str) -> int:
        with self._failing():
            return self._stream.write(text)

    def write_bytes(self, data: bytes) -> None:
        with self._failing():
            self._stream.buffer.write(data)
            self._stream.buffer.flush()

    def flush(self) -> None:
        with self._failing():
            self._stream.flush()

    @contextmanager
    def _failing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            _hush(self._stream)
            if isinstance(error, BrokenPipeError):
                raise
            raise Unwritable(error) from error

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _opened(stream: TextIO | None) -> TextIO:
    return open(os.devnull, "w", encoding="utf-8") if stream is None else stream  # noqa: PTH123


def _hush(stream: TextIO) -> None:
    """Let what is left for a stream vanish: Python flushes it once more when it ends."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
