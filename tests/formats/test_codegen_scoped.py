"""Scoped memory from the dump after code generation, on real dumps of a TPU v5e compilation."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from tensorboard_plugin_memviewer.analysis.usage import plan, space_usage
from tensorboard_plugin_memviewer.errors import Damaged
from tensorboard_plugin_memviewer.formats.codegen_scoped import with_codegen_scoped
from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module
from tensorboard_plugin_memviewer.model.module import Module
from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.service.findings import findings_of
from tests.build import hlo_bytes, module
from tests.conftest import DEMO

DUMP = Path(__file__).resolve().parents[1] / "data" / "codegen"
VMEM = 1


def data_of(stem: str, stage: str) -> bytes:
    return (DUMP / f"module_0000.{stem}.cl_933746096.after_{stage}.hlo.pb").read_bytes()


def merged(stem: str) -> Module:
    return with_codegen_scoped(decode_module(data_of(stem, "optimizations")), data_of(stem, "codegen"))


@pytest.mark.parametrize(
    ("stem", "instruction", "size"),
    [("jit_f", "convolution_tanh_fusion.2", 11509760), ("jit_pallas_mm", "pallas_mm.1", 4550656)],
)
def test_largest_scoped_memory_and_where_it_is(stem: str, instruction: str, size: int) -> None:
    before = space_usage(plan(decode_module(data_of(stem, "optimizations"))), VMEM)
    assert before.headline.max_scoped_bytes == 0, "the module itself does not say"
    found = plan(merged(stem))
    usage = space_usage(found, VMEM)
    assert usage.headline.max_scoped_bytes == size
    assert usage.headline.required_bytes == usage.headline.allocated_bytes + size
    point = int(np.argmax(usage.scoped))
    assert found.module.instructions.names[found.order.instruction[point]] == instruction
    assert found.module.scoped.largest[VMEM] == (size, instruction)
    assert found.module.problems == ()


def test_what_the_module_says_is_replaced_not_added_to() -> None:
    lines = """
    entry main:
      p = f32[16] parameter()
      a = f32[16] tanh(p) {}
      b = f32[16] tanh(a) {}
    alloc temp 64: a:64@0
    trace: +a -a
    """
    before = lines.format("scoped=1:4096", "")
    after = lines.format("", "scoped=1:100")
    usage = space_usage(plan(with_codegen_scoped(module(before), hlo_bytes(after))), VMEM)
    assert usage.scoped.tolist() == [0, 0, 100]


def test_instructions_that_the_module_lacks_are_a_problem() -> None:
    lines = """
        entry main:
          {} = f32[16] parameter() scoped=1:8
          r = f32[16] constant()
        alloc parameter 64: {}:64
        alloc output+constant 64: r:64
    """
    found = with_codegen_scoped(module(lines.format("p", "p")), hlo_bytes(lines.format("q", "q")))
    assert [problem.code for problem in found.problems] == ["scoped_memory"]
    assert len(found.scoped.size) == 0


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xff\xff", b"\x0a\x02\x0a\x05", data_of("jit_f", "codegen")[:9000]]
)
def test_what_is_no_module_is_damaged(data: bytes) -> None:
    with pytest.raises(Damaged, match="after code generation"):
        with_codegen_scoped(decode_module(data_of("jit_f", "optimizations")), data)


def test_a_dump_folder_shows_it() -> None:
    (run,) = Service(str(DUMP)).runs().runs
    modules = Service(str(DUMP)).modules(run.name).modules
    scoped = {
        summary.program.name: space.headline.max_scoped_bytes
        for summary in modules
        for space in summary.spaces
        if space.color == VMEM
    }
    assert scoped == {"jit_f": 11509760, "jit_pallas_mm": 4550656}


def test_a_damaged_dump_after_code_generation_is_a_problem_beside_the_module(tmp_path: Path) -> None:
    shutil.copytree(DUMP, tmp_path / "dump")
    broken = tmp_path / "dump" / "module_0000.jit_f.cl_933746096.after_codegen.hlo.pb"
    broken.write_bytes(broken.read_bytes()[:9000])
    service = Service(str(tmp_path / "dump"))
    (run,) = service.runs().runs
    summary = next(m for m in service.modules(run.name).modules if m.program.name == "jit_f")
    assert summary.digest is not None
    (problem,) = summary.problems
    assert problem.path is not None and problem.path.endswith("after_codegen.hlo.pb")


def test_the_demo_shows_scoped_memory() -> None:
    """In VMEM, as spikes: more of it is needed at once than the peak shows."""
    demo = Service(str(DEMO / "xla_dump_scoped"))
    heads = [
        module.headline
        for run in demo.runs().runs
        for found in demo.modules(run.name).modules
        for module in found.spaces
        if module.color == VMEM
    ]
    assert sorted(head.max_scoped_bytes for head in heads) == [4550656, 11509760]
    assert any(head.required_bytes > head.peak_bytes for head in heads)


def test_scoped_memory_of_the_demo_that_does_not_fit() -> None:
    demo = Service(str(DEMO / "xla_dump_scoped"), capacity={VMEM: 60 << 20})
    (run,) = demo.runs().runs
    found = set()
    for one in demo.modules(run.name).modules:
        program, loaded, usage = demo.usage(run.name, None, one.program.key, "VMEM")
        capacity = demo.capacity(program, VMEM)
        found |= {finding.kind for finding in findings_of(demo, loaded, usage, capacity)}
    assert found >= {"scoped_over_capacity"}
