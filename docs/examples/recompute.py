"""A deep network whose backward pass keeps every activation, and one that computes them again."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from measure import array, show

LAYERS = 8
WEIGHTS = [array(LAYERS, 2048, 8192), array(LAYERS, 8192, 2048)]
X = array(16384, 2048)


def layer(x, weights):
    """A block with a residual connection."""
    up, down = weights
    return x + jax.nn.gelu(x @ up) @ down, None


def loss(run_layer, weights, x):
    """Of all layers, one after the other."""
    return jnp.mean(jax.lax.scan(run_layer, x, weights)[0] ** 2)


def step(run_layer):
    """The gradient of the loss, lowered."""
    return jax.jit(lambda weights, x: jax.grad(lambda w: loss(run_layer, w, x))(weights)).lower(WEIGHTS, X)


before = step(layer)
after = step(jax.checkpoint(layer))

if __name__ == "__main__":
    show(before, after)
