"""Copies from block to block, as columns: the edges of a graph whose nodes are numbered in blocks."""

from __future__ import annotations

import numpy as np

from tensorboard_plugin_memviewer.model.module import Ints

# The source and the target of every edge.
Edges = tuple[Ints, Ints]


class Blocks:
    """Blocks of nodes: node i of a source has an edge to node i of its target."""

    def __init__(self) -> None:
        self._columns: list[tuple[Ints, Ints, Ints]] = []
        self._single: list[tuple[int, int, int]] = []

    def add(self, source: Ints, target: Ints, length: Ints) -> None:
        """Many blocks, as columns."""
        self._columns.append((source, target, length))

    def add_one(self, source: int, target: int, length: int) -> None:
        """One block."""
        self._single.append((source, target, length))

    @property
    def edge_count(self) -> int:
        """The number of edges, known before they are expanded."""
        columns = sum(int(np.maximum(length, 0).sum()) for _, _, length in self._columns)
        return columns + sum(length for _, _, length in self._single)

    def expanded(self) -> Edges:
        """Source and target of every edge."""
        columns = [*self._columns, tuple(np.array(self._single, np.int64).reshape(-1, 3).T)]
        source, target, length = (np.concatenate([column[at] for column in columns]) for at in range(3))
        length = np.maximum(length, 0)
        steps = ramps(length)
        return np.repeat(source, length) + steps, np.repeat(target, length) + steps


def ramps(lengths: Ints) -> Ints:
    """0, 1, … up to each length, one after the other."""
    ends = np.cumsum(lengths)
    result: Ints = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - lengths, lengths)
    return result
