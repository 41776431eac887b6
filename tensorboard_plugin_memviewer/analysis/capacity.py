"""The size of a memory space on the device, if it is known, and the source of the figure.

Has the table of TPU types. If neither the user, the capture nor the table has a figure, there is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tensorboard_plugin_memviewer.model.device import DeviceFacts
from tensorboard_plugin_memviewer.model.space import CMEM, HBM, SMEM, VMEM, space_name
from tensorboard_plugin_memviewer.units import format_bytes
from tensorboard_plugin_memviewer.vocabulary.capacity import CAPACITY_IN_CHARTS

_KIB: Final = 2**10
_MIB: Final = 2**20
_GIB: Final = 2**30


@dataclass(frozen=True, slots=True)
class Capacity:
    """Bytes of a memory space of one device, and the source of the figure; both None if unknown."""

    bytes: int | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Override:
    """A figure that goes before all others: given by the user, or read off an out-of-memory message."""

    bytes: int
    source: str


@dataclass(frozen=True, slots=True)
class TpuType:
    """A row of the table, for one device as JAX counts them (a core, or two as a megacore).

    `allowed_hbm` is the most that the compiler lets a program use, in hundredths of a GiB, as its own
    out-of-memory errors print it (libtpu 0.0.52; 0.0.42 allowed 0.01 GiB more on v5p, v6e and v7x). On v5p
    that is more than `nominal_hbm`, the size published for the device. `vmem` and `smem` are a core's, as
    published by JAX (jax.experimental.pallas.tpu); `cmem` is the device's. None: not published, or not read.
    """

    name: str
    nominal_hbm: int
    allowed_hbm: int | None = None
    vmem: int | None = None
    cmem: int | None = None
    smem: int | None = None


TPU_TYPES: Final[dict[str, TpuType]] = {
    row.name: row
    for row in (
        TpuType("v2", 8 * _GIB, 748, 16 * _MIB, smem=16 * _KIB),
        TpuType("v3", 16 * _GIB, 1548, 16 * _MIB, smem=16 * _KIB),
        TpuType("v4i", 8 * _GIB, None, 16 * _MIB, cmem=128 * _MIB, smem=_MIB),
        TpuType("v4", 16 * _GIB, 1525, 16 * _MIB, cmem=64 * _MIB, smem=_MIB),
        TpuType("v4 megacore", 32 * _GIB, None, 16 * _MIB, cmem=128 * _MIB, smem=_MIB),
        TpuType("v5e", 16 * _GIB, 1575, 128 * _MIB, smem=_MIB),
        TpuType("v5p", 95 * _GIB, 9573, 64 * _MIB, smem=_MIB),
        TpuType("v6e", 32 * _GIB, 3124, 128 * _MIB, smem=_MIB),
        TpuType("v7x", 96 * _GIB, 9474, 64 * _MIB, smem=_MIB),
    )
}

_TPU_TYPE: Final = re.compile(r"(?:tpu[\s_-]*v?|v)(\d+)(?:[\s_-]*(litepod|lite|[a-z]))?(?![\s_-]*[a-z])")
# "v5" alone is the name that JAX and XProf give to v5p.
_LETTERS: Final[dict[str, dict[str, str]]] = {
    "2": {"": "v2"},
    "3": {"": "v3"},
    "4": {"": "v4", "lite": "v4i", "i": "v4i"},
    "5": {"": "v5p", "p": "v5p", "lite": "v5e", "litepod": "v5e", "e": "v5e"},
    "6": {"lite": "v6e", "e": "v6e"},
    "7": {"": "v7x", "x": "v7x"},
}


def tpu_type(text: str, megacore: bool | None = None) -> TpuType | None:
    """The row for a device type in any of its spellings ("TPU v6 Lite", "v6e-8", "TPU7x"), or None."""
    match = _TPU_TYPE.match(text.strip().lower())
    if match is None:
        return None
    name = _LETTERS.get(match[1], {}).get(match[2] or "")
    if name == "v4" and megacore:
        name = "v4 megacore"
    return None if name is None else TPU_TYPES[name]


def capacity_of(devices: Sequence[DeviceFacts], space: int, override: Override | None = None) -> Capacity:
    """The capacity of memory space `space` on one of the devices that a program runs on, all of a kind.

    An override goes first, then the capture, then the table. If devices differ, the smallest counts, because
    the program has to fit in each.
    """
    if override is not None:
        return Capacity(override.bytes, override.source)
    known = [capacity for device in devices if (capacity := _of_device(device, space)).bytes is not None]
    return min(known, key=lambda capacity: capacity.bytes or 0, default=Capacity())


def _of_device(device: DeviceFacts, space: int) -> Capacity:
    if device.memory_bytes is not None and device.memory_bytes > 0:
        source = f"memory of {device.name}, from the capture"
        return Capacity(device.memory_bytes, source) if space == HBM else Capacity()
    row = None if device.type_text is None else tpu_type(device.type_text, device.megacore)
    if row is None:
        return Capacity()
    return _hbm(row) if space == HBM else _on_chip(row, space)


def _hbm(row: TpuType) -> Capacity:
    if row.allowed_hbm is None:
        source = f"nominal size of TPU {row.name}, of which the compiler allows slightly less"
        return Capacity(row.nominal_hbm, source)
    allowed = row.allowed_hbm * _GIB // 100
    nominal = f"nominally {format_bytes(row.nominal_hbm)}"
    return Capacity(allowed, f"compiler's limit on TPU {row.name}, {nominal}")


def _on_chip(row: TpuType, space: int) -> Capacity:
    size = {VMEM: row.vmem, CMEM: row.cmem, SMEM: row.smem}.get(space)
    if size is None:
        return Capacity()
    return Capacity(size, f"published size of {space_name(space)} on TPU {row.name}")


def near_capacity(capacity: int | None, needed: int) -> int | None:
    """The capacity where a chart of a program that requires `needed` bytes shows it, else None.

    The page has the same rule: tests/data/rules.json.
    """
    return None if capacity is None or CAPACITY_IN_CHARTS.exceeded(capacity, needed) else capacity
