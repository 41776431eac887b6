"""What two versions of a program need, side by side.

Arrays are only described and nothing is allocated, so programs far larger than this machine can be compiled.
They are compiled for the machine's own device, or, with `--tpu` and the package libtpu, for a TPU v5e.
"""

from __future__ import annotations

import functools
import os
import sys

import jax
from jax.stages import Lowered

import tensorboard_plugin_memviewer as memviewer
from tensorboard_plugin_memviewer.units import format_bytes

ROWS = ("required", "argument", "output", "constant", "temporary", "aliased", "padding", "fragmentation")


def array(*shape: int, dtype: str = "float32") -> jax.ShapeDtypeStruct:
    """An array that is described and not made."""
    return jax.ShapeDtypeStruct(shape, dtype, sharding=_v5e() if "--tpu" in sys.argv else None)


def show(before: Lowered, after: Lowered) -> None:
    """Compile both and print their numbers; a program that does not fit has numbers too."""
    text = table(*(memviewer.from_lowered(version).usage("HBM") for version in (before, after)))
    print(text)  # noqa: T201 - it is what the programs are for


def table(before: memviewer.Usage, after: memviewer.Usage) -> str:
    """The headline numbers of both, one a line, without those that are next to nothing in both."""
    lines = [f"{'':14}{'before':>12}{'after':>12}"]
    for row in ROWS:
        values = [getattr(usage.headline, f"{row}_bytes") for usage in (before, after)]
        if max(values) >= 2**20:
            lines.append(f"{row:14}" + "".join(f"{format_bytes(value):>12}" for value in values))
    return "\n".join(lines)


@functools.cache
def _v5e() -> jax.sharding.Sharding:
    from jax.experimental import topologies  # noqa: PLC0415 - only for TPU

    # Without these libtpu asks the cloud what machine it is on.
    os.environ.update(
        TPU_SKIP_MDS_QUERY="1", TPU_ACCELERATOR_TYPE="v5litepod-4", TPU_WORKER_HOSTNAMES="localhost"
    )
    described = topologies.get_topology_desc(platform="tpu", topology_name="v5e:2x2")
    return jax.sharding.SingleDeviceSharding(described.devices[0])
