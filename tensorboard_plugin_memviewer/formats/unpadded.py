"""Sizes of buffers without padding, for every format that gives shapes and sizes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tensorboard_plugin_memviewer.model.module import Ints, Rows
from tensorboard_plugin_memviewer.model.shape import POINTER_BYTES, Shape


def unpadded_sizes(size: Ints, shape: Rows, shapes: Sequence[Shape]) -> Ints:
    """Bytes by buffer; `size` is what is stored, `shape` the row in `shapes`.

    Of unknown element types, and of shapes larger than an int64 can say, the size as stored. Never more than
    that: a tuple's table of pointers may be smaller in the file.
    """
    largest = np.iinfo(np.int64).max
    of_shape = [one.unpadded_bytes(POINTER_BYTES) for one in shapes]
    table = np.array([largest if need is None else min(need, largest) for need in of_shape] or [0], np.int64)
    unpadded: Ints = np.minimum(size, table[shape])
    return unpadded
