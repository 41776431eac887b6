"""Makes phases few enough to be read: cuts scopes at a depth and gathers numbered siblings ("layer_0-9").

Of all ways to cut and gather it takes the one that keeps the most phases apart within the limit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tensorboard_plugin_memviewer.analysis.scope import Place

_Ids = NDArray[np.int64]

_DEEPEST: Final = 8
# How many consecutive numbers become one; None: all of them.
_WIDTHS: Final[tuple[int | None, ...]] = (1, 10, 100, 1000, None)
_NUMBER: Final = re.compile(r"(\d+)", re.ASCII)
_MOST_DIGITS: Final = 9


class Merged(NamedTuple):
    """`row[i]` is the row in `phases` of the i-th key given."""

    phases: list[Place]
    row: _Ids


def merged(keys: Sequence[Place], most: int) -> Merged:
    """At most `most` phases that the keys go to, or the passes alone where those are more."""
    columns, parts = _part_columns(keys)
    gathered_by = _Gathered(parts)
    passes = _numbered([(key.direction, key.remat) for key in keys])
    best, best_depth, best_width = passes, 0, _WIDTHS[0]
    for width in _WIDTHS:
        gathered = gathered_by.width(width)
        groups = passes
        for depth, column in enumerate(columns, start=1):
            groups = _joined(groups, gathered[column])
            gained = _count(groups) - _count(best)
            if _count(groups) > most:
                break
            # Of two that tell as much apart, the deeper one says more.
            if gained > 0 or (gained == 0 and width == best_width):
                best, best_depth, best_width = groups, depth, width
    _, first = np.unique(best, return_index=True)
    return Merged([_cut(keys[at], best_depth, best_width) for at in first.tolist()], best)


class _Gathered:
    """Parts of paths, numbered so that those which gather to the same text at a width get the same number."""

    def __init__(self, parts: Sequence[str]) -> None:
        self._count = len(parts)
        pieces = [_NUMBER.split(part) for part in parts]
        self._stem = _numbered([(split[0], tuple(split[2::2])) for split in pieces])
        numbers = ["0" if len(split) == 1 else split[1] for split in pieces]
        # Long ones come after all others, at every width.
        self._number = np.array(
            [10**_MOST_DIGITS if _is_long(digits) else int(digits) for digits in numbers], np.int64
        )

    def width(self, width: int | None) -> _Ids:
        """The numbers at a width."""
        if width == 1:
            return np.arange(self._count)
        if width is None:
            return self._stem
        return _joined(self._stem, self._number // width)


def _is_long(digits: str) -> bool:
    return len(digits) > _MOST_DIGITS


def _part_columns(keys: Sequence[Place]) -> tuple[list[_Ids], list[str]]:
    """Column d says for each key which of the parts its path has at depth d; the part "" ends a path."""
    rows: dict[str, int] = {"": 0}
    depth = min(max((len(key.path) for key in keys), default=0), _DEEPEST)
    columns = np.zeros((depth, len(keys)), np.int64)
    for at, key in enumerate(keys):
        for level, part in enumerate(key.path[:depth]):
            columns[level, at] = rows.setdefault(part, len(rows))
    return list(columns), list(rows)


def _numbered(values: Sequence[object]) -> _Ids:
    """Equal values get equal numbers, from 0 without gaps."""
    rows: dict[object, int] = {}
    return np.array([rows.setdefault(value, len(rows)) for value in values], np.int64)


def _joined(groups: _Ids, parts: _Ids) -> _Ids:
    """Split groups by the part, a number from 0, that their keys have next; numbered from 0 without gaps."""
    pairs = groups * (parts.max(initial=0) + 1) + parts
    joined: _Ids = np.unique(pairs, return_inverse=True)[1].astype(np.int64)
    return joined


def _count(groups: _Ids) -> int:
    return int(groups.max(initial=-1)) + 1


def _cut(key: Place, depth: int, width: int | None) -> Place:
    return key._replace(path=tuple(_gathered(_NUMBER.split(part), width) for part in key.path[:depth]))


def _gathered(pieces: list[str], width: int | None) -> str:
    """Text and numbers in turn as text again, the first number as the range it falls in, others as `*`."""
    if width == 1 or len(pieces) == 1:
        return "".join(pieces)
    others = "*".join(pieces[2::2])
    return f"{pieces[0]}{_range(pieces[1], width)}{others}"


def _range(digits: str, width: int | None) -> str:
    if width is None or _is_long(digits):
        return "*"
    start = int(digits) // width * width
    return f"{start}-{start + width - 1}"
