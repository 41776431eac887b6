"""A table made with NumPy that is baked into the program, and the same table computed where it is used."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from measure import array, show

LENGTH = 4480
SCORES = array(105, LENGTH, LENGTH)


def with_table(scores):
    """The bias is an array of NumPy: it becomes part of the program."""
    distance = np.arange(LENGTH)[:, None] - np.arange(LENGTH)[None, :]
    bias = np.where(distance < 0, -1e9, -0.1 * distance).astype(np.float32)
    return jax.nn.sigmoid(scores + bias)


def with_formula(scores):
    """The bias is computed inside: it becomes part of the operation that reads it."""
    distance = jnp.arange(LENGTH)[:, None] - jnp.arange(LENGTH)[None, :]
    return jax.nn.sigmoid(scores + jnp.where(distance < 0, -1e9, -0.1 * distance))


before = jax.jit(with_table).lower(SCORES)
after = jax.jit(with_formula).lower(SCORES)

if __name__ == "__main__":
    show(before, after)
