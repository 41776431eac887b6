"""The buffers alive at a program point, and their bytes grouped by what people ask about.

The parts always add up: usage = Σ groups − bytes that live buffers share + scoped memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tensorboard_plugin_memviewer.analysis.scope import parse_scope
from tensorboard_plugin_memviewer.analysis.sources import source_of
from tensorboard_plugin_memviewer.analysis.usage import Plan, SpaceUsage
from tensorboard_plugin_memviewer.model.module import AllocationType, Ints, OpMetadata, Rows

NO_NAME = "(no name)"


@dataclass(frozen=True, slots=True)
class Group:
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
    key_of = GROUPINGS[by](plan, usage)
    numbers: dict[str, int] = {}
    code = [numbers.setdefault(key_of(row), len(numbers)) for row in range(len(usage.buffers))]
    return Grouping(by, tuple(numbers), np.array(code, np.int32))


def breakdown(usage: SpaceUsage, grouped: Grouping, point: int) -> Breakdown:
    """The live set at a point, grouped, largest group first. Raises IndexError outside the program."""
    if not 0 <= point < usage.points:
        raise IndexError(point)
    rows = live_rows(usage, point)
    rows = rows[np.lexsort((rows, -usage.buffers.size[rows], grouped.code[rows]))]
    code = grouped.code[rows]
    first = np.nonzero(np.diff(code, prepend=-1))[0]
    sums = [np.add.reduceat(amount[rows], first) for amount in (usage.buffers.size, usage.buffers.unpadded)]
    ends = [*first[1:].tolist(), len(rows)]
    groups = [
        Group(grouped.keys[code[start]], int(sums[0][at]), int(sums[1][at]), rows[start:end])
        for at, (start, end) in enumerate(zip(first.tolist(), ends, strict=False))
    ]
    groups.sort(key=lambda group: group.bytes, reverse=True)
    scoped, total = int(usage.scoped[point]), int(usage.usage[point])
    shared = sum(group.bytes for group in groups) + scoped - total
    return Breakdown(point, total, shared, scoped, tuple(groups))


KeyOf = Callable[[int], str]


def _instruction(plan: Plan, usage: SpaceUsage, row: int) -> int:
    buffer = int(usage.buffers.buffer[row])
    return int(plan.module.buffers.instruction[buffer]) if buffer >= 0 else -1


def metadata_of(plan: Plan, usage: SpaceUsage, row: int) -> OpMetadata:
    """What the framework said of the instruction that defines the buffer in a row."""
    instruction = _instruction(plan, usage, row)
    return plan.module.metadata[plan.module.instructions.metadata[instruction] if instruction >= 0 else 0]


def _by_scope(plan: Plan, usage: SpaceUsage) -> KeyOf:
    def key(row: int) -> str:
        return "/".join(parse_scope(metadata_of(plan, usage, row).op_name).path) or NO_NAME

    return key


def _by_source(plan: Plan, usage: SpaceUsage) -> KeyOf:
    def key(row: int) -> str:
        source = source_of(plan.module, metadata_of(plan, usage, row))
        return NO_NAME if source is None else source.text()

    return key


def _by_type(plan: Plan, usage: SpaceUsage) -> KeyOf:
    types = plan.module.allocations.type
    return lambda row: AllocationType(int(types[usage.buffers.allocation[row]])).label


def _by_opcode(plan: Plan, usage: SpaceUsage) -> KeyOf:
    table = plan.module.instructions

    def key(row: int) -> str:
        instruction = _instruction(plan, usage, row)
        return table.opcodes[table.opcode[instruction]] if instruction >= 0 else NO_NAME

    return key


def _by_dtype(plan: Plan, usage: SpaceUsage) -> KeyOf:
    return _of_shape(plan, usage, lambda row: plan.module.shapes[row].type_name)


def _by_shape(plan: Plan, usage: SpaceUsage) -> KeyOf:
    return _of_shape(plan, usage, lambda row: plan.module.shapes[row].text())


def _of_shape(plan: Plan, usage: SpaceUsage, text: Callable[[int], str]) -> KeyOf:
    texts: dict[int, str] = {}

    def key(row: int) -> str:
        buffer = int(usage.buffers.buffer[row])
        if buffer < 0:
            return NO_NAME
        shape = int(plan.module.buffers.shape[buffer])
        if shape not in texts:
            texts[shape] = text(shape)
        return texts[shape]

    return key


GROUPINGS: dict[str, Callable[[Plan, SpaceUsage], KeyOf]] = {
    "scope": _by_scope,
    "source": _by_source,
    "type": _by_type,
    "opcode": _by_opcode,
    "dtype": _by_dtype,
    "shape": _by_shape,
}
