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
# No text that programs write has it.
_BETWEEN: Final = "\0"


class GroupPath(NamedTuple):
    """Names of nested groups, outermost first: the parts of `scope`, then `names`.

    A flat list shows the group of the scope and the first `listed` names. `text` is its key there where it is
    not those names with slashes between.
    """

    scope: str = ""
    names: tuple[str, ...] = ()
    listed: int = 1
    text: str | None = None

    def parts(self, count: int) -> tuple[str, ...]:
        """All names of the scope, and `count` of those below it."""
        return (*(self.scope.split("/") if self.scope else ()), *self.names[:count])


class Keyed(NamedTuple):
    """What a grouping knows of the rows of SpaceUsage.buffers: columns of integers, -1 for none, and the path
    of each combination of them.
    """

    columns: Sequence[Ints]
    path_of: Callable[..., GroupPath]


class Listing(NamedTuple):
    """The groups of a flat list: path i is in group `group[i]`. Each has a key and a path of names."""

    group: Ints
    keys: tuple[str, ...]
    paths: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Grouping:
    """Every row of SpaceUsage.buffers by path, the same at every point: row i has `paths[code[i]]`. Paths are
    distinct, in the order of the rows that have them first.
    """

    paths: tuple[GroupPath, ...]
    code: Ints

    @cached_property
    def listing(self) -> Listing:
        """The groups that a flat list shows."""
        known: dict[str, int] = {}
        keys: list[str] = []
        names: list[tuple[str, ...]] = []
        for path in self.paths:
            if known.setdefault(_joined(path, path.listed), len(keys)) == len(keys):
                names.append(path.parts(path.listed))
                keys.append("/".join(names[-1]) if path.text is None else path.text)
        return Listing(
            np.array([_listed(path, known) for path in self.paths], np.int64), tuple(keys), tuple(names)
        )


def grouped(keyed: Keyed) -> Grouping:
    """All rows by path."""
    first, inverse = _distinct(keyed.columns)
    numbers: dict[GroupPath, int] = {}
    rows = zip(*(column[first].tolist() for column in keyed.columns), strict=True)
    code = [numbers.setdefault(_shallow(keyed.path_of(*row)), len(numbers)) for row in rows]
    return Grouping(tuple(numbers), np.array(code, np.int64)[inverse])


def _listed(path: GroupPath, known: dict[str, int]) -> int:
    """The innermost group of a flat list that has the path in it: what is below one can be another, as the
    operation `while` of scope `step` and the scope `step/while`.
    """
    for count in range(len(path.names), path.listed, -1):
        group = known.get(_joined(path, count))
        if group is not None:
            return group
    return known[_joined(path, path.listed)]


def _joined(path: GroupPath, count: int) -> str:
    scope = path.scope.replace("/", _BETWEEN)
    return _BETWEEN.join((scope, *path.names[:count])) if scope else _BETWEEN.join(path.names[:count])


def _shallow(path: GroupPath) -> GroupPath:
    names = path.names
    if len(names) <= _DEEPEST:
        return path
    return path._replace(names=(*names[: _DEEPEST - 1], "/".join(names[_DEEPEST - 1 :])))


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
