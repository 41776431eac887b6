"""Whether lifetimes that were inferred fit the plan: no two strangers at one address at one time.

The compiler assigned addresses by lifetimes of its own. Where a buffer that no heap trace lists would share
an address with another while both live, what is inferred of it is wrong, unless the two share on purpose:
values that are one buffer, slices joined without a copy, a result written in place by its last reader, and
contexts of asynchronous operations, which share a scratch place.
"""

from __future__ import annotations

import numpy as np

from tensorboard_plugin_memviewer.analysis.lifetimes import Lifetimes
from tensorboard_plugin_memviewer.analysis.occupancy import occupancy
from tensorboard_plugin_memviewer.analysis.replay import Spans, SpanSource
from tensorboard_plugin_memviewer.errors import Problem
from tensorboard_plugin_memviewer.model.module import Flags, Ints, Module

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
            meets = _strangers(module, spans, lifetimes, row, rows)
            if meets.any():
                wrong.add(int(spans.buffer[row]))
    if not wrong:
        return ()
    return (
        Problem(
            "lifetimes",
            f"{len(wrong)} buffers that the heap trace does not list would overlap others in memory",
            "When they live is inferred from the schedule, and cannot be right for all of them: the curve "
            "may be off there. Sums of what is allocated and required are exact.",
        ),
    )


def _share_addresses(module: Module, spans: Spans, rows: Ints) -> bool:
    low = module.buffers.offset[spans.buffer[rows]]
    high = low + module.buffers.size[spans.buffer[rows]]
    return occupancy(spans.start[rows], spans.end[rows], low, high).shared


def _strangers(module: Module, spans: Spans, lifetimes: Lifetimes, row: int, rows: Ints) -> Flags:
    """Which of `rows` share an address and a time with `row` without an excuse."""
    buffers = module.buffers
    buffer, others = int(spans.buffer[row]), spans.buffer[rows]
    low, size = buffers.offset[others], buffers.size[others]
    mine, ends = int(buffers.offset[buffer]), int(buffers.offset[buffer] + buffers.size[buffer])
    first = np.maximum(spans.start[rows], spans.start[row])
    last = np.minimum(spans.end[rows], spans.end[row])
    meets: Flags = (low < ends) & (mine < low + size) & (first < last) & (others != buffer)
    # Written in place: one begins at the point that reads the other last.
    meets &= last - first > 1
    meets &= buffers.hlo_buffer[others] != buffers.hlo_buffer[buffer]
    for at in np.nonzero(meets)[0].tolist():
        other = int(others[at])
        meets[at] = not (lifetimes.joined(buffer, other) or _are_contexts(module, buffer, other))
    return meets


def _are_contexts(module: Module, *both: int) -> bool:
    """Whether both are contexts `{2,…}` of asynchronous operations."""
    table, buffers = module.instructions, module.buffers
    for buffer in both:
        opcode = table.opcodes[table.opcode[buffers.instruction[buffer]]]
        if opcode not in ("async-start", "async-update") or buffers.shape_index[buffer][:1] != (2,):
            return False
    return True
