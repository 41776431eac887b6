"""Records the demo's CPU capture: a small training step with and without donation. Needs jax.

`capture_cpu_training.py LOGDIR` leaves LOGDIR/plugins/profile/<run>/<host>.xplane.pb.
"""

from __future__ import annotations

import os
import sys

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp

LAYERS, WIDTH, BATCH = 6, 512, 1024
Weights = list[jax.Array]


def loss(weights: Weights, x: jax.Array) -> jax.Array:
    """Mean square of what the layers make of `x`."""
    for layer, weight in enumerate(weights):
        with jax.named_scope(f"layer_{layer}"):
            x = jnp.tanh(x @ weight)
    return jnp.mean(x**2)


def train_step(weights: Weights, x: jax.Array) -> Weights:
    """One step of gradient descent."""
    gradients = jax.grad(loss)(weights, x)
    with jax.named_scope("optimizer"):
        return [weight - 0.1 * gradient for weight, gradient in zip(weights, gradients, strict=True)]


def donating_train_step(weights: Weights, x: jax.Array) -> Weights:
    """The same step; its caller gives the old weights away."""
    return train_step(weights, x)


def main(logdir: str) -> None:
    """Run both steps under the profiler, without its Python tracer: the programs are what is wanted."""
    step = jax.jit(train_step)
    donating = jax.jit(donating_train_step, donate_argnums=0)
    keys = jax.random.split(jax.random.key(0), LAYERS)
    weights = [jax.random.normal(key, (WIDTH, WIDTH)) * 0.05 for key in keys]
    x = jnp.ones((BATCH, WIDTH))
    options = jax.profiler.ProfileOptions()
    options.python_tracer_level = 0
    options.host_tracer_level = 1
    with jax.profiler.trace(logdir, profiler_options=options):
        jax.block_until_ready(donating(step(weights, x), x))


if __name__ == "__main__":
    main(sys.argv[1])
