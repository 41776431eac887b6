"""Fuzzes the reader of captures, guided by coverage; run as a script, needs the package atheris.

    python tests/fuzz/fuzz_xspace.py -max_total_time=30 -max_len=65536 -rss_limit_mb=512 CORPUS

Whatever the bytes are: a partial answer whose programs lie in the file, or a typed error, soon.
"""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

import atheris  # type: ignore[import-not-found, import-untyped, unused-ignore]

sys.path.insert(0, str(Path(__file__).parents[2]))

with atheris.instrument_imports(include=["tensorboard_plugin_memviewer"]):
    from tensorboard_plugin_memviewer.errors import Damaged
    from tensorboard_plugin_memviewer.formats import xspace


class Reader:
    """A range reader that refuses ranges a file does not have."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.size = len(data)

    def read(self, start: int, end: int) -> bytes:
        """The bytes `start:end`."""
        assert 0 <= start <= end <= self.size, (start, end, self.size)
        return self.data[start:end]


def test_one_input(data: bytes) -> None:
    """Anything but a capture or Damaged is a crash."""
    with contextlib.suppress(Damaged):
        capture = xspace.scan(Reader(data), "fuzz.xplane.pb")
        for program in capture.programs:
            assert 0 <= program.start <= program.end <= len(data)
        assert capture.programs or capture.problems


if __name__ == "__main__":
    atheris.Setup(sys.argv, test_one_input)
    atheris.Fuzz()
