"""XLA's own live ranges, in a file of their own or at the end of an older buffer assignment."""

from __future__ import annotations

import time

import pytest

from tensorboard_plugin_memviewer.formats.live_range_text import parse_live_ranges
from tests.formats.hlo_texts import ASSIGNMENT, LIVE_RANGES


@pytest.mark.parametrize("text", [LIVE_RANGES, ASSIGNMENT + "\n" + LIVE_RANGES])
def test_order_and_ranges(text: str) -> None:
    found = parse_live_ranges(text)
    assert found is not None
    assert (len(found.sequence), found.sequence[9]) == (17, "work")
    assert found.ranges["loop", (0,)] == (11, 14)
    assert len(found.ranges) == 4


@pytest.mark.parametrize(
    "text",
    ["", ASSIGNMENT, "HloLiveRange (max 1):\n", LIVE_RANGES.replace("    4:g2\n", "")],
    ids=["nothing", "no section", "no order", "a point is missing"],
)
def test_what_holds_no_order(text: str) -> None:
    assert parse_live_ranges(text) is None


def test_hostile_lines_take_bounded_time() -> None:
    began = time.process_time()
    lines = ["    " + "x{" * 50_000, "    " + "0:" * 50_000, "    x{" + "1," * 50_000]
    for section in ("InstructionSequence", "BufferLiveRange"):
        parse_live_ranges(f"HloLiveRange (max 1):\n  {section}:\n" + "\n".join(lines))
    assert time.process_time() - began < 2
