"""Capacity: whose figure counts, and the spellings of device types."""

from __future__ import annotations

import pytest

from tensorboard_plugin_memviewer.analysis.capacity import (
    TPU_TYPES,
    Capacity,
    Override,
    capacity_of,
    near_capacity,
    tpu_type,
)
from tensorboard_plugin_memviewer.model.device import DeviceFacts
from tensorboard_plugin_memviewer.units import format_bytes, parse_bytes

HBM, VMEM, SFLAG, CMEM, SMEM, HOST, SPARSE_CORE = range(7)
GPU = DeviceFacts("/device:GPU:0", memory_bytes=206141652992)


def tpu(text: str, megacore: bool | None = None) -> DeviceFacts:
    return DeviceFacts("/device:TPU:0", text, megacore=megacore)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("TPU v2", "v2"),
        ("TPU v3", "v3"),
        ("TPU V4", "v4"),
        ("TPU v4 lite", "v4i"),
        ("TPU v5", "v5p"),
        ("TPU v5p", "v5p"),
        ("TPU v5 lite", "v5e"),
        ("TPU v5 Lite", "v5e"),
        ("TPU v5e", "v5e"),
        ("v5e:2x2", "v5e"),
        ("v5litepod-8", "v5e"),
        ("TPU v6 Lite", "v6e"),
        ("tpu_v6e", "v6e"),
        ("v6e-8", "v6e"),
        ("TPU7x", "v7x"),
        ("tpu7x:2x2x1", "v7x"),
        ("TPU v7x", "v7x"),
        (" TPU7 ", "v7x"),
    ],
)
def test_spellings(text: str, name: str) -> None:
    row = tpu_type(text)
    assert row is not None
    assert row.name == name


@pytest.mark.parametrize(
    "text",
    ["", "TPU", "TPU v6", "TPU v9", "TPU v55", "TPU v5x", "TPU v5 litex", "NVIDIA H100", "sm_90", "5", "cpu"],
)
def test_what_is_no_known_tpu(text: str) -> None:
    assert tpu_type(text) is None
    assert capacity_of([tpu(text)], HBM) == Capacity()


@pytest.mark.parametrize(
    ("text", "allowed", "nominal"),
    [
        ("TPU v2", "7.48G", "8G"),
        ("TPU v3", "15.48G", "16G"),
        ("TPU v4", "15.25G", "16G"),
        ("TPU v5e", "15.75G", "16G"),
        ("TPU v5p", "95.73G", "95G"),
        ("TPU v6e", "31.24G", "32G"),
        ("TPU7x", "94.74G", "96G"),
    ],
)
def test_hbm_of_a_tpu_is_what_its_compiler_prints(text: str, allowed: str, nominal: str) -> None:
    capacity = capacity_of([tpu(text)], HBM)
    assert capacity.bytes == pytest.approx(parse_bytes(allowed), abs=1)
    assert capacity.source is not None
    assert "compiler's limit" in capacity.source
    assert capacity.source.endswith(f"nominally {format_bytes(parse_bytes(nominal))}")


def test_two_cores_as_one_device_have_the_chips_memory() -> None:
    assert capacity_of([tpu("TPU v4", megacore=True)], HBM).bytes == parse_bytes("32G")
    assert capacity_of([tpu("TPU v4", megacore=True)], CMEM).bytes == parse_bytes("128M")
    assert capacity_of([tpu("TPU v4", megacore=False)], HBM) == capacity_of([tpu("TPU v4")], HBM)
    assert capacity_of([tpu("TPU v6e", megacore=True)], HBM) == capacity_of([tpu("TPU v6e")], HBM)


@pytest.mark.parametrize(
    ("text", "space", "size"),
    [
        ("TPU v5e", VMEM, "128M"),
        ("TPU v6e", VMEM, "128M"),
        ("TPU v5p", VMEM, "64M"),
        ("TPU7x", VMEM, "64M"),
        ("TPU v4", CMEM, "64M"),
        ("TPU v5e", SMEM, "1M"),
    ],
)
def test_published_sizes_on_chip(text: str, space: int, size: str) -> None:
    capacity = capacity_of([tpu(text)], space)
    assert capacity.bytes == parse_bytes(size)
    assert capacity.source is not None
    assert "published" in capacity.source


@pytest.mark.parametrize("space", [SFLAG, CMEM, HOST, SPARSE_CORE, 7, 99])
def test_what_nobody_publishes_is_unknown(space: int) -> None:
    assert capacity_of([tpu("TPU v5e")], space) == Capacity(None, None)


def test_a_gpus_capture_says_it() -> None:
    capacity = capacity_of([GPU], HBM)
    assert capacity.bytes == 206141652992
    assert capacity.source == "memory of /device:GPU:0, from the capture"
    assert capacity_of([GPU], HOST) == Capacity()
    assert capacity_of([DeviceFacts("/device:GPU:0")], HBM) == Capacity()
    assert capacity_of([DeviceFacts("/device:GPU:0", memory_bytes=0)], HBM) == Capacity()


def test_the_smallest_device_counts() -> None:
    small = DeviceFacts("/device:GPU:1", memory_bytes=2**30)
    assert capacity_of([GPU, DeviceFacts("/device:GPU:2"), small], HBM).source == (
        "memory of /device:GPU:1, from the capture"
    )


def test_no_device_no_capacity() -> None:
    assert capacity_of([], HBM) == Capacity()


def test_an_override_goes_first() -> None:
    given = Override(10, "given by you")
    assert capacity_of([GPU], HBM, given) == Capacity(10, "given by you")
    assert capacity_of([], HOST, given) == Capacity(10, "given by you")


def test_rows_are_keyed_by_their_names() -> None:
    assert all(row.name == name for name, row in TPU_TYPES.items())


def test_published_sizes_are_those_of_the_installed_jax() -> None:
    info = pytest.importorskip("jax._src.pallas.mosaic.tpu_info", reason="JAX publishes VMEM and SMEM")
    get = getattr(info, "get_tpu_info_for_chip", None)
    if get is None:
        pytest.skip("this JAX publishes them elsewhere")
    chips = {str(chip): chip for chip in info.ChipVersion}
    for name, row in TPU_TYPES.items():
        chip = chips.get(name.removesuffix(" megacore")) or chips[name.removeprefix("v")]
        published = get(chip, 1)
        assert (published.vmem_capacity_bytes, published.smem_capacity_bytes) == (row.vmem, row.smem), name
        assert published.hbm_capacity_bytes == pytest.approx(
            row.nominal_hbm // (2 if "megacore" in name or name == "v5p" else 1), rel=0.1
        )


def test_a_chart_shows_the_capacity_up_to_twice_the_required_bytes() -> None:
    assert near_capacity(200, 100) == 200
    assert near_capacity(201, 100) is None
    assert near_capacity(None, 100) is None
