"""Vectors from atoms to their neighbors: the short dimensions last, and the long one last."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from measure import array, show

ATOMS, NEIGHBORS = 3_200_000, 8


def atoms_first(positions, frames, neighbors):
    """Positions are [atoms, 3], neighbors [atoms, 8]: vectors are [atoms, 8, 3]."""
    vectors = positions[:, None, :] - positions[neighbors]
    length = jnp.sqrt(jnp.sum(vectors**2, axis=2))
    return length, jnp.einsum("nij,nkj->nki", frames, vectors) / length[:, :, None]


def atoms_last(positions, frames, neighbors):
    """Positions are [3, atoms], neighbors [8, atoms]: vectors are [3, 8, atoms], gathered by component."""
    gathered = jnp.stack([component[neighbors] for component in positions])
    vectors = positions[:, None, :] - gathered
    length = jnp.sqrt(jnp.sum(vectors**2, axis=0))
    return length, jnp.sum(frames[:, :, None, :] * vectors, axis=1) / length


before = jax.jit(atoms_first).lower(
    array(ATOMS, 3), array(ATOMS, 3, 3), array(ATOMS, NEIGHBORS, dtype="int32")
)
after = jax.jit(atoms_last).lower(array(3, ATOMS), array(3, 3, ATOMS), array(NEIGHBORS, ATOMS, dtype="int32"))

if __name__ == "__main__":
    show(before, after)
