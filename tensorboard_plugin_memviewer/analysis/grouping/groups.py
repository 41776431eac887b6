"""Paths of group names, and which path and group each row of a memory space has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from tensorboard_plugin_memviewer.model.module import Ints

# Names are anybody's text: what is deeper is one name.
_DEEPEST: Final = 100


class GroupNames(NamedTuple):
    """Names of nested groups, outermost first, below the scope if a buffer has one.

    A flat list shows the group of the scope and the first `listed` names. `text` is its key there where it is
    not those names with slashes between.
    """

    names: tuple[str, ...] = ()
    listed: int = 1
    text: str | None = None


class Keyed(NamedTuple):
    """What a grouping knows of the rows of SpaceUsage.buffers: columns of integers, -1 for none, and names
    for each combination of them. `scope` is, by row, the one of `scopes` before the names, -1 for none.
    """

    columns: Sequence[Ints]
    names_of: Callable[..., GroupNames]
    scope: Ints | None = None
    scopes: Sequence[str] = ()


class Listing(NamedTuple):
    """The groups of a flat list: path i is in group `group[i]`. Each has a key and a path of names."""

    group: Ints
    keys: tuple[str, ...]
    paths: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Grouping:
    """Every row of SpaceUsage.buffers by path, the same at every point: row i has path `code[i]`.

    Path p is the parts of `scopes[scope[p]]`, of none where that is -1, and then `names[below[p]]`. Paths are
    distinct, in the order of the rows that have them first.
    """

    scopes: Sequence[str]
    names: tuple[GroupNames, ...]
    scope: Ints
    below: Ints
    code: Ints

    @cached_property
    def listing(self) -> Listing:
        """The groups that a flat list shows."""
        pairs = list(zip(self.scope.tolist(), self.below.tolist(), strict=True))
        known: dict[tuple[str, ...], int] = {}
        keys: list[str] = []
        for scope, below in pairs:
            found = self.names[below]
            parts = (*self.scope_parts(scope), *found.names[: found.listed])
            if known.setdefault(parts, len(keys)) == len(keys):
                keys.append("/".join(parts) if found.text is None else found.text)
        group = [_listed(self.scope_parts(scope), self.names[below], known) for scope, below in pairs]
        return Listing(np.array(group, np.int64), tuple(keys), tuple(known))

    def scope_parts(self, scope: int) -> tuple[str, ...]:
        """The parts of a scope; of -1 there are none."""
        return tuple(self.scopes[scope].split("/")) if scope >= 0 else ()


def grouped(keyed: Keyed) -> Grouping:
    """All rows by path."""
    first, inverse = _distinct(keyed.columns)
    numbers: dict[GroupNames, int] = {}
    rows = zip(*(column[first].tolist() for column in keyed.columns), strict=True)
    names = [numbers.setdefault(_shallow(keyed.names_of(*row)), len(numbers)) for row in rows]
    below = np.array(names, np.int64)[inverse]
    scope = np.full(len(below), -1, np.int64) if keyed.scope is None else keyed.scope
    first, code = _distinct((scope, below))
    return Grouping(keyed.scopes, tuple(numbers), scope[first], below[first], code)


def _listed(scope: tuple[str, ...], found: GroupNames, known: dict[tuple[str, ...], int]) -> int:
    """The innermost group of a flat list that has the path in it: what is below one can be another, as the
    operation `while` of scope `step` and the scope `step/while`.
    """
    for count in range(len(found.names), found.listed, -1):
        group = known.get((*scope, *found.names[:count]))
        if group is not None:
            return group
    return known[(*scope, *found.names[: found.listed])]


def _shallow(found: GroupNames) -> GroupNames:
    names = found.names
    if len(names) <= _DEEPEST:
        return found
    return found._replace(names=(*names[: _DEEPEST - 1], "/".join(names[_DEEPEST - 1 :])))


def _distinct(columns: Sequence[Ints]) -> tuple[Ints, Ints]:
    """The first row of each distinct combination, ascending, and by row the number of its combination."""
    key = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        key = key * (int(column.max(initial=-1)) + 2) + column + 1
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return first[order], rank[inverse]
