"""The buffers alive at a program point, and their bytes grouped by what people ask about.

The parts always add up: usage = Σ groups − bytes that live buffers share + scoped memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tensorboard_plugin_memviewer.analysis.usage import Plan, SpaceUsage
from tensorboard_plugin_memviewer.model.module import AllocationType, Ints, OpMetadata, Rows

NO_NAME = "(no name)"
_NO_SOURCE = "(no source line)"


class Group(NamedTuple):
    """Live buffers that share a key. `rows` are rows of SpaceUsage.buffers, largest first; sizes in bytes."""

    key: str
    bytes: int
    unpadded_bytes: int
    rows: Ints


@dataclass(frozen=True, slots=True)
class Breakdown:
    """The live set at `point`, grouped. usage_bytes = Σ group bytes − shared_bytes + scoped_bytes, exactly.

    `shared_bytes` are counted in more than one buffer because live buffers share addresses.
    """

    point: int
    usage_bytes: int
    shared_bytes: int
    scoped_bytes: int
    groups: tuple[Group, ...]


def live_rows(usage: SpaceUsage, point: int) -> Ints:
    """Rows of `usage.buffers` that make up the live set at a point, in program order."""
    table = usage.buffers
    rows: Ints = np.nonzero(table.represents & (table.start <= point) & (point < table.end))[0]
    return rows


def largest_live_rows(usage: SpaceUsage, point: int) -> Ints:
    """The same rows, the largest first; equal ones in program order."""
    rows = live_rows(usage, point)
    largest: Ints = rows[np.argsort(-usage.buffers.size[rows], kind="stable")]
    return largest


@dataclass(frozen=True, slots=True)
class Grouping:
    """Every row of SpaceUsage.buffers by key: row i has the key `keys[code[i]]`. The same at every point."""

    by: str
    keys: tuple[str, ...]
    code: Rows


def grouping(plan: Plan, usage: SpaceUsage, by: str) -> Grouping:
    """All buffers of a space by one of GROUPINGS. Raises KeyError for another `by`."""
    values, key_of = GROUPINGS[by](plan, usage)
    known, first, value_of_row = np.unique(values, return_index=True, return_inverse=True)
    nothing = _NO_SOURCE if by == "source" else NO_NAME
    # Keys in the order of the rows: groups of equal size then keep it.
    order = np.argsort(first)
    keys = [(key_of(value) if value >= 0 else "") or nothing for value in known[order].tolist()]
    numbers: dict[str, int] = {}
    code = np.empty(len(known), np.int32)
    code[order] = [numbers.setdefault(key, len(numbers)) for key in keys]
    return Grouping(by, tuple(numbers), code[value_of_row])


def breakdown(usage: SpaceUsage, grouped: Grouping, point: int) -> Breakdown:
    """The live set at a point, grouped, largest group first. Raises IndexError outside the program."""
    if not 0 <= point < usage.points:
        raise IndexError(point)
    rows = live_rows(usage, point)
    rows = rows[np.lexsort((rows, -usage.buffers.size[rows], grouped.code[rows]))]
    code = grouped.code[rows]
    first = np.nonzero(np.diff(code, prepend=-1))[0]
    sums = [np.add.reduceat(amount[rows], first) for amount in (usage.buffers.size, usage.buffers.unpadded)]
    starts, ends = first.tolist(), [*first[1:].tolist(), len(rows)]
    groups = [
        Group(grouped.keys[key], size, unpadded, rows[start:end])
        for key, size, unpadded, start, end in zip(
            code[first].tolist(), sums[0].tolist(), sums[1].tolist(), starts, ends, strict=False
        )
    ]
    groups.sort(key=lambda group: group.bytes, reverse=True)
    scoped, total = int(usage.scoped[point]), int(usage.usage[point])
    shared = sum(group.bytes for group in groups) + scoped - total
    return Breakdown(point, total, shared, scoped, tuple(groups))


def metadata_of(plan: Plan, usage: SpaceUsage, row: int) -> OpMetadata:
    """What the framework said of the instruction that defines the buffer in a row."""
    buffer = int(usage.buffers.buffer[row])
    instruction = int(plan.module.buffers.instruction[buffer]) if buffer >= 0 else -1
    return plan.module.metadata[plan.module.instructions.metadata[instruction] if instruction >= 0 else 0]


# A number for each row of SpaceUsage.buffers, -1 where there is nothing, and the key that a number means.
_Column = tuple[Ints, Callable[[int], str]]


def _of_buffers(usage: SpaceUsage, column: Rows) -> Ints:
    """`column`, which has a number for each logical buffer, for each row."""
    buffers = usage.buffers.buffer
    values = np.full(len(buffers), -1, np.int64)
    values[buffers >= 0] = column[buffers[buffers >= 0]]
    return values


def _of_instructions(plan: Plan, usage: SpaceUsage, column: Rows) -> Ints:
    """`column`, which has a number for each instruction, for each row."""
    values = _of_buffers(usage, plan.module.buffers.instruction)
    values[values >= 0] = column[values[values >= 0]]
    return values


def _by_scope(plan: Plan, usage: SpaceUsage) -> _Column:
    places = plan.places
    values = _of_instructions(plan, usage, places.row[plan.module.instructions.metadata])
    return values, lambda value: places.table[value].scope


def _by_source(plan: Plan, usage: SpaceUsage) -> _Column:
    sources = plan.sources

    def key(value: int) -> str:
        source = sources.table[value]
        return "" if source is None else source.text()

    return _of_instructions(plan, usage, sources.row[plan.module.instructions.metadata]), key


def _by_type(plan: Plan, usage: SpaceUsage) -> _Column:
    types = plan.module.allocations.type[usage.buffers.allocation]
    return types.astype(np.int64), lambda value: AllocationType(value).label


def _by_opcode(plan: Plan, usage: SpaceUsage) -> _Column:
    table = plan.module.instructions
    return _of_instructions(plan, usage, table.opcode), lambda value: table.opcodes[value]


def _by_dtype(plan: Plan, usage: SpaceUsage) -> _Column:
    shapes = plan.module.shapes
    return _of_buffers(usage, plan.module.buffers.shape), lambda value: shapes[value].type_name


def _by_shape(plan: Plan, usage: SpaceUsage) -> _Column:
    shapes = plan.module.shapes
    return _of_buffers(usage, plan.module.buffers.shape), lambda value: shapes[value].text()


GROUPINGS: dict[str, Callable[[Plan, SpaceUsage], _Column]] = {
    "scope": _by_scope,
    "source": _by_source,
    "type": _by_type,
    "opcode": _by_opcode,
    "dtype": _by_dtype,
    "shape": _by_shape,
}
