"""The buffers alive at a program point, and their bytes by group.

The parts always add up: usage = Σ groups − bytes that live buffers share + scoped memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tensorboard_plugin_memviewer.analysis.grouping.groups import Grouping
from tensorboard_plugin_memviewer.analysis.usage import Plan, SpaceUsage
from tensorboard_plugin_memviewer.model.module import Ints
from tensorboard_plugin_memviewer.model.op_metadata import OpMetadata


class Group(NamedTuple):
    """Live buffers of one group. `rows` are rows of SpaceUsage.buffers, largest first; sizes in bytes.

    `path` are the names of the groups that it is in, itself last; `key` is the same as one text.
    """

    key: str
    path: tuple[str, ...]
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


def breakdown(usage: SpaceUsage, grouped: Grouping, point: int) -> Breakdown:
    """The live set at a point, grouped: the largest group first, of equal ones that of the buffer defined
    first. Raises IndexError outside the program.
    """
    if not 0 <= point < usage.points:
        raise IndexError(point)
    rows = live_rows(usage, point)
    listing = grouped.listing
    code = listing.group[grouped.code[rows]]
    order = np.lexsort((rows, -usage.buffers.size[rows], code))
    rows, code = rows[order], code[order]
    starts = np.nonzero(np.diff(code, prepend=-1))[0]
    ends = np.append(starts[1:], len(rows))
    bytes_, unpadded = (
        np.add.reduceat(amount[rows], starts) for amount in (usage.buffers.size, usage.buffers.unpadded)
    )
    order = np.lexsort((np.minimum.reduceat(rows, starts), -bytes_))
    columns = (code[starts], bytes_, unpadded, starts, ends)
    groups = tuple(
        Group(listing.keys[group], listing.paths[group], size, size_unpadded, rows[start:end])
        for group, size, size_unpadded, start, end in zip(
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
