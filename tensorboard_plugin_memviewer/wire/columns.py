"""Integer columns in JSON: plain, as differences or as runs, whichever is shortest. The page decodes all
three.

Absent integers exist only in plain columns, as null. Integers beyond 2**53 are no exact numbers to a browser:
a column that has one is sent as decimal strings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Column: TypeAlias = "list[int] | list[int | None] | list[str] | dict[str, list[int]]"

_EXACT = 1 << 53


def column(values: NDArray[np.generic] | Sequence[int]) -> Column:
    """The shortest encoding of a column of integers or flags."""
    array = np.asarray(values, np.int64)
    if not len(array):
        return []
    if int(array.max()) >= _EXACT or int(array.min()) <= -_EXACT:
        return [str(value) for value in array.tolist()]
    starts = np.nonzero(np.diff(array, prepend=array[0] - 1))[0]
    if 4 * len(starts) <= len(array):
        counts = np.diff(starts, append=len(array))
        return {"runs": np.stack([array[starts], counts], axis=1).ravel().tolist()}
    if len(array) > 64:
        delta = np.diff(array, prepend=0)
        if _digits(delta) < 0.8 * _digits(array):
            return {"delta": delta.tolist()}
    plain: list[int] = array.tolist()
    return plain


def _digits(array: NDArray[np.int64]) -> float:
    """How many characters the numbers take, about."""
    return float(np.log10(np.abs(array).astype(np.float64) + 1).sum()) + len(array)


def optional_column(values: NDArray[np.generic]) -> Column:
    """A column whose negative entries are absent: null in a plain array."""
    array = np.asarray(values, np.int64)
    if not len(array) or int(array.min()) >= 0:
        return column(array)
    return [None if value < 0 else value for value in array.tolist()]
