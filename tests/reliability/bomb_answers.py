"""Every answer about the bytes of one program, in this process; prints the peak of its memory in bytes."""

from __future__ import annotations

import resource
import sys

from tensorboard_plugin_memviewer.analysis.capacity import Capacity
from tensorboard_plugin_memviewer.analysis.findings import find_findings
from tensorboard_plugin_memviewer.analysis.grouping.table import GROUPINGS
from tensorboard_plugin_memviewer.analysis.live_set import breakdown
from tensorboard_plugin_memviewer.errors import MemviewerError
from tensorboard_plugin_memviewer.export import as_csv, as_svg
from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module
from tensorboard_plugin_memviewer.service.loaded import LoadedModule
from tensorboard_plugin_memviewer.web.responses import json_bytes
from tensorboard_plugin_memviewer.wire.findings import finding_record
from tensorboard_plugin_memviewer.wire.module_payload import module_payload
from tensorboard_plugin_memviewer.wire.usage_payload import usage_payload
from tensorboard_plugin_memviewer.xprof_answer import xprof_answer


def answers(data: bytes) -> None:
    """Raises what is no typed error."""
    try:
        _all_answers(LoadedModule(decode_module(data), "bomb"))
    except MemviewerError as error:
        if not (error.message and error.advice and len(error.message) < 2000):
            raise
    unit = 1 if sys.platform == "darwin" else 1024
    sys.stdout.write(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit))


def _all_answers(loaded: LoadedModule) -> None:
    shared = module_payload(loaded.plan)
    json_bytes(shared.fields)
    for space in loaded.plan.spaces:
        usage = loaded.usage(space)
        json_bytes(usage_payload(loaded.plan, usage, loaded.readers, shared))
        for by in GROUPINGS:
            breakdown(usage, loaded.grouping(space, by), usage.headline.peak_point)
        found = find_findings(loaded.plan, usage, loaded.readers, Capacity(1 << 30, "test"))
        json_bytes([finding_record(one) for one in found])
        as_csv(loaded, usage)
        as_svg(loaded.plan, usage, "bomb")
    json_bytes(xprof_answer(loaded.module, 0))
