"""Printed sizes are rounded: what was printed lies between the ends."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tensorboard_plugin_memviewer.formats.printed_bytes import printed_amount
from tests.formats.oom_texts import KIB, MIB


def printed(count: int) -> str:
    """As XLA's printer writes `count` bytes: integer divisions, then one or two decimals."""
    if count < KIB:
        return f"{count}B"
    unit = 0
    while count >= MIB:
        count //= KIB
        unit += 1
    return f"{count / 1024:.1f}K" if unit == 0 else f"{count / 1024:.2f}{'KMGTPE'[unit]}"


@given(st.integers(min_value=0, max_value=2**62))
def test_a_printed_figure_admits_the_value_it_was_printed_from(count: int) -> None:
    amount = printed_amount(printed(count))
    assert amount is not None
    assert amount.admits(count)
    assert amount.low <= amount.bytes <= amount.high


@given(st.integers(min_value=0, max_value=2**50), st.integers(min_value=0, max_value=2**50))
def test_a_difference_of_printed_figures_admits_the_true_difference(first: int, second: int) -> None:
    larger, smaller = printed_amount(printed(max(first, second))), printed_amount(printed(min(first, second)))
    assert larger is not None
    assert smaller is not None
    assert (larger - smaller).admits(abs(first - second))
