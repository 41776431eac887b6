"""The bytes that a set of live buffers occupies: addresses that several of them share count once."""

from __future__ import annotations

import numpy as np

from tensorboard_plugin_memviewer.analysis.usage import SpaceBuffers
from tensorboard_plugin_memviewer.model.module import AllocationType, Ints, Module


def covered_bytes(module: Module, buffers: SpaceBuffers, rows: Ints) -> int:
    """Bytes that rows of `buffers` which are alive together take.

    Whole indefinite allocations, and of temporaries the union of their addresses.
    """
    allocation = buffers.allocation[rows]
    temporary = module.allocations.type[allocation] == AllocationType.TEMPORARY
    total = int(buffers.size[rows[~temporary]].sum())
    for owner in np.unique(allocation[temporary]).tolist():
        inside = rows[temporary & (allocation == owner)]
        low = np.clip(buffers.offset[inside], 0, module.allocations.size[owner])
        high = np.clip(buffers.offset[inside] + buffers.size[inside], low, module.allocations.size[owner])
        total += _union(low, high)
    return total


def _union(low: Ints, high: Ints) -> int:
    order = np.argsort(low, kind="stable")
    low, high = low[order], high[order]
    reached = np.maximum.accumulate(np.concatenate([[0], high[:-1]]))
    return int(np.maximum(high - np.maximum(low, reached), 0).sum())
