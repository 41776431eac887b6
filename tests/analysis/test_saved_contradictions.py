"""A saved result whose numbers do not fit each other says so; none that XProf wrote does."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tensorboard_plugin_memviewer.analysis.saved.usage import saved_usage
from tensorboard_plugin_memviewer.formats.memory_viewer import decode_saved
from tests.conftest import ROOT

ANSWERS = sorted((ROOT / "tests" / "data" / "xprof").glob("*.json.gz"))


def said(answer: dict[str, Any]) -> list[str]:
    plan, _ = saved_usage(decode_saved(json.dumps(answer).encode()))
    return [problem.message for problem in plan.problems if problem.code == "contradiction"]


@pytest.fixture
def answer(data: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        gzip.decompress((data / "xprof" / "h100_tf_scan.0.json.gz").read_bytes())
    )
    assert said(found) == []
    return found


@pytest.mark.parametrize("path", ANSWERS, ids=[path.name for path in ANSWERS])
def test_no_real_answer_contradicts_itself(path: Path) -> None:
    assert said(json.loads(gzip.decompress(path.read_bytes()))) == []


@pytest.mark.parametrize("factor", [0.25, 2])
@pytest.mark.parametrize(
    ("field", "says"),
    [
        ("peakHeapMib", "its peak is"),
        ("peakUnpaddedHeapMib", "its peak without padding is"),
        ("totalBufferAllocationMib", "it allocates"),
        ("indefiniteBufferAllocationMib", "what lives throughout is"),
        ("entryComputationParametersMib", "its arguments are"),
    ],
)
def test_a_number_that_was_altered(answer: dict[str, Any], field: str, says: str, factor: float) -> None:
    answer[field] *= factor
    assert any(says in message for message in said(answer)), said(answer)


def test_a_peak_at_another_event(answer: dict[str, Any]) -> None:
    answer["peakHeapSizePosition"] -= 1
    assert "its peak is at another event than that of its curve" in said(answer)


def test_a_curve_cut_short(answer: dict[str, Any]) -> None:
    half = answer["peakHeapSizePosition"] + 2
    for curve in ("heapSizes", "unpaddedHeapSizes"):
        del answer[curve][half:]
    assert any(message.startswith("its curve begins with") for message in said(answer))


def test_a_peak_above_what_is_allocated(answer: dict[str, Any]) -> None:
    del answer["bufferBlocks"]
    answer["totalBufferAllocationMib"] = answer["indefiniteBufferAllocationMib"]
    assert any("it allocates only" in message for message in said(answer)), said(answer)


def test_a_buffer_outside_its_allocation(answer: dict[str, Any]) -> None:
    answer["bufferBlocks"][-1]["offset"] = 1e18
    assert "1 × a buffer lies outside its allocation" in said(answer)
