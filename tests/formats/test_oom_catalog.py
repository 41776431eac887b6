"""Out-of-memory texts as files, in the forms that compilers and runtimes print: what is read off each.

The expected figures are those written in the text, in bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tensorboard_plugin_memviewer.formats.oom_text import OomReport
from tensorboard_plugin_memviewer.formats.printed_bytes import Amount
from tests.formats.oom_texts import GIB, KIB, MIB, read


@dataclass(frozen=True)
class Expected:
    wording: str
    what: str
    platform: str | None
    framework: str | None
    space: int | None
    required: float | None = None
    failed: float | None = None
    capacity: float | None = None
    free: float | None = None
    exceeded: float | None = None
    module: str = ""


HBM, VMEM, HOST = 0, 1, 5

CATALOG = {
    "ansi_ray": Expected(
        "tpu_total",
        "program",
        "tpu",
        "jax",
        HBM,
        required=118.40 * GIB,
        capacity=94.75 * GIB,
        exceeded=23.65 * GIB,
        module="jit_update",
    ),
    "gpu_collective": Expected("gpu_collective", "collectives", "gpu", None, HBM, failed=2147483648),
    "gpu_command_buffer": Expected(
        "gpu_command_buffer", "command_buffers", "gpu", "jax", None, module="jit_train_step"
    ),
    "gpu_cubin": Expected("gpu_code", "code", "gpu", "jax", None),
    "gpu_cuda_async": Expected(
        "gpu_async",
        "allocation",
        "gpu",
        None,
        HBM,
        failed=8589934592,
        capacity=25769803776,
        free=2147483648,
        exceeded=6442450944,
    ),
    "gpu_executable_name": Expected(
        "gpu_allocation", "allocation", "gpu", "jax", HBM, failed=19.59 * GIB, module="jit_concatenate"
    ),
    "gpu_host_bfc": Expected("gpu_request", "host", "gpu", None, HOST, failed=21474836480),
    "gpu_host_limit": Expected(
        "host_pool", "host", "gpu", "jax", HOST, failed=68719476736, capacity=64 * GIB
    ),
    "gpu_mosaic_shared_memory": Expected(
        "gpu_shared_memory", "kernel", "gpu", "jax", None, failed=262208, capacity=232448, exceeded=29760
    ),
    "gpu_new_constant": Expected("gpu_constant", "constant", "gpu", None, HBM, failed=1073741824),
    "gpu_remat_warning": Expected(
        "rematerialization", "warning", None, None, None, required=70974334566, capacity=12025908428
    ),
    "gpu_shared_memory": Expected(
        "gpu_shared_memory", "kernel", "gpu", None, None, failed=196608, capacity=101376, exceeded=95232
    ),
    "gpu_stats_temp_96gib": Expected("gpu_allocation", "allocation", "gpu", "jax", HBM, failed=103079216656),
    "gpu_stats_total_12mib": Expected("gpu_allocation", "allocation", "gpu", "jax", HBM, failed=6291456),
    "pallas_vmem": Expected(
        "tpu_memory_space",
        "program",
        "tpu",
        "jax",
        VMEM,
        required=161.83 * MIB,
        capacity=128 * MIB,
        exceeded=33.83 * MIB,
    ),
    "tf_gpu": Expected("tensorflow_tensor", "arrays", "gpu", "tensorflow", HBM, failed=16384 * 51200 * 2),
    "torch_xla_runtime": Expected(
        "tpu_device_buffer",
        "arrays",
        "tpu",
        "pytorch_xla",
        HBM,
        failed=512 * MIB,
        free=214.13 * MIB,
        exceeded=297.87 * MIB,
    ),
    "torch_xla_stack_vmem": Expected(
        "tpu_scoped",
        "program",
        "tpu",
        "pytorch_xla",
        VMEM,
        failed=19.05 * MIB,
        capacity=16 * MIB,
        exceeded=3.05 * MIB,
    ),
    "tpu_aborting_early": Expected(
        "tpu_early",
        "program",
        "tpu",
        None,
        HBM,
        required=88.20 * GIB,
        capacity=30.75 * GIB,
        exceeded=57.45 * GIB,
    ),
    "tpu_device_buffer": Expected(
        "tpu_device_buffer",
        "arrays",
        "tpu",
        "jax",
        HBM,
        failed=13.20 * GIB,
        free=9.81 * GIB,
        exceeded=3.39 * GIB,
    ),
    "tpu_e0100": Expected(
        "tpu_device_buffer",
        "arrays",
        "tpu",
        "jax",
        HBM,
        failed=16 * MIB,
        free=10.86 * MIB,
        exceeded=5.14 * MIB,
    ),
    "tpu_load_old_ledger": Expected(
        "tpu_program_load",
        "load",
        "tpu",
        "pytorch_xla",
        HBM,
        required=3.10 * GIB,
        capacity=16 * GIB,
        free=2.40 * GIB,
        exceeded=751619277,
    ),
    "tpu_program_load": Expected(
        "tpu_program_load",
        "load",
        "tpu",
        "jax",
        HBM,
        required=6.02 * GIB,
        free=211.30 * MIB,
        exceeded=6.02 * GIB - 211.30 * MIB,
        module="jit_decode_step",
    ),
    "tpu_tensorcore_sparsecore": Expected(
        "tpu_cores",
        "program",
        "tpu",
        None,
        HBM,
        required=109.57 * GIB,
        capacity=94.74 * GIB,
        exceeded=14.83 * GIB,
    ),
    "tpu_vfio_dma": Expected("tpu_dma", "dma", "tpu", "jax", HOST, failed=4294967296),
    "tpu_vmem_bug": Expected("tpu_stack", "program", "tpu", None, VMEM),
    "tpu_vmem_spill_sizes": Expected(
        "tpu_memory_space",
        "program",
        "tpu",
        None,
        VMEM,
        required=129.40 * MIB,
        capacity=128 * MIB,
        exceeded=1.40 * MIB,
    ),
}


@pytest.fixture
def texts(data: Path) -> Path:
    return data / "oom_texts"


def near(amount: Amount | None) -> object:
    """The bytes within one of rounding, None where there are none."""
    return None if amount is None else pytest.approx(amount.bytes, abs=2)


def of(report: OomReport) -> tuple[object, ...]:
    failed = report.failed.size if report.failed is not None else None
    amounts = (report.required, failed, report.capacity, report.free, report.exceeded)
    return (
        *(report.wording.value, report.what.value, report.platform, report.framework, report.space),
        *map(near, amounts),
        report.module,
    )


def test_every_text_is_expected(texts: Path) -> None:
    assert {path.stem for path in texts.glob("*.txt")} == set(CATALOG)


@pytest.mark.parametrize("name", CATALOG)
def test_what_a_text_says(texts: Path, name: str) -> None:
    want = CATALOG[name]
    assert of(read((texts / f"{name}.txt").read_text())) == (
        *(want.wording, want.what, want.platform, want.framework, want.space),
        *(want.required, want.failed, want.capacity, want.free, want.exceeded),
        want.module,
    )


def as_json(text: str) -> str:
    return json.dumps({"severity": "ERROR", "labels": {"pod": "x" * 200}, "message": text})


def as_json_lines(text: str) -> str:
    return "\n".join(json.dumps({"log": f"{line}\n", "stream": "stderr"}) for line in text.split("\n"))


def as_nested_json(text: str) -> str:
    return json.dumps({"jsonPayload": {"message": text}})


def on_one_line(text: str) -> str:
    return " ".join(text.split())


def of_kubernetes(text: str) -> str:
    return "".join(f"2026-01-02T03:04:05.678901234Z stderr F {line}\n" for line in text.split("\n"))


@pytest.mark.parametrize("name", CATALOG)
@pytest.mark.parametrize(
    "wrapped", [as_json, as_json_lines, as_nested_json, on_one_line, of_kubernetes, repr]
)
def test_wrapped_it_says_the_same(texts: Path, name: str, wrapped: Callable[[str], str]) -> None:
    text = (texts / f"{name}.txt").read_text()
    plain, other = read(text), read(wrapped(text))
    assert of(other) == of(plain)
    assert (other.parts, other.listed, other.count) == (plain.parts, plain.listed, plain.count)


# Other forms of the same errors: older and newer compilers, other front ends, other devices.
FORMS = {
    "Used 20.50G of 15.48G hbm. Exceeded hbm capacity by 5.02G. HLO module: jit_g. Memory usage report: ": (
        *("program", "tpu", 20.50 * GIB, 15.48 * GIB),
        5.02 * GIB,
    ),
    "SparseCore async scoped VMEM allocation (200000 bytes) exceeds limit (131072 bytes) at instruction a": (
        *("program", "tpu", 200000, 131072),
        68928,
    ),
    "Row pointers would exceed available SCS Smem (70000 bytes > 65536 bytes)": (
        *("sparsecore", "tpu", 70000, 65536),
        4464,
    ),
    "TPU embedding: out of memory allocating 5368709120 bytes.": ("sparsecore", "tpu", 5 * GIB, None, None),
    "Attempting to load a program that failed compilation due to OOM (compiled with x).": (
        *("program", "tpu", None, None),
        None,
    ),
    "[FailedPremapUnaligned] Failed to allocate using premapped buffer for (size, alignment) = (4096, 64)": (
        *("dma", "tpu", 4096, None),
        None,
    ),
    "DmaMapper: requested 16.00G size (4194304 pages) exceeds maximum supported 8.00G size (2097152 pages)": (
        *("dma", "tpu", 16 * GIB, 8 * GIB),
        None,
    ),
    "TPU: Failed to allocate 3221225472 bytes for host offloading transfer buffer": (
        *("host", "tpu", 3 * GIB, None),
        None,
    ),
    "Failed to allocate a 1048576-byte pinned host staging buffer for a device-to-host transfer. The pinned"
    " host pool may be exhausted (see XLA_PJRT_GPU_HOST_MEMORY_LIMIT_GB)": (
        *("host", "gpu", MIB, None),
        None,
    ),
    "CUDA: Failed to allocate 2.00GiB (2147483648 bytes) of host memory pinned to NUMA node 1": (
        *("host", "gpu", 2 * GIB, None),
        None,
    ),
    "failed to alloc 67108864 bytes on host: CUDA_ERROR_OUT_OF_MEMORY: out of memory": (
        *("host", "gpu", 64 * MIB, None),
        None,
    ),
    "failed to alloc 536870912 bytes unified memory; result: CUDA_ERROR_OUT_OF_MEMORY": (
        *("unified", "gpu", 512 * MIB, None),
        None,
    ),
    "could not allocate pinned host memory of size: 67108864 (CUDA)": ("host", "gpu", 64 * MIB, None, None),
    "Allocating 1048576 bytes exceeds the memory limit of 65536 bytes.": (
        *("scratch", "gpu", MIB, 64 * KIB),
        None,
    ),
    "Failed to load PTX text as a module: CUDA_ERROR_OUT_OF_MEMORY: out of memory": (
        *("code", "gpu", None, None),
        None,
    ),
    "Failed to load HSACO: HIP_ERROR_OutOfMemory": ("code", "gpu", None, None, None),
    "Underlying backend ran out of memory trying to instantiate graph with 4211 nodes and 0 conditionals": (
        *("command_buffers", "gpu", None, None),
        None,
    ),
    "Failed to instantiate CUDA graph: CUDA_ERROR_OUT_OF_MEMORY: out of memory": (
        *("command_buffers", "gpu", None, None),
        None,
    ),
    "NCCL operation ncclCommInitRank failed: unhandled cuda error. Last NCCL warning: 'Cuda failure 2 'out of"
    " memory''": ("collectives", "gpu", None, None, None),
    "Failed to allocate 16.00MiB for all-reduce.": ("collectives", "gpu", 16 * MIB, None, None),
    "failed to create cublas handle: CUBLAS_STATUS_ALLOC_FAILED": ("driver", "gpu", None, None, None),
    "failed to allocate 15.90G (17072848896 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory": (
        *("driver", "gpu", 17072848896, None),
        None,
    ),
    "Shared memory size limit exceeded: requested 131072, available: 101376, context: [gemm_fusion.3]": (
        *("kernel", "gpu", 131072, 101376),
        29696,
    ),
    "Mosaic GPU kernel exceeds available shared memory: smem_bytes=262208 > max_smem_bytes=232448": (
        *("kernel", "gpu", 262208, 232448),
        29760,
    ),
    "OutOfResources: out of resource: shared memory, Required: 131072, Hardware limit: 101376. Reducing": (
        *("kernel", "gpu", 131072, 101376),
        29696,
    ),
    "OutOfResources: out of resource: shared memoryRequired: 110592Hardware limit: 101376": (
        *("kernel", "gpu", 110592, 101376),
        9216,
    ),
    "Shared memory requested (139264 b) exceeds device resources (101376 b).": (
        *("kernel", "gpu", 139264, 101376),
        37888,
    ),
    "ptxas error : Entry function 'k' uses too much shared data (0x1c000 bytes, 0xc000 max)": (
        *("kernel", "gpu", 114688, 49152),
        65536,
    ),
    "local memory (98304) exceeds limit (65536) in function 'k'": ("kernel", "gpu", 98304, 65536, 32768),
    "Tensor memory size limit exceeded: requested 1024, available: 512": ("kernel", "gpu", None, None, None),
    "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.69 GiB of which 1.05"
    " GiB is free.": ("torch", "gpu", 2 * GIB, 23.69 * GIB, 0.95 * GIB),
    "Out of memory: Killed process 12 (python) total-vm:9kB, anon-rss:65011712kB": (
        *("process", None, 62 * GIB, None),
        None,
    ),
    "OOM when allocating tensor with shape[3,5] and type bfloat16 on /job:x/device:TPU:0 by allocator a": (
        *("arrays", "tpu", 30, None),
        None,
    ),
}


@pytest.mark.parametrize("text", FORMS)
def test_other_forms(text: str) -> None:
    report = read(f"RESOURCE_EXHAUSTED: {text}")
    needed = report.needed
    assert (
        report.what.value,
        report.platform,
        *map(near, (needed, report.capacity, report.exceeded)),
    ) == FORMS[text]


def test_memory_in_pieces() -> None:
    """More than enough is free, so what is too much is measured against the longest piece."""
    array = read(
        "RESOURCE_EXHAUSTED: Attempting to allocate 31.06M. That was not possible. There are 58.64M free. Due"
        " to fragmentation, the largest contiguous region of free memory is 30.56M.; (0x0x0_HBM0)"
    )
    program = read(
        "Attempting to reserve 6.48G at the bottom of memory. That was not possible. There are 6.78G free, 0B"
        " reserved, and 3.33G reservable.\n\t [[{{node XRTExecute}}]]\nHint: add"
        " report_tensor_allocations_upon_oom to RunOptions"
    )
    unsaid = read("Attempting to allocate 1.00G. That was not possible. There are 2.00G free.; (0x0x0_HBM0)")
    assert [report.what.value for report in (array, program, unsaid)] == ["fragmented"] * 3
    assert near(array.exceeded) == 0.5 * MIB and near(array.contiguous) == 30.56 * MIB
    assert near(program.exceeded) == 3.15 * GIB and program.framework == "pytorch_xla"
    assert unsaid.exceeded is None
