"""Which shapes of a module are those of given arrays, or of parts of them along the first dimension."""

from __future__ import annotations

from collections.abc import Hashable
from math import prod

import numpy as np

from tensorboard_plugin_memviewer.model.module import Flags, Ints, Module


def shape_rows(module: Module, buffers: Ints) -> Ints:
    """The rows in Module.shapes of some buffers."""
    rows: Ints = module.buffers.shape[buffers].astype(np.int64)
    return rows


def like_a_part(module: Module, arrays: list[int], *, same_type: bool) -> Flags:
    """By row of Module.shapes, whether it has the elements of one of the arrays (dimensions in any order,
    those of size 1 left out) or of what one step along its first dimension takes of it.
    """
    wanted: set[Hashable] = set()
    for array in set(module.buffers.shape[arrays].tolist()):
        shape = module.shapes[array]
        kind = shape.type_name if same_type else ""
        whole = tuple(shape.dimensions)
        wanted |= {(kind, prod(whole)), (kind, prod(whole[1:]))} if len(whole) > 1 else {(kind, prod(whole))}
    found = [
        not shape.is_tuple and (shape.type_name if same_type else "", prod(shape.dimensions)) in wanted
        for shape in module.shapes
    ]
    return np.array(found, np.bool_)
