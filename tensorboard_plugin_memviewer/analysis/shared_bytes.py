"""Which bytes of a buffer are another's, so that what is left of all sizes adds up to usage.

Live buffers may share addresses. Each address counts for one buffer: the one that began first, and of those
that began together the one in the lower row. What a buffer shares with those before it can only shrink while
it lives, namely when one of them ends; so its shared bytes are found by adding those it met, the one that
ends last first, to a union. Knows nothing of modules; addresses are bytes within the allocation.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tensorboard_plugin_memviewer.analysis.occupancy import Occupancy
from tensorboard_plugin_memviewer.model.module import Ints, Rows

# More would take long to find and to send. (No real module seen has a hundredth of it.)
_MOST_MEETINGS = 200_000

Columns = tuple[Ints, Ints, Ints, Ints]
_Entry = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class SharedBytes:
    """At points `[start, end)` that many `bytes` of a row's size do not count for it: they count for an
    earlier row, or lie outside the allocation. Several stretches of a row at one point add up.
    """

    row: Ints | Rows
    start: Ints
    end: Ints
    bytes: Ints


def shared_bytes(row: Ints | Rows, size: Ints, spans: Columns, union: Occupancy) -> SharedBytes | None:
    """What the spans of one allocation share: start, end, low, high as `occupancy` took them for `union`.

    `row` and `size` are columns of the same length. None where too much is shared to be told.
    """
    start, end, low, high = spans
    if union.met is None or sum(map(len, union.met.values())) > _MOST_MEETINGS:
        return None
    found: list[_Entry] = []
    for span, others in union.met.items():
        found += _shared_with(span, others, spans)
    of_met = np.array(found, np.int64).reshape(-1, 4).T
    cut = np.nonzero((size > high - low) & (end > start))[0]
    outside = np.stack([cut, start[cut], end[cut], (size - (high - low))[cut]])
    which, *columns = np.concatenate([of_met, outside], axis=1)
    return SharedBytes(row[which], *columns)


def _shared_with(span: int, others: list[int], spans: Columns) -> list[_Entry]:
    """The stretches of one span in which it shares bytes, the last one first; `others` opened before it."""
    start, end, low, high = (int(column[span]) for column in spans)
    _, ends, lows, highs = spans
    union = _Union()
    found: list[_Entry] = []
    until, shared = end, 0
    for other in sorted(others, key=lambda one: -int(ends[one])):
        since = min(int(ends[other]), end)
        if since < until and shared > 0:
            found.append((span, since, until, shared))
        until = min(until, since)
        shared += union.add(max(low, int(lows[other])), min(high, int(highs[other])))
        if shared == high - low:
            break
    if shared > 0 and start < until:
        found.append((span, start, until, shared))
    return found


class _Union:
    """Disjoint ranges in the order of their addresses."""

    def __init__(self) -> None:
        self._low: list[int] = []
        self._high: list[int] = []

    def add(self, low: int, high: int) -> int:
        """By how many bytes `[low, high)` makes the union grow."""
        first, last = bisect_left(self._high, low), bisect_right(self._low, high)
        if first < last:
            low, high = min(low, self._low[first]), max(high, self._high[last - 1])
        before = sum(self._high[at] - self._low[at] for at in range(first, last))
        self._low[first:last], self._high[first:last] = [low], [high]
        return high - low - before


def join_shared(parts: Sequence[SharedBytes | None]) -> SharedBytes | None:
    """Those of several allocations as one; None where that of any is not known."""
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    nothing = np.zeros(0, np.int64)
    columns = (
        np.concatenate([nothing, *(getattr(part, name) for part in known)])
        for name in ("row", "start", "end", "bytes")
    )
    return SharedBytes(*columns)
