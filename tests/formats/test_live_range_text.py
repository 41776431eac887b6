"""XLA's own live ranges, in a file of their own or at the end of an older buffer assignment."""

from __future__ import annotations

import pytest

from tensorboard_plugin_memviewer.formats.live_range_text import parse_live_ranges
from tests.cost import grows_in_proportion
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


@pytest.mark.parametrize("piece", ["x{", "0:", "1,"])
@pytest.mark.parametrize("section", ["InstructionSequence", "BufferLiveRange"])
def test_hostile_lines_cost_in_proportion(section: str, piece: str) -> None:
    def read(times: int) -> None:
        parse_live_ranges(f"HloLiveRange (max 1):\n  {section}:\n    x{{{piece * (6_000 * times)}")

    assert grows_in_proportion(read)
