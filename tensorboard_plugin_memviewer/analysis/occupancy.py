"""How many bytes of one allocation are occupied at each program point: the union of live addresses.

Theory of operation. XLA lets live buffers share addresses (in place updates, slices that are concatenated in
place), so sizes cannot be added. A sweep over the points keeps the *blocks*: maximal runs of live buffers
that overlap one another. Blocks are disjoint, and because a block's members overlap in a chain, its union is
simply [lowest start, highest end). A buffer that overlaps nothing is a block of its own, found by bisection.
Inserting and removing it shifts the blocks above it in a sorted list: cheap while some ten thousand live.
When a member of a larger block goes, the block is split anew from its members.

Knows nothing of modules; addresses are bytes within the allocation.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from dataclasses import dataclass

import numpy as np

from tensorboard_plugin_memviewer.model.module import Flags, Ints

# Splitting a block costs its member count. Beyond this many steps a sweep of blocks is given up for the tree,
# whose cost does not depend on how buffers overlap. (No real module seen comes near.)
_STEPS_BEFORE_TREE = 2_000_000


@dataclass(frozen=True, slots=True)
class Occupancy:
    """A step function: `bytes[i]` from point `points[i]` up to the next. `points` ascends and starts at 0.

    `met` lists, by span that shares an address with a span opened before it, all of those that are still
    open when it opens; of spans that start together the one that stands first opens first. None where so
    many spans overlap that the lists were not kept.
    """

    points: Ints
    bytes: Ints
    shared: bool
    met: dict[int, list[int]] | None


def occupancy(start: Ints, end: Ints, low: Ints, high: Ints) -> Occupancy:
    """The union of address ranges `[low, high)` of the spans live at each point, spans being `[start, end)`.

    Four columns of equal length. `shared` is whether any two live buffers share an address. For n spans of
    which k blocks are alive at once this is O(n log n + n k). The second term has a small factor: it
    dominates only from about 100,000 blocks on. Where many spans overlap, the tree is used: O(n log n).
    """
    keep = (high > low) & (end > start)
    start, end, low, high = start[keep], end[keep], low[keep], high[keep]
    if not len(start):
        return Occupancy(np.zeros(1, np.int64), np.zeros(1, np.int64), False, {})
    point, span, opens = _changes(start, end)
    changes, shared, met = _sweep_blocks(span, opens, low.tolist(), high.tolist())
    points, totals = _steps(point, changes)
    return Occupancy(points, totals, shared, None if met is None else _by_given_row(met, keep))


def _by_given_row(met: dict[int, list[int]], keep: Flags) -> dict[int, list[int]]:
    """Rows of the columns as they were given, instead of those that were kept."""
    given = np.nonzero(keep)[0].tolist()
    return {given[span]: [given[other] for other in others] for span, others in met.items()}


def _changes(start: Ints, end: Ints) -> tuple[Ints, list[int], list[bool]]:
    """Openings and closings in the order of points; at one point what ends goes before what starts."""
    count = len(start)
    point = np.concatenate([end, start])
    order = np.argsort(point, kind="stable")
    spans = order % count
    return point[order], spans.tolist(), (order >= count).tolist()


def _steps(point: Ints, changes: list[int]) -> tuple[Ints, Ints]:
    points, first = np.unique(point, return_index=True)
    totals = np.cumsum(np.add.reduceat(np.array(changes, np.int64), first))
    if points[0] > 0:
        points, totals = np.concatenate([[0], points]), np.concatenate([[0], totals])
    return points, totals


class _Blocks:
    """The blocks in the order of their addresses, each with the spans in it."""

    def __init__(self, low: list[int], high: list[int]) -> None:
        self._low = low
        self._high = high
        self._starts: list[int] = []
        self._end: dict[int, int] = {}
        self._members: dict[int, list[int]] = {}
        self.met: dict[int, list[int]] = {}
        self.steps = 0

    def add(self, span: int) -> int:
        """Opens a span; the growth of the union in bytes."""
        low, high = self._low[span], self._high[span]
        at = bisect_right(self._starts, low)
        if at > 0 and self._end[self._starts[at - 1]] > low:
            at -= 1
        last = bisect_left(self._starts, high, lo=at)
        if at == last:
            self._starts.insert(at, low)
            self._end[low] = high
            self._members[low] = [span]
            return high - low
        return self._merge(at, last, span)

    def _merge(self, at: int, last: int, span: int) -> int:
        touched = self._starts[at:last]
        before = 0
        members: list[int] = []
        for key in touched:
            before += self._end[key] - key
            members.extend(self._members.pop(key))
        low, high = self._low[span], self._high[span]
        # Of a block that the span touches not every member overlaps the span.
        self.met[span] = [other for other in members if self._low[other] < high and low < self._high[other]]
        members.append(span)
        self.steps += len(members)
        start = min(touched[0], low)
        end = max(self._end[touched[-1]], high)
        for key in touched:
            del self._end[key]
        self._starts[at:last] = [start]
        self._end[start] = end
        self._members[start] = members
        return end - start - before

    def remove(self, span: int) -> int:
        """Closes a span; the (negative or zero) growth of the union in bytes."""
        at = bisect_right(self._starts, self._low[span]) - 1
        key = self._starts[at]
        members = self._members.pop(key)
        before = self._end.pop(key) - key
        del self._starts[at]
        if len(members) == 1:
            return -before
        self.steps += len(members)
        members.remove(span)
        members.sort(key=self._low.__getitem__)
        return self._split(members) - before

    def _split(self, members: list[int]) -> int:
        """Puts back the blocks that members (by address) form; the bytes of their union."""
        total = 0
        block: list[int] = []
        start = end = -1
        for span in members:
            if block and self._low[span] >= end:
                total += self._put(start, end, block)
                block = []
            if not block:
                start, end = self._low[span], self._high[span]
            block.append(span)
            end = max(end, self._high[span])
        return total + self._put(start, end, block)

    def _put(self, start: int, end: int, members: list[int]) -> int:
        insort(self._starts, start)
        self._end[start] = end
        self._members[start] = members
        return end - start


def _sweep_blocks(
    spans: list[int], opens: list[bool], low: list[int], high: list[int]
) -> tuple[list[int], bool, dict[int, list[int]] | None]:
    blocks = _Blocks(low, high)
    changes = []
    for span, opening in zip(spans, opens, strict=True):
        changes.append(blocks.add(span) if opening else blocks.remove(span))
        if blocks.steps > _STEPS_BEFORE_TREE:
            return _sweep_tree(spans, opens, low, high), True, None
    return changes, bool(blocks.met), blocks.met


def _sweep_tree(spans: list[int], opens: list[bool], low: list[int], high: list[int]) -> list[int]:
    """The same changes by a tree over the elementary address ranges.

    A node counts the spans that cover it whole (and not its parent); what it covers is its own length where
    that count is above zero, else what its children cover.
    """
    edges = np.unique(np.array(low + high, np.int64))
    left = np.searchsorted(edges, np.array(low)).tolist()
    right = np.searchsorted(edges, np.array(high)).tolist()
    leaves = 1 << max(len(edges) - 2, 0).bit_length()
    length = np.zeros(2 * leaves, np.int64)
    length[leaves : leaves + len(edges) - 1] = np.diff(edges)
    for level in range(leaves.bit_length() - 2, -1, -1):
        nodes = slice(1 << level, 2 << level)
        length[nodes] = length[2 << level : 4 << level : 2] + length[(2 << level) + 1 : 4 << level : 2]
    tree = _CoverTree(leaves, length.tolist())
    return [
        tree.cover(left[span], right[span], 1 if opening else -1)
        for span, opening in zip(spans, opens, strict=True)
    ]


class _CoverTree:
    def __init__(self, leaves: int, length: list[int]) -> None:
        self._leaves = leaves
        self._length = length
        self._count = [0] * (2 * leaves)
        self._covered = [0] * (2 * leaves)

    def cover(self, left: int, right: int, by: int) -> int:
        """Adds `by` to the cover of the elementary ranges `[left, right)`; the growth of the union."""
        before = self._covered[1]
        count, leaves = self._count, self._leaves
        low, high = left + leaves, right + leaves
        while low < high:
            if low & 1:
                count[low] += by
                self._refresh(low)
                low += 1
            if high & 1:
                high -= 1
                count[high] += by
                self._refresh(high)
            low >>= 1
            high >>= 1
        self._refresh_above(left + leaves)
        self._refresh_above(right - 1 + leaves)
        return self._covered[1] - before

    def _refresh(self, node: int) -> None:
        if self._count[node] > 0:
            self._covered[node] = self._length[node]
        elif node < self._leaves:
            self._covered[node] = self._covered[2 * node] + self._covered[2 * node + 1]
        else:
            self._covered[node] = 0

    def _refresh_above(self, node: int) -> None:
        node >>= 1
        while node:
            self._refresh(node)
            node >>= 1
