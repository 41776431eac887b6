"""What the terminal is: whether it shows color, how wide it is, and a line of progress while work is long.

Where the output is no terminal (a pipe, a file, CI) there is neither color nor progress, and nothing is
shortened.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Final, TextIO

from tensorboard_plugin_memviewer.cli.safe_text import shortened
from tensorboard_plugin_memviewer.visible import visible

_QUIET_S: Final = 0.4
_BETWEEN_S: Final = 0.1
_STYLES: Final = {"bold": "1", "red": "31", "green": "32", "yellow": "33"}


def styled(text: str, style: str, stream: TextIO | None = None) -> str:
    """`text` in a style ("bold", "red", "green", "yellow") where the stream (stdout) shows color."""
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if shows_color(stream or sys.stdout) else text


def shows_color(stream: TextIO) -> bool:
    """Only if it is a terminal, it is not dumb, and NO_COLOR is not set."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def width() -> int | None:
    """Columns of the terminal that stdout is; None where it is none."""
    return _columns() if sys.stdout.isatty() else None


class Progress:
    """A line of progress on stderr, on a terminal and for work that takes long."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._active = self._stream.isatty()
        self._next = time.monotonic() + _QUIET_S
        self._shown = False

    def at(self, done: int, total: int, what: str) -> None:
        """Say that `done` of `total` are done and `what` is next."""
        if not self._active or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _BETWEEN_S
        line = f"reading {done + 1} of {total}: {visible(what)}"
        columns = _columns()
        self._stream.write(f"\r\x1b[K{shortened(line, columns - 1)}")
        self._stream.flush()
        self._shown = True

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def _columns() -> int:
    # Only for terminals, so that a script's quick command need not load it.
    import shutil  # noqa: PLC0415

    return shutil.get_terminal_size().columns
