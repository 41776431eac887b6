"""Parts of a program that a compiler dumps as modules of their own are no programs; what stands alone is."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tensorboard_plugin_memviewer.errors import Problem
from tensorboard_plugin_memviewer.formats.module_parts import is_kernel, is_kernel_text
from tensorboard_plugin_memviewer.service.service import Service
from tests.build import hlo_bytes
from tests.conftest import DATA

PROGRAM = gzip.decompress(
    next((DATA / "text_dumps" / "tpu_loops").glob("*optimizations.hlo.pb.gz")).read_bytes()
)
CPU = gzip.decompress(next((DATA / "text_dumps" / "cpu_scan").glob("*optimizations.hlo.pb.gz")).read_bytes())

KERNEL_TEXT = """HloModule extracted, is_scheduled=true

%called (p.1: f32[8]) -> f32[8] {
  %p.1 = f32[8]{0} parameter(0)
  ROOT %k = f32[8]{0} custom-call(%p.1), custom_call_target="tpu_custom_call"
}, execution_thread="sparsecore"

ENTRY %main (p: f32[8]) -> f32[8] {
  %p = f32[8]{0} parameter(0)
  ROOT %c = f32[8]{0} call(%p), to_apply=%called
}
"""


def listed(folder: Path) -> tuple[list[str], list[Problem]]:
    service = Service(str(folder))
    (run,) = service.runs().runs
    programs, problems = service.programs(run.name)
    return [program.key for program in programs], list(problems)


def test_the_plan_of_a_host_computation_is_a_part_of_its_program(tmp_path: Path) -> None:
    (tmp_path / "module_0000.jit_f.cl_9.after_optimizations.hlo.pb").write_bytes(PROGRAM)
    (tmp_path / "module_0004.called_computation.cl_9.cpu_after_optimizations.hlo.pb").write_bytes(CPU)
    keys, (problem,) = listed(tmp_path)
    assert keys == ["module_0000.jit_f"]
    assert problem.code == "parts"
    assert "on the host" in problem.message and "module_0004.called_computation" in problem.message


def test_it_is_listed_where_it_stands_alone(tmp_path: Path) -> None:
    name = "module_0004.called_computation.cl_9.cpu_after_optimizations.hlo.pb"
    (tmp_path / name).write_bytes(CPU)
    assert listed(tmp_path) == (["module_0004.called_computation"], [])


def test_a_cpu_program_beside_a_tpu_program_is_listed(tmp_path: Path) -> None:
    (tmp_path / "module_0000.jit_f.cl_9.after_optimizations.hlo.pb").write_bytes(PROGRAM)
    (tmp_path / "module_0004.called_computation.cpu_after_optimizations.hlo.pb").write_bytes(CPU)
    assert listed(tmp_path) == (["module_0000.jit_f", "module_0004.called_computation"], [])


def test_a_program_that_is_called_extracted_is_listed(tmp_path: Path) -> None:
    for name in ("module_0000.jit_f", "module_0002.extracted"):
        (tmp_path / f"{name}.cl_9.after_optimizations.hlo.pb").write_bytes(PROGRAM)
    assert listed(tmp_path) == (["module_0000.jit_f", "module_0002.extracted"], [])


def test_a_kernel_as_text(tmp_path: Path) -> None:
    (tmp_path / "module_0000.jit_f.cl_9.after_optimizations.hlo.pb").write_bytes(PROGRAM)
    start = "module_0002.extracted.cl_9.after_optimizations"
    (tmp_path / f"{start}-buffer-assignment.txt").write_text("BufferAssignment:\nallocation 0: size 4:\n")
    (tmp_path / f"{start}.txt").write_text(KERNEL_TEXT)
    keys, (problem,) = listed(tmp_path)
    assert keys == ["module_0000.jit_f"]
    assert "kernels" in problem.message
    (tmp_path / f"{start}.txt").unlink()
    assert listed(tmp_path)[0] == ["module_0000.jit_f", "module_0002.extracted"], "nothing proves it"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (', execution_thread="sparsecore"', ""),
        (', execution_thread="sparsecore"', ', execution_thread="main"'),
        ("ROOT %c = f32[8]{0} call(%p), to_apply=%called", "ROOT %c = f32[8]{0} negate(%p)"),
        ("call(%p), to_apply=%called", "negate(%d)\n  %d = f32[8]{0} call(%p), to_apply=%called"),
        ("ENTRY ", ""),
        ("HloModule", "Module"),
    ],
)
def test_what_is_no_kernel(old: str, new: str) -> None:
    assert is_kernel_text(KERNEL_TEXT)
    assert not is_kernel_text(KERNEL_TEXT.replace(old, new))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x0a",
        b"\x0a\x02\x1a\x00",
        PROGRAM,
        PROGRAM[:500],
        CPU,
        hlo_bytes("entry main:\np = f32[16] parameter()\nalloc parameter 64: p:64"),
    ],
)
def test_bytes_that_are_no_kernel(data: bytes) -> None:
    assert not is_kernel(data)


@pytest.mark.cases
def test_kernels_of_a_real_program(cases: Path, tmp_path: Path) -> None:
    folder = cases / "live_ranges" / "v7x_sc_gather_libtpu0051"
    keys, (problem,) = listed(folder)
    assert keys == ["module_0000.jit_sc_gather"]
    assert "module_0002.extracted" in problem.message
    (kernel,) = folder.glob("*extracted*.hlo.pb")
    assert is_kernel(kernel.read_bytes())
    (program,) = folder.glob("*jit_sc_gather*after_optimizations.hlo.pb")
    assert not is_kernel(program.read_bytes())
    (tmp_path / kernel.name).write_bytes(kernel.read_bytes())
    assert listed(tmp_path) == (["module_0002.extracted"], [])
