"""Phases: a label for every program point that locates it in the user's own program.

Takes places by point and gives a table of phases with a column of rows into it, few enough to color a strip
with. Knows nothing of modules or buffers; scope.py interprets names, and phase_merging.py limits the number
of phases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tensorboard_plugin_memviewer.analysis.phase_merging import merged
from tensorboard_plugin_memviewer.analysis.scope import Direction, Place

MOST_PHASES: Final = 64


@dataclass(frozen=True, slots=True)
class Phase:
    """A part of the user's program: its scope (slashes between), which pass, and whether it is computed
    again.

    `scope` is empty where no point has a name. Where it stands for several numbered scopes it says which
    ("layer_0-9") or `*`. `label` is for people: "layer_3/attn backward".
    """

    scope: str
    direction: Direction
    remat: bool
    label: str


@dataclass(frozen=True, slots=True)
class Phases:
    """`column[p]` is the row in `table` of program point p's phase. Rows are in order of first appearance."""

    table: tuple[Phase, ...]
    column: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class PointPlaces:
    """What is known by program point, as columns of equal length.

    `place` holds rows of `table`. `rematerialized` marks what XLA itself computes again. `region` tells
    called computations (a loop's body, a branch) apart; any numbers do.
    """

    table: Sequence[Place]
    place: NDArray[np.int32]
    rematerialized: NDArray[np.bool_]
    region: NDArray[np.int32]


def phases(points: PointPlaces, most: int = MOST_PHASES) -> Phases:
    """The phase of every program point; at most `most` phases (and never fewer than the passes there are).

    An instruction without a scope is the compiler's own (a copy, a tuple). It belongs to what comes before it
    in the same region, else to what comes after it there, else to what comes before or after it anywhere.
    """
    return joint_phases((points,), most)[0]


def joint_phases(parts: Sequence[PointPlaces], most: int = MOST_PHASES) -> list[Phases]:
    """The phases of several modules, as of one: gathered alike, so that all of them have one table."""
    table = [place for part in parts for place in part.table]
    before = np.cumsum([0, *(len(part.table) for part in parts)])
    rows = np.concatenate([part.place + first for part, first in zip(parts, before.tolist(), strict=False)])
    again = np.concatenate([part.rematerialized for part in parts])
    codes, code = np.unique(rows.astype(np.int64) * 2 + again, return_inverse=True)
    keys = [_key(table[value // 2], bool(value % 2)) for value in codes.tolist()]
    named = [key for key in keys if key is not None]
    groups = merged(named, most)
    row_of_code = np.full(len(keys), -1, np.int32)
    row_of_code[[key is not None for key in keys]] = groups.row
    ends = np.cumsum([len(part.place) for part in parts])[:-1]
    columns = [
        _filled(column, part.region)
        for column, part in zip(np.split(row_of_code[code], ends), parts, strict=True)
    ]
    found = _in_order_of_appearance(groups.phases, np.concatenate(columns))
    return [Phases(found.table, column) for column in np.split(found.column, ends)]


def _key(place: Place, rematerialized: bool) -> Place | None:
    """The key that distinguishes phases; None if the name has none."""
    if not place.path and place.direction == "none":
        return None
    return place._replace(remat=True) if rematerialized else place


def _filled(column: NDArray[np.int32], region: NDArray[np.int32]) -> NDArray[np.int32]:
    """Give points with row -1 the row of a neighbor; -1 stays where no point has any."""
    points = np.arange(len(column))
    known = column >= 0
    before = np.maximum.accumulate(np.where(known, points, -1))
    after = np.minimum.accumulate(np.where(known, points, len(column))[::-1])[::-1]
    stretch = np.cumsum(np.diff(region, prepend=region[:1]) != 0)
    has_before, has_after = before >= 0, after < len(column)
    safe_before, safe_after = np.maximum(before, 0), np.minimum(after, len(column) - 1)
    near = np.select(
        [
            has_before & (stretch[safe_before] == stretch),
            has_after & (stretch[safe_after] == stretch),
            has_before,
            has_after,
        ],
        [safe_before, safe_after, safe_before, safe_after],
        default=points,
    )
    filled: NDArray[np.int32] = column[near]
    return filled


def _in_order_of_appearance(keys: list[Place], column: NDArray[np.int32]) -> Phases:
    rows, first, inverse = np.unique(column, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(rows), np.int32)
    rank[order] = np.arange(len(rows), dtype=np.int32)
    seen = [keys[row] if row >= 0 else None for row in rows[order].tolist()]
    return Phases(_described(seen), rank[inverse])


def _described(keys: Sequence[Place | None]) -> tuple[Phase, ...]:
    """Labels leave out the program's own function, which all scopes begin with, where something is left."""
    roots = {key.path[:1] for key in keys if key is not None}
    return tuple(_phase(key, 1 if len(roots) == 1 else 0) for key in keys)


def _phase(key: Place | None, shared: int) -> Phase:
    if key is None:
        return Phase("", "none", False, "no names")
    words = ["/".join(key.path[shared:] or key.path)]
    words += [] if key.direction == "none" else [key.direction]
    label = " ".join(word for word in words if word) or "other"
    return Phase(key.scope, key.direction, key.remat, f"{label}, recomputed" if key.remat else label)
