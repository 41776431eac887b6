"""Usage of a memory space by program point, and the headline numbers that docs/numbers.md defines.

`plan` does once what all memory spaces of a module share (order, replay); `space_usage` is then cheap for
each.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np

from tensorboard_plugin_memviewer.analysis.lifetimes.lifetimes import Lifetimes, find_lifetimes
from tensorboard_plugin_memviewer.analysis.lifetimes.overlaps import overlap_problems
from tensorboard_plugin_memviewer.analysis.lifetimes.program_order import (
    ProgramOrder,
    program_order,
)
from tensorboard_plugin_memviewer.analysis.occupancy import occupancy
from tensorboard_plugin_memviewer.analysis.owners.categories import Categories, find_categories
from tensorboard_plugin_memviewer.analysis.owners.owners import Owners, find_owners
from tensorboard_plugin_memviewer.analysis.replay import (
    Spans,
    SpanSource,
    SpanSources,
    address_range,
    replay,
)
from tensorboard_plugin_memviewer.analysis.scope import Places, places_of
from tensorboard_plugin_memviewer.analysis.shared_bytes import SharedBytes, join_shared, shared_bytes
from tensorboard_plugin_memviewer.analysis.sources import Sources, sources_of
from tensorboard_plugin_memviewer.errors import Problem
from tensorboard_plugin_memviewer.model.module import AllocationType, Flags, Ints, Module, Rows


@dataclass(frozen=True)
class Plan:
    """A module with its program order and the spans of its temporary buffers."""

    module: Module
    order: ProgramOrder
    spans: Spans
    problems: tuple[Problem, ...]
    lifetimes: Lifetimes | None = None

    @property
    def spaces(self) -> tuple[int, ...]:
        """The memory spaces that the module uses, ascending: those of allocations and of scoped memory."""
        allocated, scoped = self.module.allocations.space, self.module.scoped.space
        return tuple(np.union1d(allocated, scoped).tolist())

    @cached_property
    def places(self) -> Places:
        """Where in the user's own program instructions stand, by row of Module.metadata."""
        return places_of(entry.op_name for entry in self.module.metadata)

    @cached_property
    def categories(self) -> Categories:
        """What kind of memory each logical buffer is."""
        return find_categories(self.module, self.order, self.lifetimes)

    @cached_property
    def owners(self) -> Owners:
        """Whose memory each logical buffer is."""
        return find_owners(self)

    @cached_property
    def sources(self) -> Sources:
        """Where in the user's files instructions come from, by row of Module.metadata."""
        return sources_of(self.module)


