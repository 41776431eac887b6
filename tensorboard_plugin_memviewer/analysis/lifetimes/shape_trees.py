"""Shapes as trees in preorder: how many positions a shape has, and where its elements lie among them.

An array is one position. A tuple is one for itself, then its elements with all below them, in order: so an
element is a contiguous block. Knows nothing of instructions.
"""

from __future__ import annotations

import numpy as np

from tensorboard_plugin_memviewer.model.module import Flags, Ints
from tensorboard_plugin_memviewer.model.shape import Shape

Index = tuple[int, ...]


class ShapeTrees:
    """The trees of a table of shapes. `size` is by row of the table the number of positions.

    Without `tuples` every shape counts as one array.
    """

    def __init__(self, shapes: tuple[Shape, ...], *, tuples: bool = True) -> None:
        self.size: Ints = np.ones(len(shapes), np.int64)
        self._below: dict[int, list[int]] = {}
        self._array: dict[int, Flags] = {}
        self._inner: dict[tuple[int, int], list[int]] = {}
        element_at: list[int] = []
        element_size: list[int] = []
        self._first_element = np.zeros(len(shapes) + 1, np.int64)
        for row, shape in enumerate(shapes):
            if tuples and shape.is_tuple:
                below, array = _preorder(shape)
                self._below[row], self._array[row] = below, np.array(array, np.bool_)
                self.size[row] = len(below)
                at = 1
                while at < len(below):
                    element_at.append(at)
                    element_size.append(below[at])
                    at += below[at]
            self._first_element[row + 1] = len(element_at)
        self._element_at = np.array([*element_at, 0], np.int64)
        self._element_size = np.array([*element_size, 0], np.int64)

    def elements(self, shape: Ints, number: Ints) -> tuple[Ints, Ints]:
        """By pair of a shape's row and an element's number: its offset in the shape, -1 where the shape lacks
        it, and its number of positions.
        """
        first = self._first_element[shape]
        # Compared before it is added: a damaged file may have any number.
        known = (number >= 0) & (number < self._first_element[shape + 1] - first)
        row = np.where(known, first + np.where(known, number, 0), len(self._element_at) - 1)
        return np.where(known, self._element_at[row], -1), self._element_size[row]

    def offset(self, shape: int, index: Index) -> int | None:
        """The offset of a shape index in a shape, None where the shape lacks it."""
        if not index:
            return 0
        if not 0 <= index[0] < self._first_element[shape + 1] - self._first_element[shape]:
            return None
        at = int(self._element_at[self._first_element[shape] + index[0]])
        for number in index[1:]:
            elements = self._elements_of(shape, at)
            if not 0 <= number < len(elements):
                return None
            at = elements[number]
        return at

    def _elements_of(self, shape: int, at: int) -> list[int]:
        """The offsets of the elements of what lies at an offset: walked through once."""
        found = self._inner.get((shape, at))
        if found is None:
            below = self._below[shape]
            end = at + below[at]
            found = self._inner[shape, at] = []
            inside = at + 1
            while inside < end:
                found.append(inside)
                inside += below[inside]
        return found

    def size_below(self, shape: int, offset: int) -> int:
        """The number of positions of what lies at an offset."""
        return self._below[shape][offset] if shape in self._below else 1

    def arrays(self, shape: int) -> Flags:
        """By position of a shape, whether an array stands there."""
        return self._array.get(shape, _ONE_ARRAY)


_ONE_ARRAY = np.ones(1, np.bool_)


def _preorder(shape: Shape) -> tuple[list[int], list[bool]]:
    """By position, the number of positions of what begins there, and whether it is an array."""
    below: list[int] = []
    array: list[bool] = []
    # (shape, None) opens a position, (None, position) closes it.
    pending: list[tuple[Shape | None, int]] = [(shape, 0)]
    while pending:
        inner, position = pending.pop()
        if inner is None:
            below[position] = len(below) - position
            continue
        pending.append((None, len(below)))
        below.append(1)
        array.append(not inner.is_tuple)
        if inner.is_tuple:
            pending.extend((element, 0) for element in reversed(inner.tuple_shapes))
    return below, array
