"""Fuzzes the reader of Riegeli records, guided by coverage; run as a script, needs the package atheris.

    python tests/fuzz/fuzz_riegeli.py -max_total_time=30 -max_len=65536 -rss_limit_mb=512 CORPUS

Whatever the bytes are: as many bytes as were asked for, or a typed error.
"""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

import atheris  # type: ignore[import-not-found, import-untyped, unused-ignore]

sys.path.insert(0, str(Path(__file__).parents[2]))

with atheris.instrument_imports(include=["tensorboard_plugin_memviewer"]):
    from tensorboard_plugin_memviewer.errors import Damaged, Unsupported
    from tensorboard_plugin_memviewer.formats import xspace
    from tensorboard_plugin_memviewer.formats.riegeli import Records


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
    """Anything but bytes of the length asked for, or a typed error, is a crash."""
    with contextlib.suppress(Damaged, Unsupported):
        records = Records(Reader(data), "fuzz.xplane.riegeli")
        end = min(records.size, 1 << 20)
        assert len(records.read(0, end)) == end
        assert len(records.read(end // 3, end // 2)) == end // 2 - end // 3
        xspace.scan(records)


if __name__ == "__main__":
    atheris.Setup(sys.argv, test_one_input)
    atheris.Fuzz()
