"""Our answer in XProf's place equals the answers that XProf 2.24.2 gave for every module of tests/data."""

from __future__ import annotations

import gzip
import json
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensorboard_plugin_memviewer.errors import Unsupported
from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module
from tensorboard_plugin_memviewer.model.module import Module
from tensorboard_plugin_memviewer.xprof_answer import xprof_answer
from tests.analysis.xprof_comparison import differences
from tests.analysis.xprof_odd_modules import ANSWERED, ONE_HEAP
from tests.build import module

DATA = Path(__file__).resolve().parent.parent / "data"
RECORDED = sorted((DATA / "xprof").glob("*.json.gz"))


@lru_cache(maxsize=2)
def _module(name: str) -> Module:
    return decode_module((DATA / "modules" / f"{name}.hlo_proto.pb").read_bytes())


def test_there_are_recorded_answers() -> None:
    assert len(RECORDED) == 203


@pytest.mark.parametrize("recorded", RECORDED, ids=lambda path: path.name.removesuffix(".json.gz"))
def test_equals_what_xprof_answered(recorded: Path) -> None:
    name, space = recorded.name.removesuffix(".json.gz").rsplit(".", 1)
    expected = json.loads(gzip.decompress(recorded.read_bytes()))
    assert differences(expected, xprof_answer(_module(name), int(space))) == []


_EVENTS = st.lists(
    st.sampled_from("abc").flatmap(
        lambda name: st.sampled_from([f"+{name}", f"-{name}", "~a=b", "~b=c", "~c=a", "~b=a", "+nobody"])
    ),
    min_size=1,
    max_size=12,
)


@given(_EVENTS)
@settings(deadline=None)
def test_any_trace_is_answered_or_refused(events: list[str]) -> None:
    built = module(ONE_HEAP + "trace: " + " ".join(events))
    with suppress(Unsupported):
        answer = xprof_answer(built, 0)
        if any("nobody" not in event for event in events):
            assert len(answer["heapSizes"]) == len(answer["hloInstructionNames"]) == len(events) + 1
            assert max(answer["heapSizes"]) == answer["peakHeapMib"]
            assert answer["heapSizes"][answer.get("peakHeapSizePosition", 0) + 1] == answer[
                "peakHeapMib"
            ] or (answer["heapSizes"][0] == answer["peakHeapMib"])


def test_largest_scoped_memory_of_any_instruction_is_named() -> None:
    answer = xprof_answer(module(ANSWERED["scoped memory"]), 1)
    assert answer["maxScopedVmemInstructionName"] == "f"
    assert answer["maxScopedVmemAllocationMib"] == 8192 / 2**20
    assert "maxScopedVmemInstructionName" not in xprof_answer(module(ANSWERED["scoped memory"]), 0)
