"""`memviewer explain-oom`: the advice fits what ran out, on which device, and in which framework."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.build import hlo_bytes
from tests.cli.conftest import Answer

Command = Callable[..., Answer]

DUMP, PROGRAM, ARRAYS = "--xla_dump_to", "donate_argnums", "jax.live_arrays()"
LOWER, HIGHER = "a lower XLA_PYTHON_CLIENT_MEM_FRACTION", "MEM_FRACTION=.95"
KERNEL, SCOPED = "block sizes smaller", "vmem_limit_bytes"

# Name of the text: what is said, and what is not.
SAID: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "ansi_ray": ((DUMP, PROGRAM, "jit_update"), (ARRAYS,)),
    "gpu_collective": (("collective operation", "NCCL", LOWER), (DUMP, PROGRAM, ARRAYS, HIGHER)),
    "gpu_command_buffer": (
        ("--xla_gpu_enable_command_buffer=", LOWER, "jit_train_step"),
        (DUMP, PROGRAM, ARRAYS, HIGHER),
    ),
    "gpu_cubin": ((LOWER, "jax.clear_caches()", "constants"), (DUMP, ARRAYS, HIGHER)),
    "gpu_cuda_async": (
        ("8.00 GiB of device memory", "24.00 GiB available", "2.00 GiB were free, over by 6.00 GiB", ARRAYS),
        (),
    ),
    "gpu_executable_name": (("jit_concatenate", "19.59 GiB", ARRAYS, HIGHER), ()),
    "gpu_host_bfc": (
        ("host memory", "XLA_PJRT_GPU_HOST_MEMORY_LIMIT_GB"),
        (DUMP, "HBM", "MEM_FRACTION", ARRAYS),
    ),
    "gpu_host_limit": (
        ("host memory", "XLA_PJRT_GPU_HOST_MEMORY_LIMIT_GB", "64.00 GiB are allowed"),
        (DUMP, "MEM_FRACTION", "over by"),
    ),
    "gpu_mosaic_shared_memory": (("shared memory", KERNEL, "over by 29.06 KiB"), (DUMP, PROGRAM)),
    "gpu_new_constant": (("constant", "pass it as an argument"), (PROGRAM, ARRAYS)),
    "gpu_remat_warning": (("a warning", "its target"), ("compile time", "available", "over by", PROGRAM)),
    "gpu_shared_memory": (
        ("shared memory", KERNEL, "num_stages"),
        (DUMP, PROGRAM, "jax.checkpoint", "batch"),
    ),
    "gpu_stats_temp_96gib": (
        ("all temporaries", "preallocated temp", "jax.checkpoint", DUMP),
        (ARRAYS, "MEM_FRACTION"),
    ),
    "gpu_stats_total_12mib": (
        ("requires only ≈ 12.00 MiB", "other data fills the device", ARRAYS, HIGHER),
        (DUMP, "jax.checkpoint"),
    ),
    "pallas_vmem": (
        (
            *("f32[4096,4096] for output 0", "bf16[4096,4096] for input 1", "single buffered"),
            *("The largest block of big_block_matmul.1 takes ≈ 64.00 MiB", KERNEL),
            "≈ 33.83 MiB of it holds values that did not fit in the registers of big_block_matmul.1",
        ),
        (PROGRAM, SCOPED, "report it to XLA"),
    ),
    "tf_gpu": (("1.56 GiB", "TF_GPU_ALLOCATOR"), ("jax", "XLA_PYTHON_CLIENT", DUMP)),
    "torch_xla_runtime": (("torch_xla.sync()", "over by ≈ 298 MiB"), ("jax", DUMP)),
    "torch_xla_stack_vmem": (
        ("LIBTPU_INIT_ARGS=--xla_tpu_scoped_vmem_limit_kib", "reduce-window.12"),
        ("compiler_options", "pltpu", KERNEL),
    ),
    "tpu_aborting_early": (("88.20 GiB", "30.75 GiB available, over by ≈ 57.45 GiB", PROGRAM), (ARRAYS,)),
    "tpu_device_buffer": ((ARRAYS, "9.81 GiB were free, over by ≈ 3.39 GiB"), (DUMP, PROGRAM, "available")),
    "tpu_e0100": ((ARRAYS, "over by ≈ 5.14 MiB"), (DUMP,)),
    "tpu_load_old_ledger": (
        ("currently allocated", "13.08 GiB", "−717 MiB", ", over by 717 MiB", "torch_xla.sync()"),
        (" over by 0 B", "jax"),
    ),
    "tpu_program_load": ((ARRAYS, "jit_decode_step", "over by ≈ 5.81 GiB"), (PROGRAM,)),
    "tpu_tensorcore_sparsecore": (
        ("SparseCore", "88.50 GiB", "21.07 GiB", "embedding tables"),
        (PROGRAM, "jax.checkpoint"),
    ),
    "tpu_vfio_dma": (("4.00 GiB", "ulimit -l"), (DUMP, PROGRAM, ARRAYS)),
    "tpu_vmem_bug": (("spill slots", "report it to XLA", "fusion.18"), (KERNEL, PROGRAM)),
    "tpu_vmem_spill_sizes": (("≈ 96.00 MiB of it holds values", "report it to XLA"), (KERNEL, "kernel")),
}


@pytest.mark.parametrize("name", SAID)
def test_advice(memviewer: Command, data: Path, name: str) -> None:
    answer = memviewer("explain-oom", data / "oom_texts" / f"{name}.txt")
    said, unsaid = SAID[name]
    assert answer.code == 0
    assert [word for word in said if word not in answer.out] == []
    assert [word for word in unsaid if word in answer.out] == []
    assert re.search(r"[^.\d]over by 0 B", answer.out) is None


@pytest.mark.parametrize("name", ["tpu_program_load", "pallas_vmem", "gpu_cuda_async"])
def test_the_plan_comes_last_where_it_may_only_help(memviewer: Command, data: Path, name: str) -> None:
    advice = memviewer("explain-oom", data / "oom_texts" / f"{name}.txt", "--format", "json").json["advice"]
    assert [DUMP in line for line in advice].index(True) == len(advice) - 1


def test_what_ran_out_is_in_the_json(memviewer: Command, data: Path) -> None:
    file = data / "oom_texts" / "tpu_tensorcore_sparsecore.txt"
    error = memviewer("explain-oom", file, "--format", "json").json["error"]
    assert (error["what"], error["framework"], error["contiguous"]) == ("sparsecore", None, None)


def test_sums_in_markdown(memviewer: Command, data: Path) -> None:
    file = data / "oom_texts" / "gpu_stats_temp_96gib.txt"
    answer = memviewer("explain-oom", file, "--format", "markdown")
    assert "| preallocated temp | the program | ≈ 96.00 GiB |" in answer.out.replace("\\", "")


MODULE = """
entry main:
  x = bf16[4096,4096] parameter() number=0
  big_block_matmul.1 = f32[4096,4096] custom-call(x) op="jit(f)/big_block_matmul/pallas_call"
