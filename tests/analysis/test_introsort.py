"""The order of equal keys is libstdc++'s: recorded from std::sort of GCC 12."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_plugin_memviewer.xprof_answer.introsort import sorted_as_std_sort


def _hard_for_median_of_three(count: int) -> list[int]:
    """Keys, each twice, that quicksort splits so badly that what is left goes to heapsort."""
    half = count // 2
    first = [place if place % 2 else half + place - 1 for place in range(1, half + 1)]
    return [key // 2 for key in [*first, *range(2, count + 2, 2)]]


SHORT = """
    15 3 6 12 0 9 8 16 14 13 11 10 7 5 4 2 1
"""
SPLIT = """
    10 20 25 15 30 35 5 0 33 8 28 13 3 38 23 18 31 1 36 26 21 6 16 11 39 19 4 34 9 29 14 24 12 27 32 7
    17 37 2 22
"""
HEAPSORTED = """
    0 50 2 51 4 52 6 53 8 54 10 55 12 56 14 57 16 18 58 20 59 60 22 61 24 62 26 28 63 30 64 65 32 66 34
    36 67 68 38 69 40 70 42 71 44 72 46 73 48 1 74 75 3 5 76 7 77 9 78 79 11 80 13 81 15 82 17 83 19 84
    21 23 85 25 86 87 27 29 88 31 89 33 90 35 91 37 92 93 39 41 94 43 95 96 45 97 47 49 98 99
"""


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ([n * n % 3 for n in range(17)], SHORT),
        ([n * 7 % 5 for n in range(40)], SPLIT),
        (_hard_for_median_of_three(100), HEAPSORTED),
    ],
    ids=["one split", "splits", "heapsort"],
)
def test_equal_keys(keys: list[int], expected: str) -> None:
    assert sorted_as_std_sort(keys) == [int(position) for position in expected.split()]


@given(st.lists(st.integers(0, 9), max_size=300))
def test_sorts(keys: list[int]) -> None:
    order = sorted_as_std_sort(keys)
    assert sorted(order) == list(range(len(keys)))
    assert [keys[position] for position in order] == sorted(keys)


@given(st.lists(st.integers(0, 9), max_size=16))
def test_few_keys_keep_the_order_of_equals(keys: list[int]) -> None:
    assert sorted_as_std_sort(keys) == sorted(range(len(keys)), key=keys.__getitem__)
