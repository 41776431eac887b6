"""`memviewer explain-oom`: from a pasted error to the module and the buffers to blame."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.build import hlo_bytes
from tests.cli.conftest import Answer

Command = Callable[..., Answer]
SCOPED = "Scoped allocation with size 19.85M and limit 16.00M exceeded scoped vmem limit by 3.85M."


def test_the_program_that_does_not_fit(memviewer: Command, demo: Path) -> None:
    answer = memviewer("explain-oom", demo / "xla_dump_oom" / "error.txt")
    assert answer.code == 0
    first = answer.out.splitlines()[0]
    for figure in ("18.00 GiB", "15.75 GiB", "2.25 GiB"):
        assert figure in first
    assert "module_0000.jit_f" in answer.out
    assert "convolution_tanh_fusion" in answer.out
    tried = answer.out.partition("what stands out")[2]
    assert "the line that made most of it is /tmp/v/tpu_oom.py:11, 14.00 GiB" in tried
    assert "jax.checkpoint" in tried and "donate" not in tried


def test_as_json_with_exact_and_rounded_figures(memviewer: Command, demo: Path) -> None:
    answer = memviewer("explain-oom", demo / "xla_dump_oom" / "error.txt", "--format", "json").json
    required = answer["error"]["required"]
    assert required["approximate"]
    (match,) = [found for found in answer["matches"] if found["space"] == "HBM"]
    assert match["headline"]["required_bytes"] == 19327353344
    assert required["least"] <= 19327353344 <= required["most"]
    assert match["evidence"][0]["number"] == "required_bytes"
    assert match["buffers"][0]["bytes"] == 2**30
    most_urgent = match["findings"][0]
    assert (most_urgent["kind"], most_urgent["bytes"]) == (
        "over_capacity",
        19327353344 - answer["error"]["capacity"]["bytes"],
    )


def test_listed_allocations_meet_their_buffers(memviewer: Command, demo: Path, tmp_path: Path) -> None:
    text = (demo / "xla_dump_oom" / "error.txt").read_text() + (
        "\n  Largest program allocations in hbm:\n\n  1. Size: 1.00G\n"
        "     Shape: bf16[65536,8192]{1,0:T(8,128)(2,1)}\n"
        "     XLA label: convolution_tanh_fusion.22 = fusion(x.1, params_0_.1), kind=kOutput\n"
        "     Allocation type: HLO temp\n     ==========================\n"
    )
    (tmp_path / "e.txt").write_text(text)
    answer = memviewer(
        "explain-oom", tmp_path / "e.txt", "--dump", demo / "xla_dump_oom", "--format", "json"
    ).json
    (entry,) = answer["listed"]
    records = {buffer["row"]: buffer for buffer in answer["matches"][0]["buffers"]}
    assert [records[row]["instruction"] for row in entry["buffers"]] == ["convolution_tanh_fusion.22"]


def test_an_older_compiler_that_refuses_for_the_temporaries_alone(
    memviewer: Command, demo: Path, tmp_path: Path
) -> None:
    (tmp_path / "e.txt").write_text(
        "XLA:TPU compile permanent error. Ran out of memory in memory space hbm. Used 14.00G"
        " of 13.75G hbm. Exceeded hbm capacity by 256.00M.\n\nTotal hbm usage >= 14.25G:\n"
        "    reserved        258.00M \n    program          14.00G \n    arguments            0B \n\n"
        "Program hbm requirement 14.00G:\n    HLO temp         14.00G (99.0% utilization)\n\n"
        "  Largest program allocations in hbm:\n\n  1. Size: 1.00G\n"
        "     Shape: bf16[65536,8192]{1,0:T(8,128)(2,1)}\n"
        "     XLA label: convolution_tanh_fusion.22 = fusion(x.1, params_0_.1), kind=kOutput\n"
        "     Allocation type: HLO temp\n     ==========================\n"
    )
    answer = memviewer(
        "explain-oom", tmp_path / "e.txt", "--dump", demo / "xla_dump_oom", "--format", "json"
    ).json
    (match,) = answer["matches"]
    found = [(evidence["text_says"], evidence["number"]) for evidence in match["evidence"]]
    assert found == [
        ("total needed", "temporary_bytes"),
        ("program total", "temporary_bytes"),
        ("program HLO temp", "temporary_bytes"),
        ("largest allocation", "buffer convolution_tanh_fusion.22"),
    ]


def test_without_a_dump_it_says_how_to_get_one(
    memviewer: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "log").write_bytes(b"\xff\xfe noise\n" + SCOPED.encode())
    from_file = memviewer("explain-oom", tmp_path / "log")
    assert "--xla_dump_hlo_as_proto" in from_file.out
    assert "vmem_limit_bytes" in from_file.out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SCOPED.encode())))
    assert memviewer("explain-oom", "-").out == from_file.out


KERNEL = """
entry main:
  p = f32[16] parameter()
  kernel.1 = f32[16] custom-call(p) op="jit(f)/pallas_call"
