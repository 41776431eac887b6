"""Fuzzes the reader of programs and all that is worked out of one, guided by coverage; needs atheris.

    python tests/fuzz/fuzz_hlo.py -max_total_time=30 -max_len=65536 -rss_limit_mb=512 -timeout=5 CORPUS

Whatever the bytes are: a module with every answer about it, or a typed error, soon.
"""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

import atheris  # type: ignore[import-not-found, import-untyped, unused-ignore]

sys.path.insert(0, str(Path(__file__).parents[2]))

with atheris.instrument_imports(include=["tensorboard_plugin_memviewer"]):
    from tensorboard_plugin_memviewer.analysis.capacity import Capacity
    from tensorboard_plugin_memviewer.analysis.findings import find_findings
    from tensorboard_plugin_memviewer.analysis.grouping.table import GROUPINGS
    from tensorboard_plugin_memviewer.analysis.live_set import breakdown
    from tensorboard_plugin_memviewer.errors import MemviewerError
    from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module
    from tensorboard_plugin_memviewer.service.loaded import LoadedModule
    from tensorboard_plugin_memviewer.web.responses import json_bytes
    from tensorboard_plugin_memviewer.wire.buffer import buffer_answer
    from tensorboard_plugin_memviewer.wire.findings import findings_answer
    from tensorboard_plugin_memviewer.wire.module_payload import module_payload
    from tensorboard_plugin_memviewer.wire.names import module_names
    from tensorboard_plugin_memviewer.wire.subject import Subject
    from tensorboard_plugin_memviewer.wire.usage_payload import usage_payload
    from tensorboard_plugin_memviewer.xprof_answer import xprof_answer


def test_one_input(data: bytes) -> None:
    """Anything but every answer or a typed error is a crash."""
    with contextlib.suppress(MemviewerError):
        loaded = LoadedModule(decode_module(data), "fuzz")
        shared = module_payload(loaded.plan)
        json_bytes(shared.fields)
        for space in loaded.plan.spaces:
            _answers_about(loaded, space)
            json_bytes(usage_payload(loaded.plan, loaded.usage(space), loaded.readers, shared))
        json_bytes(xprof_answer(loaded.module, 0))


def _answers_about(loaded: LoadedModule, space: int) -> None:
    usage = loaded.usage(space)
    headline = usage.headline
    assert headline.peak_bytes >= 0 and headline.temporary_peak_bytes <= headline.temporary_bytes, headline
    assert (usage.unpadded <= usage.usage).all() and (usage.unpadded >= 0).all()
    for by in GROUPINGS:
        groups = breakdown(usage, loaded.grouping(space, by), headline.peak_point)
        assert sum(g.bytes for g in groups.groups) - groups.shared_bytes + groups.scoped_bytes == (
            groups.usage_bytes
        )
    subject = Subject(module_names("", None, "fuzz", "fuzz", None), loaded, usage, Capacity(1 << 30, "fuzz"))
    found = find_findings(loaded.plan, usage, loaded.readers, subject.capacity)
    json_bytes(findings_answer(subject, found))
    for buffer in usage.buffers.buffer[:4].tolist():
        if buffer >= 0:
            id_text = str(int(loaded.module.buffers.ids[buffer]))
            json_bytes(buffer_answer(subject, id_text))


if __name__ == "__main__":
    atheris.Setup(sys.argv, test_one_input)
    atheris.Fuzz()
