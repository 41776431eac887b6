"""The buffers alive at a program point, and their bytes by group.

The parts always add up: usage = Σ groups − bytes that live buffers share + scoped memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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

    keys: tuple[str, ...]
    code: Ints


def grouping(plan: Plan, usage: SpaceUsage, by: str) -> Grouping:
    """All buffers of a space by one of GROUPINGS. Raises KeyError for another `by`."""
    code, keys = GROUPINGS[by](plan, usage)
    nameless = (code < 0) | (code == keys.index("")) if "" in keys else code < 0
    names = (*keys, _NO_SOURCE if by == "source" else NO_NAME)
    # The program's own word for something can be the same: one group then.
    return Grouping(names, np.where(nameless, names.index(names[-1]), code))


def breakdown(usage: SpaceUsage, grouped: Grouping, point: int) -> Breakdown:
    """The live set at a point, grouped: the largest group first, of equal ones that of the buffer defined
    first. Raises IndexError outside the program.
    """
    if not 0 <= point < usage.points:
        raise IndexError(point)
    rows = live_rows(usage, point)
    rows = rows[np.lexsort((rows, -usage.buffers.size[rows], grouped.code[rows]))]
    code = grouped.code[rows]
    starts = np.nonzero(np.diff(code, prepend=-1))[0]
    ends = np.append(starts[1:], len(rows))
    bytes_, unpadded = (
        np.add.reduceat(amount[rows], starts) for amount in (usage.buffers.size, usage.buffers.unpadded)
    )
    order = np.lexsort((np.minimum.reduceat(rows, starts), -bytes_))
    columns = (code[starts], bytes_, unpadded, starts, ends)
    groups = tuple(
        Group(grouped.keys[key], size, size_unpadded, rows[start:end])
        for key, size, size_unpadded, start, end in zip(
            *(one[order].tolist() for one in columns), strict=True
        )
    )
    scoped, total = int(usage.scoped[point]), int(usage.usage[point])
    shared = int(bytes_.sum()) + scoped - total
    return Breakdown(point, total, shared, scoped, groups)


def metadata_of(plan: Plan, usage: SpaceUsage, row: int) -> OpMetadata:
    """The framework's information about the instruction that defines the buffer in a row."""
    buffer = int(usage.buffers.buffer[row])
    instruction = int(plan.module.buffers.instruction[buffer]) if buffer >= 0 else -1
    return plan.module.metadata[plan.module.instructions.metadata[instruction] if instruction >= 0 else 0]


# A number for each row of SpaceUsage.buffers, -1 where there is nothing, and the keys that numbers mean.
_Column = tuple[Ints, Sequence[str]]


def _keyed(values: Ints, key_of: Callable[[int], str]) -> _Column:
    """Numbers of the keys that values mean, where several can mean the same one; -1 stays."""
    codes = np.full(int(values.max(initial=-1)) + 2, -1, np.int64)
    numbers: dict[str, int] = {}
    for value in (np.nonzero(np.bincount(values + 1))[0] - 1).tolist():
        if value >= 0:
            codes[value] = numbers.setdefault(key_of(value), len(numbers))
    # -1 finds the last, which no value has.
    return codes[values], tuple(numbers)


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
    return _of_instructions(plan, usage, places.scope[plan.module.instructions.metadata]), places.scopes


def _by_source(plan: Plan, usage: SpaceUsage) -> _Column:
    sources = plan.sources

    def key(value: int) -> str:
        source = sources.table[value]
        return "" if source is None else source.text()

    return _keyed(_of_instructions(plan, usage, sources.row[plan.module.instructions.metadata]), key)


def _by_type(plan: Plan, usage: SpaceUsage) -> _Column:
    types = plan.module.allocations.type[usage.buffers.allocation]
    return types.astype(np.int64), [kind.label for kind in AllocationType]


def _by_opcode(plan: Plan, usage: SpaceUsage) -> _Column:
    table = plan.module.instructions
    return _of_instructions(plan, usage, table.opcode), table.opcodes


def _by_dtype(plan: Plan, usage: SpaceUsage) -> _Column:
    shapes = plan.module.shapes
    return _keyed(_of_buffers(usage, plan.module.buffers.shape), lambda value: shapes[value].type_name)


def _by_shape(plan: Plan, usage: SpaceUsage) -> _Column:
    shapes = plan.module.shapes
    return _keyed(_of_buffers(usage, plan.module.buffers.shape), lambda value: shapes[value].text())


GROUPINGS: dict[str, Callable[[Plan, SpaceUsage], _Column]] = {
    "scope": _by_scope,
    "source": _by_source,
    "type": _by_type,
    "opcode": _by_opcode,
    "dtype": _by_dtype,
    "shape": _by_shape,
}
