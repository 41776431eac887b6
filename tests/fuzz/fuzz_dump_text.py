"""Fuzzes the reader of XLA's text reports, guided by coverage; run as a script, needs the package atheris.

    python tests/fuzz/fuzz_dump_text.py -max_total_time=30 -max_len=65536 -rss_limit_mb=512 -timeout=5 CORPUS

Whatever the text is: a module whose usage can be worked out, or a typed error, soon.
"""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

import atheris  # type: ignore[import-not-found, import-untyped, unused-ignore]

sys.path.insert(0, str(Path(__file__).parents[2]))

with atheris.instrument_imports(include=["tensorboard_plugin_memviewer"]):
    from tensorboard_plugin_memviewer.errors import MemviewerError
    from tensorboard_plugin_memviewer.formats.text_module import decode_text_module
    from tensorboard_plugin_memviewer.formats.usage_report import checked_against_report
    from tensorboard_plugin_memviewer.service.loaded import LoadedModule
    from tensorboard_plugin_memviewer.web.responses import json_bytes
    from tensorboard_plugin_memviewer.wire.module_payload import module_payload
    from tensorboard_plugin_memviewer.wire.usage_payload import usage_payload


def test_one_input(data: bytes) -> None:
    """Anything but a module with its usage, or a typed error, is a crash."""
    text = data.decode(errors="replace")
    with contextlib.suppress(MemviewerError):
        loaded = LoadedModule(checked_against_report(decode_text_module(text, "fuzz"), text), "fuzz")
        shared = module_payload(loaded.plan)
        for space in loaded.plan.spaces:
            json_bytes(usage_payload(loaded.plan, loaded.usage(space), loaded.readers, shared))


if __name__ == "__main__":
    atheris.Setup(sys.argv, test_one_input)
    atheris.Fuzz()
