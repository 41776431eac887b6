"""What devices say that run out of memory while they load or run a program."""

from __future__ import annotations

import pytest

from tensorboard_plugin_memviewer.formats.oom_kinds import Wording
from tensorboard_plugin_memviewer.formats.printed_bytes import printed_amount
from tests.formats.oom_texts import GIB, GPU_LIST, MIB, read


def test_tpu_run_time() -> None:
    buffer = read(
        "ValueError: RESOURCE_EXHAUSTED: Error allocating device buffer: Attempting to allocate"
        " 8.00M. That was not"
        " possible. There are 6.43M free.; (0x0x1_HBM0)"
    )
    assert (buffer.wording, buffer.when, buffer.device, buffer.space) == (
        "tpu_device_buffer",
        "run",
        "0x0x1_HBM0",
        0,
    )
    assert buffer.failed is not None
    assert buffer.failed.size is not None
    assert buffer.free is not None
    assert buffer.failed.size.bytes == 8 * MIB
    assert buffer.free.bytes == round(6.43 * MIB)
    program = read(
        "RESOURCE_EXHAUSTED: Error loading program 'jit_step_fn': Attempting to reserve 29.49G"
        " at the bottom of"
        " memory. That was not possible. There are 147.64M free, 0B reserved, and 147.64M"
        " reservable. Scope: unknown"
    )
    assert (program.wording, program.when, program.module) == ("tpu_program_load", "load", "jit_step_fn")
    assert program.required is not None
    assert program.required.bytes == round(29.49 * GIB)


def test_tpu_program_load_with_the_state_of_the_device() -> None:
    report = read(
        "Attempting to reserve 3.95G at the bottom of memory. That was not possible. There are"
        " 1.92G free, 0B reserved,"
        " and 1.92G reservable.; \nHBM capacity 8.00G:\n   Top-of-Memory reserved:  529.00M (  "
        "   554,696,704 bytes)\n"
        "   Currently allocated:    6.08G (   6,532,939,776 bytes)\n"
    )
    assert report.capacity is not None
    assert report.capacity.bytes == 8 * GIB
    assert {p.name: p.amount.bytes for p in report.parts}["currently allocated"] == 6532939776


def test_gpu_run_time_with_its_peak_buffers() -> None:
    report = read(GPU_LIST)
    assert (report.wording, report.platform, report.space) == (Wording.GPU_ALLOCATION, "gpu", 0)
    assert report.failed is not None
    assert report.failed.size is not None
    assert report.failed.size.bytes == 2110783616
    assert not report.failed.size.approximate
    assert {p.name for p in report.parts} == {
        "parameter",
        "constant",
        "maybe_live_out",
        "preallocated temp",
        "preallocated temp fragmentation",
        "total",
        "total fragmentation",
    }
    first, second = report.listed
    assert (first.rank, first.opcode, first.shape) == (1, "custom-call", "f32[5104,257152]")
    assert first.size is not None
    assert first.size.admits(5104 * 257152 * 4)
    assert (second.kind, second.shape) == ("entry parameter", "f16[2048,257152]")


ONE_LINE = {
    "Out of memory while trying to allocate 214748364800 bytes.": ("gpu_allocation", 200 * GIB),
    "Out of memory while trying to allocate 16.00GiB.": ("gpu_allocation", 16 * GIB),
    "Out \nof memory while trying to allocate 5520758552 bytes.": ("gpu_allocation", 5520758552),
    "Failed to allocate request for 154.06GiB (165425291480B) on device ordinal 0": (
        "gpu_request",
        165425291480,
    ),
    "Shared memory size limit exceeded: requested 4194304, available: 101376": ("gpu_shared_memory", 4194304),
    "Out of memory allocating 17592186044416 bytes.": ("cpu_allocation", 2**44),
    "Allocator (GPU_1_bfc) ran out of memory trying to allocate 27.93GiB (rounded to 29995136256)requested": (
        "gpu_allocator",
        29995136256,
    ),
    "failed to allocate 154.06GiB (165425291480 bytes) from device: HIP_ERROR_OutOfMemory": (
        "gpu_driver",
        165425291480,
    ),
}


@pytest.mark.parametrize("text", ONE_LINE)
def test_one_line_wordings(text: str) -> None:
    wording, size = ONE_LINE[text]
    report = read(f"Bad StatusOr access: RESOURCE_EXHAUSTED: {text} [type.googleapis.com/x.DerivedStatus='']")
    assert (report.wording, report.platform) == (wording, wording[:3])
    assert report.failed is not None
    assert report.failed.size is not None
    assert report.failed.size.bytes == size


def test_tensorflow_tensor_has_the_size_of_its_shape() -> None:
    report = read(
        "OOM when allocating tensor with shape[16,112,112,147] and type float on"
        " /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc"
    )
    assert report.platform == "gpu"
    assert report.failed is not None
    assert report.failed.size == printed_amount(str(16 * 112 * 112 * 147 * 4))
    assert report.failed.shape == "[16,112,112,147] and type float"
