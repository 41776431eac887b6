"""A network that keeps its activations in f32, and one that keeps them in bf16."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from measure import array, show

LAYERS = 8
WEIGHTS = [array(LAYERS, 2048, 8192), array(LAYERS, 8192, 2048)]
X = array(16384, 2048)


def step(dtype):
    """The gradient of the loss with activations of that type, lowered."""

    def layer(x, weights):
        up, down = (w.astype(dtype) for w in weights)
        return x + jax.nn.gelu(x @ up) @ down, None

    def loss(weights, x):
        out, _ = jax.lax.scan(layer, x.astype(dtype), weights)
        return jnp.mean(out.astype(jnp.float32) ** 2)

    return jax.jit(jax.grad(loss)).lower(WEIGHTS, X)


before = step(jnp.float32)
after = step(jnp.bfloat16)

if __name__ == "__main__":
    show(before, after)
