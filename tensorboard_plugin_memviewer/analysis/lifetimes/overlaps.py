"""Checks inferred lifetimes against the plan: unrelated buffers must not share an address at the same time.

The compiler assigned addresses by lifetimes of its own. Where a buffer that no heap trace lists would share
an address with another while both live, what is inferred of it is wrong, unless the two share on purpose:
values that are one buffer, slices joined without a copy, a result written in place by its last reader, and
contexts of asynchronous operations, which share a scratch place.
"""

from __future__ import annotations

import numpy as np

from tensorboard_plugin_memviewer.analysis.lifetimes.lifetimes import Lifetimes
from tensorboard_plugin_memviewer.analysis.occupancy import occupancy
from tensorboard_plugin_memviewer.analysis.replay import Spans, SpanSource, address_range
from tensorboard_plugin_memviewer.errors import Problem
from tensorboard_plugin_memviewer.model.module import Flags, Ints, Module
from tensorboard_plugin_memviewer.units import format_count

# Every inferred span is compared with all others of its allocation. Real modules have some hundreds of them,
# in allocations of some thousands; beyond this the check is left out.
_MOST_PAIRS = 50_000_000
# From so many on it is cheaper to ask first whether any two share an address at all.
_MANY = 100


def overlap_problems(module: Module, spans: Spans, lifetimes: Lifetimes | None) -> tuple[Problem, ...]:
    """A problem where inferred spans overlap others; empty on axis "events", where nothing is inferred."""
    if lifetimes is None:
        return ()
    allocation = module.buffers.allocation[spans.buffer]
    inferred = spans.source == SpanSource.INFERRED
    contexts = _contexts(module)
    wrong: set[int] = set()
    left = _MOST_PAIRS
    for held in np.unique(allocation[inferred]).tolist():
        rows = np.nonzero((allocation == held) & (spans.end > spans.start))[0]
        mine = rows[inferred[rows]]
        if len(mine) > _MANY and not _share_addresses(module, spans, rows):
            continue
        left -= len(rows) * len(mine)
        if left < 0:
            break
        for row in mine.tolist():
            if _meets_stranger(module, spans, lifetimes, contexts, row, rows):
                wrong.add(int(spans.buffer[row]))
    if not wrong:
        return ()
    return (
        Problem(
            "lifetimes",
            f"{format_count(len(wrong), 'buffer')} missing in the heap trace would overlap others in memory",
            "Their lifetimes are inferred from the schedule and cannot all be right: the curve "
            "may be off there. Allocated and required memory are exact.",
        ),
    )


def _share_addresses(module: Module, spans: Spans, rows: Ints) -> bool:
    low, high = address_range(module, spans.buffer[rows])
    return occupancy(spans.start[rows], spans.end[rows], low, high).shared


def _meets_stranger(
    module: Module, spans: Spans, lifetimes: Lifetimes, contexts: Flags, row: int, rows: Ints
) -> bool:
    """Whether one of `rows` shares an address and a time with `row` without an excuse."""
    buffers = module.buffers
    buffer, others = int(spans.buffer[row]), spans.buffer[rows]
    low, high = address_range(module, others)
    (mine,), (ends,) = address_range(module, spans.buffer[row : row + 1])
    first = np.maximum(spans.start[rows], spans.start[row])
    last = np.minimum(spans.end[rows], spans.end[row])
    meets: Flags = (low < ends) & (mine < high) & (first < last) & (others != buffer)
    # Written in place: one begins at the point that reads the other last.
    meets &= last - first > 1
    meets &= buffers.hlo_buffer[others] != buffers.hlo_buffer[buffer]
    if contexts[buffer]:
        meets &= ~contexts[others]
    pieces = lifetimes.pieces
    own = pieces.get(buffer)
    if own is None:
        return bool(meets.any())
    # Slices of one joined prefetch are no strangers.
    return any(own.isdisjoint(pieces.get(other, ())) for other in others[meets].tolist())


def _contexts(module: Module) -> Flags:
    """By logical buffer, whether it is a context `{2,…}` of an asynchronous operation."""
    buffers = module.buffers
    asynchronous = module.instructions.has_opcode("async-start", "async-update")
    known = np.nonzero(buffers.instruction >= 0)[0]
    result = np.zeros(len(buffers), np.bool_)
    for buffer in known[asynchronous[buffers.instruction[known]]].tolist():
        result[buffer] = buffers.shape_index[buffer][:1] == (2,)
    return result