alloc parameter 33554432: x:33554432
alloc output 67108864: big_block_matmul.1:67108864
alloc temp 12884901888:
"""


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    folder = tmp_path / "dump"
    folder.mkdir()
    (folder / "module_0001.jit_f.cl_1.after_optimizations.hlo.pb").write_bytes(hlo_bytes(MODULE))
    return folder


def test_a_kernel_is_found_by_the_listed_instructions(memviewer: Command, data: Path, dump: Path) -> None:
    answer = memviewer("explain-oom", data / "oom_texts" / "pallas_vmem.txt", "--dump", dump)
    assert "names instruction big_block_matmul.1" in answer.out
    assert DUMP not in answer.out


def test_a_kernel_of_another_operation_is_not(
    memviewer: Command, data: Path, tmp_path: Path, dump: Path
) -> None:
    text = (data / "oom_texts" / "pallas_vmem.txt").read_text()
    (tmp_path / "e").write_text(text.replace("jit(f)/big_block_matmul/", "jit(g)/other/"))
    answer = memviewer("explain-oom", tmp_path / "e", "--dump", dump)
    assert "none has the instruction big_block_matmul.1 or requires ≈ 162 MiB" in answer.out
    assert DUMP not in answer.out


def explained(memviewer: Command, tmp_path: Path, dump: Path, text: str) -> str:
    (tmp_path / "e").write_text(text)
    answer = memviewer("explain-oom", tmp_path / "e", "--dump", dump)
    assert answer.code == 0
    assert DUMP not in answer.out, "nobody is told to do what has just been done"
    return answer.out


def test_temporaries_of_the_module(memviewer: Command, tmp_path: Path, dump: Path) -> None:
    text = "RESOURCE_EXHAUSTED: Out of memory while trying to allocate 12.00GiB. [executable_name='jit_f']"
    out = explained(memviewer, tmp_path, dump, text)
    assert "names module jit_f" in out and "is all temporaries of module_0001.jit_f" in out
    assert "jax.checkpoint" in out and ARRAYS not in out


def test_the_module_without_an_allocation_of_the_size(memviewer: Command, tmp_path: Path, dump: Path) -> None:
    text = "RESOURCE_EXHAUSTED: Out of memory while trying to allocate 19.59GiB. [executable_name='jit_f']"
    out = explained(memviewer, tmp_path, dump, text)
    assert "names module jit_f" in out
    assert "The plan of module_0001.jit_f has no allocation of ≈ 19.59 GiB" in out and ARRAYS in out


def test_why_nothing_fits(memviewer: Command, tmp_path: Path, dump: Path) -> None:
    text = "RESOURCE_EXHAUSTED: Out of memory while trying to allocate 19.59GiB. [executable_name='jit_g']"
    out = explained(memviewer, tmp_path, dump, text)
    assert (
        "Looked at 1 module (module_0001.jit_f): none is named jit_g or has an allocation of ≈ 19.59 GiB."
        in out
    )
    bare = explained(memviewer, tmp_path, dump, "RESOURCE_EXHAUSTED: something new")
    assert "no name or size" in bare


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "Bad StatusOr access: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 9 bytes.",
            "PJRT_ALLOCATOR_FRACTION=.95",
        ),
        (
            "Bad StatusOr access: RESOURCE_EXHAUSTED: Failed to load in-memory CUBIN: out of memory",
            "a lower PJRT_ALLOCATOR_FRACTION",
        ),
        (
            "errors_impl.InternalError: Failed to load in-memory CUBIN: out of memory",
            "set_memory_growth",
        ),
    ],
)
def test_other_frameworks_get_none_of_jax(memviewer: Command, tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "e").write_text(text)
    answer = memviewer("explain-oom", tmp_path / "e")
    assert said in answer.out
    assert "jax" not in answer.out and "XLA_PYTHON_CLIENT" not in answer.out
