"""What compares costs tells one loop from a loop within a loop."""

from __future__ import annotations

from tests.cost import grows_in_proportion


def test_one_loop_grows_in_proportion() -> None:
    assert grows_in_proportion(lambda times: [number + 1 for number in range(200_000 * times)])


def test_a_loop_within_a_loop_does_not() -> None:
    assert not grows_in_proportion(lambda times: [0 for _ in range(300 * times) for _ in range(300 * times)])
