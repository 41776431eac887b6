"""Storages: every logical buffer belongs to one piece of memory, which a person would call one array.

| logical buffers | one storage |
| --- | --- |
| all of one indefinite allocation | yes, whatever else lies in an argument's memory |
| values that XLA made one (a loop's initial value, parameter, update, result) | at one address |
| what a loop, branch or call hands on, of equal size | at one address |
| what the heap trace lets share (SHARE_WITH), of equal size | at one address |
| slices that a TPU compiler joins without a copy, and what they are joined to | yes |
| any others | no: strangers use memory again |

All but the first row are of temporary allocations. What is assigned to no allocation is a storage each.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np

from tensorboard_plugin_memviewer.analysis.replay import address_range
from tensorboard_plugin_memviewer.analysis.usage import Plan, SpaceUsage
from tensorboard_plugin_memviewer.model.module import (
    AllocationType,
    EventKind,
    Flags,
    Ints,
    LogicalBuffers,
    Rows,
)


def storage_of(plan: Plan) -> Ints:
    """By logical buffer its storage: the smallest row of LogicalBuffers that belongs to it."""
    module = plan.module
    buffers = module.buffers
    rows = np.arange(len(buffers))
    assigned = buffers.allocation >= 0
    kind = np.full(len(buffers), int(AllocationType.TEMPORARY))
    kind[assigned] = module.allocations.type[buffers.allocation[assigned]]
    temporary = assigned & (kind == AllocationType.TEMPORARY)
    indefinite = assigned & ~temporary
    alike = np.where(temporary, _first_alike(buffers.allocation, buffers.offset, buffers.hlo_buffer), rows)
    if indefinite.any():
        first = np.full(len(module.allocations), len(buffers))
        np.minimum.at(first, buffers.allocation[indefinite], rows[indefinite])
        alike = np.where(indefinite, first[buffers.allocation], alike)
    one, two = _in_place(plan, temporary)
    return _joined(alike, one, two)


def _first_alike(*columns: Ints | Rows) -> Ints:
    """By row the first with the same values in all columns."""
    order = np.lexsort((np.arange(len(columns[0])), *columns))
    new = np.zeros(len(order), np.bool_)
    for column in columns:
        new |= np.diff(column[order], prepend=-1 - int(column.max(initial=0))) != 0
    result = np.empty(len(order), np.int64)
    result[order] = order[np.flatnonzero(new)[np.cumsum(new) - 1]] if len(order) else order
    return result


def _in_place(plan: Plan, temporary: Flags) -> tuple[Ints, Ints]:
    """Pairs of temporary buffers that are one memory beside those that XLA made one: what a loop, branch or
    call hands on in place, what the heap trace lets share at equal size, and slices with what they are joined
    to without a copy.
    """
    buffers = plan.module.buffers
    pairs: list[tuple[Ints | Rows, Ints | Rows]] = []
    if plan.lifetimes is not None:
        meeting = plan.lifetimes.positions.meeting
        pairs.append((meeting.source, meeting.target))
    for trace in plan.module.traces:
        shares = (trace.kind == EventKind.SHARE_WITH) & (trace.buffer >= 0) & (trace.canonical >= 0)
        pairs.append((trace.buffer[shares], trace.canonical[shares]))
    pairs = [(one[same], two[same]) for one, two in pairs for same in [_at_one_place(buffers, one, two)]]
    pieces = {} if plan.lifetimes is None else plan.lifetimes.pieces
    joined = [(piece, whole) for piece, wholes in pieces.items() for whole in wholes]
    left, right = np.array(joined, np.int64).reshape(-1, 2).T
    inside = (buffers.offset[left] >= buffers.offset[right]) & (
        buffers.offset[left] + buffers.size[left] <= buffers.offset[right] + buffers.size[right]
    )
    pairs.append((left[inside], right[inside]))
    one, two = (np.concatenate([pair[at] for pair in pairs]).astype(np.int64) for at in (0, 1))
    same = (buffers.allocation[one] == buffers.allocation[two]) & temporary[one] & temporary[two]
    return one[same], two[same]


def _at_one_place(buffers: LogicalBuffers, one: Ints | Rows, two: Ints | Rows) -> Flags:
    same: Flags = (buffers.offset[one] == buffers.offset[two]) & (buffers.size[one] == buffers.size[two])
    return same


def _joined(parent: Ints, one: Ints, two: Ints) -> Ints:
    """`parent`, by row the first of its set, with the sets of each pair made one."""
    for a, b in zip(one.tolist(), two.tolist(), strict=True):
        low, high = sorted((_root(parent, a), _root(parent, b)))
        parent[high] = low
    while not np.array_equal(parent, parent[parent]):
        parent = parent[parent]
    return parent


def _root(parent: Ints, row: int) -> int:
    while (above := int(parent[row])) != row:
        parent[row] = parent[above]
        row = above
    return row


@dataclass(frozen=True, slots=True)
class Storages:
    """The storages of one memory space, a row each, those with the most bytes first.

    The rows of SpaceUsage.buffers that belong to storage i are `rows[start[i]:start[i + 1]]`; `of_row` is by
    row of SpaceUsage.buffers its storage. `chief` is the row of SpaceUsage.buffers that stands for it; `size`
    its bytes: the largest of its buffers, or its whole allocation. `first` and `end` are the first
    point of its life and the one after the last; it may rest in between.
    """

    chief: Ints
    size: Ints
    first: Ints
    end: Ints
    start: Ints
    rows: Ints
    of_row: Ints

    def __len__(self) -> int:
        return len(self.chief)

    def rows_of(self, storage: int) -> Ints:
        """The rows of SpaceUsage.buffers that belong to a storage, in program order."""
        return self.rows[self.start[storage] : self.start[storage + 1]]


def find_storages(plan: Plan, usage: SpaceUsage, storage: Ints) -> Storages:
    """The storages of a memory space; `storage` is by logical buffer, as `storage_of` gives it."""
    table = usage.buffers
    count = len(plan.module.buffers)
    # An indefinite allocation that holds no buffer is a storage of its own.
    key = np.where(table.buffer >= 0, storage[table.buffer] if count else 0, count + table.allocation)
    _, number = np.unique(key, return_inverse=True)
    number = number.reshape(-1)
    total = int(number.max(initial=-1)) + 1
    size = np.zeros(total, np.int64)
    np.maximum.at(size, number, table.size)
    first, end = np.full(total, usage.points), np.zeros(total, np.int64)
    np.minimum.at(first, number, table.start)
    np.maximum.at(end, number, table.end)
    # What stands for it: in an indefinite allocation the row that does; else the largest, first among equals.
    leading = np.lexsort((np.arange(len(number)), -table.size, ~table.represents, number))
    _, where = np.unique(number[leading], return_index=True)
    chief = leading[where]
    rank = np.empty(total, np.int64)
    by_size = np.lexsort((first, -size))
    rank[by_size] = np.arange(total)
    of_row = rank[number] if total else number
    rows = np.argsort(of_row, kind="stable")
    start = np.concatenate([[0], np.cumsum(np.bincount(of_row, minlength=total))])
    return Storages(chief[by_size], size[by_size], first[by_size], end[by_size], start, rows, of_row)


def live_bytes(plan: Plan, usage: SpaceUsage, storages: Storages, point: int) -> Ints:
    """The bytes that each storage takes at a program point. What several share counts for the largest of them
    alone, so the sum is usage without scoped memory, exactly.
    """
    table = usage.buffers
    rows = np.flatnonzero(table.represents & (table.start <= point) & (point < table.end))
    allocations = plan.module.allocations
    allocation = table.allocation[rows]
    temporary = (allocation >= 0) & (allocations.type[allocation] == AllocationType.TEMPORARY)
    result = np.zeros(len(storages), np.int64)
    np.add.at(result, storages.of_row[rows[~temporary]], table.size[rows[~temporary]])
    rows, allocation = rows[temporary], allocation[temporary]
    base = np.cumsum(allocations.size) - allocations.size
    low, high = address_range(plan.module, table.buffer[rows])
    rank = storages.of_row[rows]
    in_order = np.argsort(base[allocation] + low, kind="stable")
    starts, ends, ranks = (
        column[in_order].tolist() for column in (base[allocation] + low, base[allocation] + high, rank)
    )
    covering: list[tuple[int, int]] = []
    at = 0
    position = 0
    while at < len(starts) or covering:
        if not covering:
            position = max(position, starts[at])
        while at < len(starts) and starts[at] <= position:
            heappush(covering, (ranks[at], ends[at]))
            at += 1
        first, end = covering[0]
        until = min(end, starts[at]) if at < len(starts) else end
        if until > position:
            result[first] += until - position
            position = until
        while covering and covering[0][1] <= position:
            heappop(covering)
    return result
