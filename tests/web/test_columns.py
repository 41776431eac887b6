"""Columns of integers on their way to a browser: exact, and a small chart that hides no peak."""

from __future__ import annotations

import numpy as np
import pytest

from tensorboard_plugin_memviewer.wire.columns import column
from tensorboard_plugin_memviewer.wire.headline import curve


@pytest.mark.parametrize("sign", [1, -1])
def test_integers_that_a_browser_cannot_hold_are_text(sign: int) -> None:
    assert column([0, sign * (2**53 - 1)]) == [0, sign * (2**53 - 1)]
    assert column([0, sign * 2**53]) == ["0", str(sign * 2**53)]


def test_a_small_curve_has_every_step_where_they_are_few() -> None:
    small = curve(np.array([5, 5, 9, 9, 9, 1]), most=3)
    assert small == {"points": [0, 2, 5], "bytes": [5, 9, 1]}


def test_a_step_of_a_small_curve_is_the_largest_of_its_stretch() -> None:
    usage = np.arange(1000) % 10
    usage[[0, 137, 999]] = 100
    small = curve(usage, most=10)
    assert small["points"] == list(range(0, 1000, 100))
    assert small["bytes"] == [100, 100, 9, 9, 9, 9, 9, 9, 9, 100]