@dataclass(frozen=True, slots=True)
class Headline:
    """The numbers of one memory space of one module, integer bytes, by the names of docs/numbers.md.

    `peak_point` is a program point. The lines of the ledger sum exactly: allocated_bytes = argument + output
    + constant + temporary_bytes, and temporary_bytes = temporary_peak_bytes + fragmentation_bytes.
    `thread_local_bytes` is in none of the others: it lies inside kernels and host calls, and neither XLA's
    own totals nor its out-of-memory check count it against the device.
    """

    peak_bytes: int
    peak_point: int
    allocated_bytes: int
    argument_bytes: int
    output_bytes: int
    thread_local_bytes: int
    constant_bytes: int
    temporary_bytes: int
    aliased_bytes: int
    temporary_peak_bytes: int
    untraced_bytes: int
    indefinite_bytes: int
    scoped_at_peak_bytes: int
    max_scoped_bytes: int
    required_bytes: int
    fragmentation_bytes: int
    unpadded_at_peak_bytes: int
    padding_bytes: int

    def as_dict(self) -> dict[str, int]:
        """The numbers by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True, slots=True)
class SpaceBuffers:
    """The buffers of a memory space, a row a span, ordered by start, then by logical buffer.

    `buffer` is the row of LogicalBuffers, -1 for an indefinite allocation that holds no buffer; `allocation`
    the row of Allocations, -1 for a buffer without one. `size` is bytes as stored, for the buffer that
    represents an indefinite allocation the allocation's. `represents` marks the rows that make up the live
    set: spans of temporaries, and one row for each indefinite allocation; `[start, end)` are program points.
    `source` holds SpanSource (TRACED for what is held for the whole run).
    """

    buffer: Rows
    allocation: Rows
    offset: Ints
    size: Ints
    unpadded: Ints
    start: Ints
    end: Ints
    source: SpanSources
    represents: Flags

    def __len__(self) -> int:
        return len(self.buffer)


@dataclass(frozen=True, slots=True)
class SpaceUsage:
    """Usage of memory space `space` at each program point, in bytes: arrays of `points` length.

    `usage` includes `scoped`; `unpadded` is never more than `usage`. `shared` makes sizes add up to usage;
    None where that is not known.
    """

    space: int
    usage: Ints
    unpadded: Ints
    scoped: Ints
    headline: Headline
    buffers: SpaceBuffers
    shared: SharedBytes | None

    @property
    def points(self) -> int:
        """The number of program points."""
        return len(self.usage)


def plan(module: Module) -> Plan:
    """The module with program order and replay: what every memory space of it shares."""
    order = program_order(module)
    lifetimes = find_lifetimes(module, order)
    spans, problems = replay(module, order, lifetimes)
    known = () if lifetimes is None else lifetimes.problems
    problems = module.problems + known + problems + overlap_problems(module, spans, lifetimes)
    return Plan(module, order, spans, problems, lifetimes)


def space_usage(plan: Plan, space: int) -> SpaceUsage:
    """The usage of one memory space. A space that the module does not use is all zeros."""
    allocations = plan.module.allocations
    of_space = np.nonzero(allocations.space == space)[0].astype(np.int32)
    thread_local = allocations.type[of_space] == AllocationType.THREAD_LOCAL
    rows = of_space[~thread_local]
    indefinite = rows[allocations.type[rows] != AllocationType.TEMPORARY]
    temporary, temporary_unpadded, untraced, shared = _temporary_usage(plan, space)
    representative = _representatives(plan.module, indefinite)
    scoped = _scoped_usage(plan, space)
    indefinite_bytes = int(allocations.size[indefinite].sum())
    usage = indefinite_bytes + temporary + scoped
    indefinite_unpadded = _indefinite_unpadded(plan.module, indefinite, representative)
    unpadded = indefinite_unpadded + temporary_unpadded + scoped
    peak = int(np.argmax(usage))
    sums = {
        kind: int(allocations.size[rows[allocations.type[rows] == kind]].sum()) for kind in AllocationType
    }
    allocated = sum(sums.values())
    temporary_peak, max_scoped = int(temporary.max()), int(scoped.max())
    headline = Headline(
        peak_bytes=int(usage[peak]),
        peak_point=peak,
        allocated_bytes=allocated,
        argument_bytes=sums[AllocationType.PARAMETER],
        output_bytes=sums[AllocationType.OUTPUT],
        thread_local_bytes=int(allocations.size[of_space[thread_local]].sum()),
        constant_bytes=sums[AllocationType.CONSTANT],
        temporary_bytes=sums[AllocationType.TEMPORARY],
        aliased_bytes=int(allocations.size[rows[allocations.aliased[rows]]].sum()),
        temporary_peak_bytes=temporary_peak,
        untraced_bytes=untraced,
        indefinite_bytes=indefinite_bytes,
        scoped_at_peak_bytes=int(scoped[peak]),
        max_scoped_bytes=max_scoped,
        required_bytes=allocated + max_scoped,
        fragmentation_bytes=sums[AllocationType.TEMPORARY] - temporary_peak,
        unpadded_at_peak_bytes=int(unpadded[peak]),
        padding_bytes=int(usage[peak] - unpadded[peak]),
    )
    buffers, row_of_span = _space_buffers(plan, space, indefinite, representative)
    shared = None if shared is None else replace(shared, row=row_of_span[shared.row])
    return SpaceUsage(space, usage, unpadded, scoped, headline, buffers, shared)


def _temporary_usage(plan: Plan, space: int) -> tuple[Ints, Ints, int, SharedBytes | None]:
    """Union and unpadded usage of Temporary allocations at each point; the largest union of what no trace
    lists; and what they share, by row of `plan.spans`.
    """
    module, spans = plan.module, plan.spans
    allocation_of_span = module.buffers.allocation[spans.buffer]
    in_space = np.nonzero(module.allocations.space[allocation_of_span] == space)[0]
    # By buffer where spans start together, as the rows of SpaceBuffers: the lower row keeps what is shared.
    in_space = in_space[np.lexsort((spans.buffer[in_space], allocation_of_span[in_space]))]
    first = np.nonzero(np.diff(allocation_of_span[in_space], prepend=-1))[0]
    change, change_unpadded = (np.zeros(plan.order.points + 1, np.int64) for _ in range(2))
    untraced_bytes = 0
    shared: list[SharedBytes | None] = []
    for group in np.split(in_space, first[1:]) if len(in_space) else ():
        buffer, untraced = spans.buffer[group], spans.source[group] != SpanSource.TRACED
        start, end = spans.start[group], spans.end[group]
        low, high = address_range(module, buffer)
        union = occupancy(start, end, low, high)
        np.add.at(change, union.points, np.diff(union.bytes, prepend=0))
        shared.append(shared_bytes(group, module.buffers.size[buffer], (start, end, low, high), union))
        sums = _live_sum(start, end, module.buffers.unpadded[buffer], union.points)
        np.add.at(change_unpadded, union.points, np.diff(np.minimum(union.bytes, sums), prepend=0))
        if untraced.any():
            unlisted = occupancy(start[untraced], end[untraced], low[untraced], high[untraced])
            untraced_bytes += int(unlisted.bytes.max())
    used, used_unpadded = np.cumsum(change)[:-1], np.cumsum(change_unpadded)[:-1]
    return used, used_unpadded, untraced_bytes, join_shared(shared)


def _live_sum(start: Ints, end: Ints, amount: Ints, at: Ints) -> Ints:
    """Σ amount of the spans live at each of the ascending points `at`, which hold every start and end."""
    keep = end > start
    change = np.zeros(len(at) + 1, np.int64)
    np.add.at(change, np.searchsorted(at, start[keep]), amount[keep])
    np.add.at(change, np.searchsorted(at, end[keep]), -amount[keep])
    total: Ints = np.cumsum(change)[:-1]
    return total


def _representatives(module: Module, indefinite: Rows) -> Rows:
    """The buffer of each indefinite allocation: an argument's own, else the largest, first among equals; -1
    where there is none.
    """
    allocations = module.allocations
    owners = np.repeat(np.arange(len(allocations)), np.diff(allocations.assigned_start))
    # What a loop carries, or the output that takes an argument's place, may be as large and come before it.
    of_argument = _of_entry_parameters(module)[allocations.assigned]
    preferred = np.lexsort((-module.buffers.size[allocations.assigned], ~of_argument, owners))
    held, first = np.unique(owners[preferred], return_index=True)
    of_allocation = np.full(len(allocations), -1, np.int32)
    of_allocation[held] = allocations.assigned[preferred[first]]
    return of_allocation[indefinite]


def _of_entry_parameters(module: Module) -> Flags:
    """Whether logical buffers are defined by a parameter of the entry computation: arguments."""
    table = module.instructions
    found = np.zeros(len(table) + 1, np.bool_)  # The last is for buffers of no known instruction.
    entry = -1 if module.entry is None else module.entry
    found[:-1] = table.has_opcode("parameter") & (table.computation == entry)
    result: Flags = found[module.buffers.instruction]
    return result


def _indefinite_unpadded(module: Module, indefinite: Rows, representative: Rows) -> int:
    """Σ unpadded bytes of indefinite allocations. One that holds no buffer is not known to be padded."""
    size = module.allocations.size[indefinite]
    held = representative >= 0
    unpadded = size.copy()
    unpadded[held] = np.minimum(size[held], module.buffers.unpadded[representative[held]])
    return int(unpadded.sum())


def _scoped_usage(plan: Plan, space: int) -> Ints:
    """Scoped memory at the point of the instruction that reserves it; none on axis "events"."""
    scoped = plan.module.scoped
    result = np.zeros(plan.order.points, np.int64)
    rows = np.nonzero(scoped.space == space)[0]
    point = plan.order.point[scoped.instruction[rows]]
    np.add.at(result, point[point >= 0], scoped.size[rows[point >= 0]])
    return result


def _space_buffers(
    plan: Plan, space: int, indefinite: Rows, representative: Rows
) -> tuple[SpaceBuffers, Rows]:
    """Every buffer of the space: of indefinite allocations for the whole run, and spans of temporaries; and
    by row of `plan.spans` the row that it became, -1 for those of other spaces.
    """
    module, spans, points = plan.module, plan.spans, plan.order.points
    of_allocation, of_buffer = module.allocations, module.buffers
    traced = np.nonzero(of_allocation.space[of_buffer.allocation[spans.buffer]] == space)[0]
    others, owners = _others(module, indefinite, representative)
    still, others_end = len(representative), len(representative) + len(others)
    buffer = np.concatenate([representative, others, spans.buffer[traced]]).astype(np.int32)
    allocation = np.concatenate([indefinite, owners, of_buffer.allocation[spans.buffer[traced]]])
    size = _gathered(of_buffer.size, buffer)
    size[:still] = of_allocation.size[indefinite]
    unpadded = np.where(buffer >= 0, _gathered(of_buffer.unpadded, buffer), size)
    start = np.concatenate([np.zeros(others_end, np.int64), spans.start[traced]])
    end = np.concatenate([np.full(others_end, points, np.int64), spans.end[traced]])
    rows = np.arange(len(buffer))
    order = np.lexsort((buffer, start))
    place = np.empty(len(order), np.int32)
    place[order] = rows
    row_of_span = np.full(len(spans.buffer), -1, np.int32)
    row_of_span[traced] = place[others_end:]
    table = SpaceBuffers(
        buffer=buffer[order],
        allocation=allocation[order].astype(np.int32),
        offset=_gathered(of_buffer.offset, buffer)[order],
        size=size[order],
        unpadded=np.minimum(unpadded, size)[order],
        start=start[order],
        end=end[order],
        source=np.concatenate([np.zeros(others_end, np.int8), spans.source[traced]])[order],
        represents=((rows < still) | (rows >= others_end))[order],
    )
    return table, row_of_span


def _gathered(column: Ints, rows: Rows) -> Ints:
    """A new column `column[rows]`, 0 where a row is absent (negative)."""
    result = np.zeros(len(rows), np.int64)
    result[rows >= 0] = column[rows[rows >= 0]]
    return result


def _others(module: Module, indefinite: Rows, representative: Rows) -> tuple[Rows, Rows]:
    """The buffers of indefinite allocations that do not represent them, and their allocations."""
    of_indefinite = np.zeros(len(module.allocations) + 1, np.bool_)
    of_indefinite[indefinite] = True
    rows = np.nonzero(of_indefinite[module.buffers.allocation])[0]
    rows = rows[~np.isin(rows, representative)]
    return rows.astype(np.int32), module.buffers.allocation[rows]
