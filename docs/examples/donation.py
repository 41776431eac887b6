"""An optimizer step that keeps the old state beside the new one, and one that donates it."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from measure import array, show

STATE = [array(16384, 49152) for _ in range(3)]  # weights, first and second moment: 3 GiB each
BATCH = [array(1024, 16384), array(1024, 49152)]


def step(weights, first, second, x, y):
    """One step of Adam on a linear model."""
    gradient = jax.grad(lambda w: jnp.mean((x @ w - y) ** 2))(weights)
    first = 0.9 * first + 0.1 * gradient
    second = 0.99 * second + 0.01 * gradient**2
    return weights - 1e-3 * first / (jnp.sqrt(second) + 1e-8), first, second


before = jax.jit(step).lower(*STATE, *BATCH)
after = jax.jit(step, donate_argnums=(0, 1, 2)).lower(*STATE, *BATCH)

if __name__ == "__main__":
    show(before, after)
