"""Computes spans from heap events and live ranges: when each buffer of a Temporary allocation holds memory.

Theory of operation. A heap trace orders allocations but has no clock: an event names the instruction that
defines its buffer, also where the buffer is freed. Each trace is replayed by itself, with a clock that runs
with the points of what it allocates:

    event        clock
    ALLOC        max(clock, point at which its value begins)
    SHARE_WITH   the same: it lives at its own address, which is its canonical buffer's, so that the union of
                 addresses counts it once
    FREE         unchanged: somewhere between the allocation before it and the next one

Within that interval the live range decides (live_ranges.py): the end is the live range's, clamped into the
interval. So the trace is never contradicted, and no buffer ends before its last reader, unless the next value
of the same memory takes it over there.

What no trace lists lives by its live range alone and is marked *inferred*; what has no live range either
(nothing is known of its instruction) is *unknown* and counts at every point.

A buffer never freed lives to the end. One allocated several times is allocated anew in each branch of a
conditional; it is one value, whose live range holds between them too. On axis "events" every event is a point
of its own, a FREE ends the span there, and a buffer allocated again has several spans.

What cannot be, in a real heap, is reported and skipped: ALLOC of a live buffer, FREE of one never allocated,
events of buffers that the file does not define or that have no place in a Temporary allocation.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from tensorboard_plugin_memviewer.analysis.lifetimes.lifetimes import Lifetimes
from tensorboard_plugin_memviewer.analysis.lifetimes.program_order import ProgramOrder
from tensorboard_plugin_memviewer.errors import Problem
from tensorboard_plugin_memviewer.model.module import (
    AllocationType,
    EventKind,
    Flags,
    Ints,
    Module,
    Rows,
)

SpanSources = np.ndarray[tuple[int], np.dtype[np.int8]]
Kinds = np.ndarray[tuple[int], np.dtype[np.int8]]

# Forms that cannot hold a trace have a problem of their own, which names what to use instead.
_FORMS_WITHOUT_TRACE = ("text_report", "no_lifetimes", "sums_only")
_NO_TRACE = Problem(
    "no_heap_trace",
    "the plan has no heap trace: lifetimes of temporary buffers are inferred from the schedule",
    "Allocated and required memory are exact. TensorFlow's captures lack the trace; an XLA dump of the same "
    "program has it.",
)
_NO_LIVES = Problem(
    "no_heap_trace",
    "the plan has no heap trace and no schedule: every temporary buffer is counted as live throughout",
    "Allocated and required memory are exact, but the curve and its peak are an upper bound.",
)
_ADVICE = "The compiler's heap trace contradicts itself; the event is ignored and the rest is shown."


class SpanSource(IntEnum):
    """How a span is known."""

    TRACED = 0
    INFERRED = 1
    UNKNOWN = 2


@dataclass(frozen=True, slots=True)
class Spans:
    """When buffers of Temporary allocations live, half-open in program points: columns of equal length.

    `buffer` holds rows of LogicalBuffers, more than once where a buffer is allocated again; `source` holds
    SpanSource.
    """

    buffer: Rows
    start: Ints
    end: Ints
    source: SpanSources


@dataclass(slots=True)
class _Found:
    """Columns of spans, part by part."""

    buffer: list[Ints]
    start: list[Ints]
    end: list[Ints]
    source: list[Ints]

    def add(self, buffer: Ints, start: Ints, end: Ints, source: SpanSource) -> None:
        self.buffer.append(buffer)
        self.start.append(start)
        self.end.append(end)
        self.source.append(np.full(len(buffer), source))


def replay(
    module: Module, order: ProgramOrder, lifetimes: Lifetimes | None
) -> tuple[Spans, tuple[Problem, ...]]:
    """The spans of every buffer in a Temporary allocation, and what was amiss. `lifetimes` is None on axis
    "events".
    """
    found = _Found([], [], [], [])
    faults: Counter[str] = Counter()
    temporary = _in_temporary(module)
    listed = np.zeros(len(module.buffers), np.bool_)
    first_point = 0
    for trace in module.traces:
        known = trace.buffer >= 0  # the reader of the file has reported the others
        listed[trace.buffer[known]] = True
        placed = known.copy()
        placed[known] = temporary[trace.buffer[known]]
        if stray := int((known & ~placed).sum()):
            faults["a heap event refers to a buffer that is in no temporary allocation"] += stray
        kind, buffer = trace.kind[placed], trace.buffer[placed].astype(np.int64)
        if lifetimes is None:
            time: Ints = np.nonzero(placed)[0] + first_point
            first_point += len(trace)
        else:
            time = _times(kind, buffer, order.points, lifetimes)
        _pair(found, _Events(kind, buffer, time), order.points, lifetimes, faults)
    _add_unlisted(found, np.nonzero(temporary & ~listed)[0], order.points, lifetimes)
    spans = Spans(
        buffer=np.concatenate(found.buffer).astype(np.int32),
        start=np.concatenate(found.start),
        end=np.concatenate(found.end),
        source=np.concatenate(found.source).astype(np.int8),
    )
    problems = [Problem("heap_trace", f"{count} × {fault}", _ADVICE) for fault, count in faults.items()]
    has_problem = any(problem.code in _FORMS_WITHOUT_TRACE for problem in module.problems)
    if module.buffers.size[temporary].any() and not (temporary & listed).any() and not has_problem:
        problems.append(_NO_LIVES if lifetimes is None else _NO_TRACE)
    return spans, tuple(problems)


def _in_temporary(module: Module) -> Flags:
    allocation = module.buffers.allocation
    placed = allocation >= 0
    result = np.zeros(len(allocation), np.bool_)
    result[placed] = module.allocations.type[allocation[placed]] == AllocationType.TEMPORARY
    return result


def _times(kind: Kinds, buffer: Ints, points: int, lifetimes: Lifetimes) -> Ints:
    """By event: where an ALLOC or SHARE_WITH begins a span, where a FREE ends one."""
    allocates = kind != EventKind.FREE
    begins = np.where(allocates, lifetimes.held.start[buffer], 0)
    clock = np.maximum.accumulate(np.maximum(begins, 0)) if len(kind) else begins
    # Numbered anew, so that a trace costs its own length, however many buffers there are.
    _, number = np.unique(buffer, return_inverse=True)
    result = clock.copy()
    freed = np.nonzero(~allocates)[0]
    earliest, latest = clock[freed] + 1, _next_allocation(allocates, number, begins, clock, points)[freed]
    latest = np.maximum(latest, earliest)
    rows = buffer[freed]
    # The end of a buffer that is freed several times is that of its last FREE, which is not known to be this.
    once = np.bincount(number[freed])[number[freed]] == 1
    end = np.where(once & (lifetimes.held.end[rows] >= 0), lifetimes.held.end[rows], earliest)
    end = np.clip(end, earliest, latest)
    # Frees of one interval are in the order of the trace.
    interval = np.cumsum(np.diff(earliest, prepend=-1) != 0)
    end = np.maximum.accumulate(end + interval * (points + 2)) - interval * (points + 2) if len(end) else end
    result[freed] = np.clip(end, earliest, latest)
    return result


def _next_allocation(allocates: Flags, buffer: Ints, begins: Ints, clock: Ints, points: int) -> Ints:
    """By event, the clock at the next allocation of the trace that has a time; `points` after the last.

    One whose value begins before the clock has none, nor has one of a buffer that was freed before.
    """
    before = np.concatenate([[0], clock[:-1]])
    first_free = np.full(int(buffer.max(initial=0)) + 1, len(buffer))
    frees = np.nonzero(~allocates)[0]
    first_free[buffer[frees[::-1]]] = frees[::-1]
    timed = allocates & (begins >= before) & (first_free[buffer] > np.arange(len(buffer)))
    at = np.where(timed, clock, points)
    following = np.concatenate([at[1:], [points]])
    result: Ints = np.minimum.accumulate(following[::-1])[::-1]
    return result


class _Events(NamedTuple):
    """Events of one trace, with where each begins or ends a span."""

    kind: Kinds
    buffer: Ints
    time: Ints


def _pair(
    found: _Found, events: _Events, points: int, lifetimes: Lifetimes | None, faults: Counter[str]
) -> None:
    """Joins what begins and what ends a span. Nearly every buffer is allocated once and freed once."""
    kind, buffer, time = events
    by_buffer = np.argsort(buffer, kind="stable")
    first = np.nonzero(np.diff(buffer[by_buffer], prepend=-1))[0]
    count = np.diff(first, append=len(buffer))
    opening = by_buffer[first]
    opens = kind[opening] != EventKind.FREE
    once = opens & (count == 2)
    once[once] = kind[by_buffer[first[once] + 1]] == EventKind.FREE
    closing = by_buffer[first[once] + 1]
    found.add(buffer[opening[once]], time[opening[once]], time[closing], SpanSource.TRACED)
    kept = opens & (count == 1)
    never = np.full(int(kept.sum()), points)
    found.add(buffer[opening[kept]], time[opening[kept]], never, SpanSource.TRACED)
    for at in np.nonzero(~once & ~kept)[0].tolist():
        rows = by_buffer[first[at] : first[at] + count[at]]
        row = int(buffer[rows[0]])
        known = lifetimes is not None and lifetimes.held.start[row] >= 0
        again = known and int((kind[rows] != EventKind.FREE).sum()) > 1
        spans = _paired(kind[rows].tolist(), time[rows].tolist(), points, Counter() if again else faults)
        if lifetimes is not None and again:
            # Allocated anew in each branch of a conditional: one value, which is needed in between, too.
            spans = [(int(lifetimes.held.start[row]), int(lifetimes.held.end[row]))]
        starts, ends = np.array(spans, np.int64).reshape(-1, 2).T
        found.add(np.full(len(spans), row), starts, ends, SpanSource.TRACED)


def _paired(kinds: list[int], times: list[int], points: int, faults: Counter[str]) -> list[tuple[int, int]]:
    """The spans of a buffer with several lives, or with events that do not fit."""
    spans: list[tuple[int, int]] = []
    live = False
    for kind, time in zip(kinds, times, strict=True):
        if kind != EventKind.FREE:
            if live:
                faults["a buffer is allocated while it is alive"] += 1
            else:
                spans.append((time, points))
                live = True
        elif not spans:
            faults["a buffer is freed that is not alive"] += 1
        else:
            # A compiler writes two allocations of one value at one time once, and both of their frees.
            spans[-1] = (spans[-1][0], time)
            live = False
    return spans


def _add_unlisted(found: _Found, rows: Ints, points: int, lifetimes: Lifetimes | None) -> None:
    """Buffers that no trace lists: as long as they are needed, or always where that is not known."""
    known = np.zeros(len(rows), np.bool_) if lifetimes is None else lifetimes.held.start[rows] >= 0
    if lifetimes is not None:
        inferred = rows[known]
        found.add(inferred, lifetimes.held.start[inferred], lifetimes.held.end[inferred], SpanSource.INFERRED)
    unknown = rows[~known]
    always = np.full(len(unknown), points)
    found.add(unknown, np.zeros(len(unknown), np.int64), always, SpanSource.UNKNOWN)


def address_range(module: Module, buffer: Rows) -> tuple[Ints, Ints]:
    """`[low, high)` of buffers within their allocation, cut off at its ends."""
    limit = module.allocations.size[module.buffers.allocation[buffer]]
    low = np.clip(module.buffers.offset[buffer], 0, limit)
    high = np.clip(module.buffers.offset[buffer] + module.buffers.size[buffer], low, limit)
    return low, high
