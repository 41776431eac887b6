"""Compiles programs for TPU v5e ahead of time, in a process of its own, and prints what the API says."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

# libtpu asks these instead of the hardware.
os.environ.update(
    JAX_PLATFORMS="cpu",
    TPU_SKIP_MDS_QUERY="1",
    TPU_ACCELERATOR_TYPE="v5litepod-4",
    TPU_WORKER_HOSTNAMES="localhost",
    TPU_WORKER_ID="0",
    ALLOW_MULTIPLE_LIBTPU_LOAD="1",
)

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import topologies

import tensorboard_plugin_memviewer as memviewer


def program(weights: Any, x: Any) -> Any:
    """Three layers: what they make is alive together."""
    for _ in range(3):
        x = jnp.tanh(x @ weights)
    return jnp.sum(x * x), jnp.cumsum(x, 0)


def lowered(rows: int, width: int) -> Any:
    """The program for one TPU v5e, of `rows` of activations."""
    topology = topologies.get_topology_desc(platform="tpu", topology_name="v5e:2x2")
    mesh = jax.sharding.Mesh(np.array(topology.devices[:1]), ("x",))
    sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec())
    shapes = [(width, width), (rows, width)]
    arguments = [jax.ShapeDtypeStruct(shape, jnp.bfloat16, sharding=sharding) for shape in shapes]
    return jax.jit(program).lower(*arguments)


def told(module: Any) -> dict[str, Any]:
    """What the tests look at."""
    usage = module.usage("HBM")
    scoped = {name: space.headline.max_scoped_bytes for name, space in module.usages.items()}
    return {
        **usage.headline.as_dict(),
        "capacity_bytes": usage.capacity_bytes,
        "capacity_source": usage.capacity_source,
        "platform": module.platform,
        "problems": [problem.code for problem in module.problems],
        "scoped": scoped,
        "findings": [finding.kind for finding in usage.findings],
    }


def run_out_of_memory(folder: str) -> dict[str, Any]:
    """The error of a program that does not fit, and what was kept of it."""
    too_large = lowered(600_000, 8192)
    oom = memviewer.trace_oom(folder)
    try:
        with oom:
            too_large.compile()
    except Exception as error:
        kept = oom.logdir.modules[0] if oom.logdir is not None else None
        notes = getattr(error, "__notes__", [])
        return {"error": str(error), "notes": notes, "kept": None if kept is None else told(kept)}
    return {"error": None}


if __name__ == "__main__":
    small = lowered(4096, 2048)
    answer = {
        "out_of_memory": run_out_of_memory(sys.argv[1]),
        "refused": told(memviewer.from_lowered(lowered(600_000, 8192))),
        "lowered": told(memviewer.from_lowered(small)),
        "compiled": told(memviewer.from_compiled(small.compile())),
    }
    sys.stdout.write(json.dumps(answer))
