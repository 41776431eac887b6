"""Fuzzes the reader of out-of-memory errors, guided by coverage; run as a script, needs the package atheris.

    python tests/fuzz/fuzz_oom_text.py -max_total_time=30 -max_len=65536 -rss_limit_mb=512 -timeout=5 CORPUS

Whatever the text is: a report, or None where it is none, soon.
"""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

import atheris  # type: ignore[import-not-found, import-untyped, unused-ignore]

sys.path.insert(0, str(Path(__file__).parents[2]))

with atheris.instrument_imports(include=["tensorboard_plugin_memviewer"]):
    from tensorboard_plugin_memviewer.errors import MemviewerError
    from tensorboard_plugin_memviewer.formats.oom_text import parse_oom


def test_one_input(data: bytes) -> None:
    """Anything but a report, None or a typed error is a crash."""
    with contextlib.suppress(MemviewerError):
        repr(parse_oom(data.decode(errors="replace")))


if __name__ == "__main__":
    atheris.Setup(sys.argv, test_one_input)
    atheris.Fuzz()
