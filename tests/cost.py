"""How the cost of work grows with its input, which unlike its seconds is the same on every machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

_TIMES: Final = 8
# Eight times the input is eight times the work; a loop within the loop makes it sixty-four times.
_MOST: Final = 28
_TOO_SHORT_TO_MEASURE_S: Final = 0.02


def grows_in_proportion(work: Callable[[int], object]) -> bool:
    """Whether `work(8)`, with eight times the input of `work(1)`, costs about eight times as much.

    Counts the processor's time of this thread, the shortest of several tries: other programs add to both.
    """
    large = _cost(work, _TIMES)
    return large < _TOO_SHORT_TO_MEASURE_S or large < _MOST * max(
        _cost(work, 1), _TOO_SHORT_TO_MEASURE_S / _MOST
    )


def _cost(work: Callable[[int], object], times: int) -> float:
    costs = []
    for _ in range(3):
        began = time.thread_time()
        work(times)
        costs.append(time.thread_time() - began)
    return min(costs)
