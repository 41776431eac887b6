"""Heap events in, spans out: the only state machine of the project.

Theory of operation. Each trace is replayed by itself, in its own order, with one clock, `now`, a program
point:

    event        clock                                    buffer
    ALLOC        now = max(now, point of its instruction)  not live → live since now
    SHARE_WITH   the same                                  the same: it lives at its own address, which is its
                                                           canonical buffer's, so the union of addresses
                                                           counts it once
    FREE         unchanged                                 live → span [start, now + 1): the trace says no
                                                           more than that it is free before the next
                                                           allocation

On axis "events" every event is a point of its own: `now` is the event's position, and a FREE ends the span
there. A buffer freed and allocated again has several spans. A buffer never freed lives to the end.

What cannot be, in a real heap, is reported and skipped: ALLOC of a live buffer, FREE of one that is not live,
events of buffers that the file does not define or that have no place in a Temporary allocation.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from tensorboard_plugin_memviewer.analysis.program_order import ProgramOrder
from tensorboard_plugin_memviewer.errors import Problem
from tensorboard_plugin_memviewer.model.module import (
    AllocationType,
    EventKind,
    HeapTrace,
    Ints,
    Module,
    Rows,
)

_ADVICE = "The compiler's heap trace contradicts itself there; the event is left out and the rest shown."


@dataclass(frozen=True, slots=True)
class Spans:
    """When buffers of Temporary allocations live, half-open in program points: columns of equal length.

    `buffer` holds rows of LogicalBuffers, more than once where a buffer is allocated again. `untraced` marks
    buffers of Temporary allocations that no trace mentions: they are live at every point.
    """

    buffer: Rows
    start: Ints
    end: Ints
    untraced: np.ndarray[tuple[int], np.dtype[np.bool_]]


@dataclass(slots=True)
class _Found:
    buffer: list[int]
    start: list[int]
    end: list[int]


def replay(module: Module, order: ProgramOrder) -> tuple[Spans, tuple[Problem, ...]]:
    """The spans of every buffer in a Temporary allocation, by trace and then by end; and what was amiss."""
    found = _Found([], [], [])
    faults: Counter[str] = Counter()
    temporary = _in_temporary(module)
    counted: list[bool] = temporary.tolist()
    mentioned = np.zeros(len(module.buffers), np.bool_)
    first_point = 0
    for trace in module.traces:
        mentioned[trace.buffer[trace.buffer >= 0]] = True
        if order.axis == "schedule":
            known = trace.buffer >= 0
            points = np.full(len(trace), -1, np.int32)
            points[known] = order.point[module.buffers.instruction[trace.buffer[known]]]
        else:
            points = np.arange(first_point, first_point + len(trace), dtype=np.int32)
            first_point += len(trace)
        _replay_trace(trace, points.tolist(), order, counted, found, faults)
    untraced = np.nonzero(temporary & ~mentioned)[0]
    spans = Spans(
        buffer=np.concatenate([np.array(found.buffer, np.int32), untraced.astype(np.int32)]),
        start=np.concatenate([np.array(found.start, np.int64), np.zeros(len(untraced), np.int64)]),
        end=np.concatenate([np.array(found.end, np.int64), np.full(len(untraced), order.points)]),
        untraced=np.arange(len(found.buffer) + len(untraced)) >= len(found.buffer),
    )
    problems = tuple(Problem("heap_trace", f"{count} × {fault}", _ADVICE) for fault, count in faults.items())
    return spans, problems


def _in_temporary(module: Module) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    allocation = module.buffers.allocation
    placed = allocation >= 0
    result = np.zeros(len(allocation), np.bool_)
    result[placed] = module.allocations.type[allocation[placed]] == AllocationType.TEMPORARY
    return result


def _replay_trace(
    trace: HeapTrace,
    points: list[int],
    order: ProgramOrder,
    counted: list[bool],
    found: _Found,
    faults: Counter[str],
) -> None:
    by_event = order.axis == "events"
    live: dict[int, int] = {}
    now = 0
    kinds, buffers = trace.kind.tolist(), trace.buffer.tolist()
    for kind, buffer, point in zip(kinds, buffers, points, strict=True):
        if buffer < 0:
            continue  # the reader of the file has reported it
        if by_event or (kind != EventKind.FREE and point > now):
            now = point
        if not counted[buffer]:
            faults["a heap event of a buffer that is in no temporary allocation"] += 1
        elif kind != EventKind.FREE:
            if buffer in live:
                faults["a buffer is allocated while it is live"] += 1
            else:
                live[buffer] = now
        elif buffer in live:
            _close(found, buffer, live.pop(buffer), now if by_event else now + 1)
        else:
            faults["a buffer is freed that is not live"] += 1
    for buffer, start in live.items():
        _close(found, buffer, start, order.points)


def _close(found: _Found, buffer: int, start: int, end: int) -> None:
    found.buffer.append(buffer)
    found.start.append(start)
    found.end.append(end)