alloc parameter 64: p:64
alloc output 64: kernel.1:64
"""
ON_CHIP = (
    "RESOURCE_EXHAUSTED: Allocation (size=4000000) would exceed memory (size=2048) :: #allocation2"
    " [shape = 's32[1000000]{0}', space=SPACE, size = 0x3d0900, scoped, tag = 'scratch operand'] :: kernel.1"
)


@pytest.mark.parametrize(
    ("space", "advice"),
    [("vmem", "block sizes smaller."), ("smem", "scalar memory"), ("sflag", "semaphores")],
)
def test_kernel_that_asks_for_more_than_the_chip_has(
    memviewer: Command, tmp_path: Path, space: str, advice: str
) -> None:
    """The plan has none of that memory, and is found by the kernel's name."""
    (tmp_path / "module_0001.jit_f.cl_1.after_optimizations.hlo.pb").write_bytes(hlo_bytes(KERNEL))
    (tmp_path / "error.txt").write_text(ON_CHIP.replace("SPACE", space))
    answer = memviewer("explain-oom", tmp_path / "error.txt")
    assert "asked for by kernel.1" in answer.out
    assert "names instruction kernel.1, jit(f)/pallas_call" in answer.out
    assert "none of its buffers is there" in answer.out and "INSTRUCTION" not in answer.out
    assert advice in answer.out and "donate" not in answer.out and "vmem_limit" not in answer.out


def test_operation_of_the_compiler_over_its_scoped_limit(memviewer: Command, tmp_path: Path) -> None:
    (tmp_path / "e").write_text(
        "RESOURCE_EXHAUSTED: E1001: CompileTimeScopedVmemOom:\nRan out of memory in memory space vmem while "
        "allocating on stack for %fusion = bf16[8,128]{1,0:T(8,128)(2,1)S(1)} fusion(%a.1), kind=kOutput. "
        "Scoped allocation with size 192.0K and limit 64.0K exceeded scoped vmem limit by 128.0K."
    )
    answer = memviewer("explain-oom", tmp_path / "e")
    assert "xla_tpu_scoped_vmem_limit_kib" in answer.out and "kernel" not in answer.out


def test_kernel_on_the_sparsecore(memviewer: Command, tmp_path: Path) -> None:
    two = KERNEL + "alloc temp 4 space=8: kernel.1{}:4\ntrace: +kernel.1{} -kernel.1{}"
    (tmp_path / "module_0001.jit_f.cl_1.after_optimizations.hlo.pb").write_bytes(hlo_bytes(two))
    (tmp_path / "e").write_text(
        "Failed to run MLO pass pipeline.kernel.1:57:1: error: 'memref.alloca' op E3000: "
        "CompileTimeSparseCoreAllocationFailure: current allocation offset upper bound (134217727 words) "
        "exceeds the legitimate user allocatable offset upper bound (2097151 words) in memory space spmem "
        "when allocating 134217728 words"
    )
    answer = memviewer("explain-oom", tmp_path / "e")
    assert "512 MiB of spmem were asked for by kernel.1; 8.00 MiB available" in answer.out
    assert "block sizes smaller" in answer.out and "donate" not in answer.out
    assert answer.out.count("names instruction kernel.1") == 1, "HBM only: the space has no number"


def test_gpu_error_is_matched_by_the_allocation_that_failed(
    memviewer: Command, data: Path, tmp_path: Path
) -> None:
    module = memviewer("summary", data / "modules", "--module", "h100_tf_scan", "--format", "json").json[
        "modules"
    ][0]
    size = module["spaces"][0]["temporary_bytes"]
    (tmp_path / "e").write_text(f"RESOURCE_EXHAUSTED: Out of memory while trying to allocate {size} bytes.")
    answer = memviewer("explain-oom", tmp_path / "e", "--dump", data / "modules", "--format", "json").json
    assert "h100_tf_scan" in [match["module"] for match in answer["matches"]]


def test_live_out_of_a_gpu_is_outputs_and_donated_arguments(
    memviewer: Command, data: Path, tmp_path: Path
) -> None:
    chosen = ("--module", "h100_decode", "--format", "json")
    space = memviewer("summary", data / "modules", *chosen).json["modules"][0]["spaces"][0]
    assert space["output_bytes"] and space["aliased_bytes"]
    size = space["output_bytes"] + space["aliased_bytes"]
    (tmp_path / "e").write_text(
        "Out of memory while trying to allocate 1 bytes.\nBufferAssignment stats:\n"
        f"        maybe_live_out allocation:    {size} bytes\nPeak buffers:\n"
    )
    answer = memviewer("explain-oom", tmp_path / "e", "--dump", data / "modules", "--format", "json").json
    (match,) = [match for match in answer["matches"] if match["module"] == "h100_decode"]
    assert match["evidence"] == [
        {"text_says": "assignment maybe_live_out", "number": "output_bytes and aliased_bytes", "bytes": size}
    ]


def test_hostile_names_are_shown_as_text(memviewer: Command, tmp_path: Path) -> None:
    text = (
        "RESOURCE_EXHAUSTED: Error loading program 'x': Attempting to reserve 2.00G at the bottom of memory."
    )
    text += (
        " That was not possible. There are 1.00G free\nLargest program allocations in hbm:\n1. Size: 1.00G\n"
    )
    text += 'Operator: op_name="\x1b[31m<img onerror=x>|"\n'
    (tmp_path / "e").write_text(text)
    for kind in ("text", "markdown", "json"):
        answer = memviewer("explain-oom", tmp_path / "e", "--format", kind)
        assert answer.code == 0
        assert "\x1b" not in answer.out
    assert "<img" not in memviewer("explain-oom", tmp_path / "e", "--format", "markdown").out


def test_what_is_no_error(memviewer: Command, tmp_path: Path) -> None:
    (tmp_path / "e").write_text("all is well")
    answer = memviewer("explain-oom", tmp_path / "e")
    assert answer.code == 2
    assert "RESOURCE_EXHAUSTED" in answer.err
    assert memviewer("explain-oom", tmp_path / "missing").code == 2
    assert memviewer("explain-oom", tmp_path).code == 2
