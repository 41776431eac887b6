"""The part of a `usage` answer that is of one memory space: usage by point, allocations, buffers, readers.

The page computes every point, group and card from the whole answer without asking again.
"""

from __future__ import annotations

import numpy as np

from tensorboard_plugin_memviewer.analysis.lifetimes.readers import Readers, find_handovers
from tensorboard_plugin_memviewer.analysis.shared_bytes import SharedBytes
from tensorboard_plugin_memviewer.analysis.usage import Plan, SpaceUsage
from tensorboard_plugin_memviewer.model.module import Ints, Module, Rows
from tensorboard_plugin_memviewer.wire.columns import column, optional_column
from tensorboard_plugin_memviewer.wire.module_payload import Json, ModulePayload, Table

_MOST_PEAKS = 64


def usage_payload(plan: Plan, usage: SpaceUsage, readers: Readers, shared: ModulePayload) -> Json:
    """The fields of one memory space; `shared` is the module's own part, whose rows they refer to."""
    return {
        "usage": column(usage.usage),
        "unpadded": column(usage.unpadded),
        "scoped": column(usage.scoped),
        "peaks": local_peaks(usage.usage),
        "allocations": _allocations(plan.module, usage),
        "buffers": _buffers(plan, usage, readers, shared),
        "shared": None if usage.shared is None else _shared(usage.shared),
    }


def local_peaks(usage: Ints) -> list[int]:
    """First points of the stretches that are higher than what is on both sides, highest first, at most 64."""
    starts = np.nonzero(np.diff(usage, prepend=usage[0] - 1))[0]
    heights = usage[starts]
    rises = np.diff(heights, prepend=-1) > 0
    falls = np.diff(heights, append=-1) < 0
    peaks = np.nonzero(rises & falls)[0]
    by_height = peaks[np.argsort(-heights[peaks], kind="stable")][:_MOST_PEAKS]
    return [int(point) for point in starts[by_height]]


def _allocations(module: Module, usage: SpaceUsage) -> Json:
    rows = np.nonzero(module.allocations.space == usage.space)[0]
    table = module.allocations
    return {
        "index": column(table.index[rows]),
        "bytes": column(table.size[rows]),
        "type": column(table.type[rows].astype(np.int64)),
        "aliased": column(table.aliased[rows]),
        "live_out": column(table.live_out[rows]),
        "parameter": [table.parameter_number[row] for row in rows.tolist()],
    }


def _buffers(plan: Plan, usage: SpaceUsage, readers: Readers, shared: ModulePayload) -> Json:
    """A row a span, in program order. One without a logical buffer stands for an empty allocation."""
    table, buffers = usage.buffers, plan.module.buffers
    known = np.nonzero(table.buffer >= 0)[0]
    buffer = table.buffer[known]
    instruction, shape, ids = (np.full(len(table), -1, np.int64) for _ in range(3))
    defining = buffers.instruction[buffer]
    instruction[known[defining >= 0]] = shared.instruction[defining[defining >= 0]]
    shape[known] = shared.shape[buffers.shape[buffer]]
    ids[known] = buffers.ids[buffer]
    index_table = Table("")
    indexes = np.zeros(len(table), np.int64)
    indexes[known] = [index_table.row(buffers.index_text(b)) for b in buffer.tolist()]
    allocation_rows = np.nonzero(plan.module.allocations.space == usage.space)[0]
    offsets, points = _readers(readers, table.buffer)
    return {
        "id": column(ids) if len(known) == len(table) else optional_column(ids),
        "instruction": optional_column(instruction),
        "shape_index": {"strings": index_table.values, "index": column(indexes)},
        "shape": optional_column(shape),
        "bytes": column(table.size),
        "unpadded_bytes": column(table.unpadded),
        "allocation": column(np.searchsorted(allocation_rows, table.allocation)),
        "offset": column(table.offset),
        "start": column(table.start),
        "end": column(table.end),
        "known_by": column(table.source),
        "represents": column(table.represents),
        "readers_offset": column(offsets),
        "readers": column(points),
        "handovers": _handovers(plan, table.buffer, shared),
    }


def _shared(shared: SharedBytes) -> Json:
    return {
        "row": column(shared.row),
        "start": column(shared.start),
        "end": column(shared.end),
        "bytes": column(shared.bytes),
    }


def _handovers(plan: Plan, buffer: Rows, shared: ModulePayload) -> Json:
    """Whose memory goes on as whose, within this memory space: rows of the answer's buffers."""
    row_of = {row: at for at, row in reversed(list(enumerate(buffer.tolist())))}
    found = [one for one in find_handovers(plan) if one.source in row_of and one.target in row_of]
    kinds = Table()
    kind = [kinds.row(one.kind) for one in found]
    return {
        "source": column(np.array([row_of[one.source] for one in found], np.int64)),
        "target": column(np.array([row_of[one.target] for one in found], np.int64)),
        "instruction": column(shared.instruction[np.array([one.instruction for one in found], np.int64)]),
        "kind": {"strings": kinds.values, "index": column(np.array(kind, np.int64))},
    }


def _readers(readers: Readers, buffer: Rows) -> tuple[Ints, Rows]:
    """The readers of these buffers one after the other, and where those of each begin."""
    known = np.where(buffer >= 0, buffer, 0)
    counts = np.zeros(len(buffer), np.int64)
    if len(readers.start) > 1:
        counts = np.where(buffer >= 0, np.diff(readers.start)[known], 0)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    # Position of each wanted read in readers.points: its buffer's start, plus its place among that buffer's.
    start = np.repeat(readers.start[known] - offsets[:-1], counts)
    return offsets, readers.points[start + np.arange(offsets[-1])]
