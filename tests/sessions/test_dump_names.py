"""Names of XLA's dump files, as every compiler writes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_plugin_memviewer.sessions.dump_names import DumpName, parse, siblings


@pytest.mark.parametrize(
    ("name", "parsed"),
    [
        (
            "module_0000.jit_f.cl_933746096.after_optimizations.hlo.pb",
            DumpName("jit_f", "hlo", 0, None, "tpu", None),
        ),
        (
            "module_0000.jit_f.cl_933746096.after_codegen.hlo.pb",
            DumpName("jit_f", "codegen", 0, None, "tpu", None),
        ),
        (
            "1795969917249152.module_0008.jit_f.cpu_after_optimizations.hlo.pb.gz",
            DumpName("jit_f", "hlo", 8, 1795969917249152, "cpu", None),
        ),
        (
            "module_0123.jit_f.sm_9.0a_gpu_after_optimizations.hlo.pb",
            DumpName("jit_f", "hlo", 123, None, "gpu", "sm_9.0a"),
        ),
        (
            "module_0001.jit_f.gfx942:sramecc+:xnack-_gpu_after_optimizations.hlo.pb",
            DumpName("jit_f", "hlo", 1, None, "gpu", "gfx942:sramecc+:xnack-"),
        ),
        (
            "module_0001.jit_f.gpu_after_optimizations.hlo.pb",
            DumpName("jit_f", "hlo", 1, None, "gpu", None),
        ),
        (
            "module_0001.a.b.c.cpu_after_optimizations-buffer-assignment.txt",
            DumpName("a.b.c", "buffer_assignment", 1, None, "cpu", None),
        ),
        (
            "module_0000.jit_f.cl_1.after_optimizations-memory-usage-report.txt",
            DumpName("jit_f", "report", 0, None, "tpu", None),
        ),
        (
            "module_0000.jit_f.sm_9.0_gpu_after_optimizations.txt",
            DumpName("jit_f", "module_text", 0, None, "gpu", "sm_9.0"),
        ),
        (
            "module_0000.jit_f.cl_1.after_codegen.txt",
            DumpName("jit_f", "codegen_text", 0, None, "tpu", None),
        ),
        (
            "module_0000.jit_f.cpu_after_optimizations-buffer-assignment-values.txt",
            DumpName("jit_f", "values", 0, None, "cpu", None),
        ),
        (
            "module_0000.jit_f.cpu_after_optimizations-live-range.txt",
            DumpName("jit_f", "live_ranges", 0, None, "cpu", None),
        ),
        (
            "module_0004.called_computation.cl_1.cpu_after_optimizations.hlo.pb",
            DumpName("called_computation", "hlo", 4, None, "cpu", None, "host computation"),
        ),
        (
            "module_0002.extracted.cl_1.after_optimizations.hlo.pb",
            DumpName("extracted", "hlo", 2, None, "tpu", None, "extracted"),
        ),
        (
            "module_0000.line\nbreak.after_optimizations.hlo.pb",
            DumpName("line\nbreak", "hlo", 0, None, None, None),
        ),
        ("jit_f.cpu_after_optimizations.hlo.pb", DumpName("jit_f", "hlo", None, None, "cpu", None)),
        ("after_optimizations.hlo.pb", DumpName("module", "hlo", None, None, None, None)),
        (
            "before_and_after_optimizations.hlo.pb",
            DumpName("before_and", "hlo", None, None, None, None),
        ),
    ],
)
def test_what_a_name_says(name: str, parsed: DumpName) -> None:
    assert parse(name) == parsed


@pytest.mark.parametrize(
    "name",
    [
        "module_0000.jit_f.before_optimizations.hlo.pb",
        "module_0000.jit_f.cl_1.after_optimizations_before_buffer_assignment.hlo.pb",
        "module_0000.jit_f.cl_1.after_optimizations_after_buffer_assignment.hlo.pb",
        "module_0000.jit_f.after_spmd_partitioner.hlo.pb",
        "module_0000.jit_f.0003.simplify.after_algsimp.before_dce.hlo.pb",
        "module_0000.jit_f.cpu_after_optimizations-memory-usage-report.pb",
        "module_0000.jit_f.cpu_after_optimizations.hlo.pb.tmp",
        "module_0000.jit_f.before_optimizations.txt",
        "module_0000.jit_f.debug_options",
        "",
    ],
)
def test_what_is_not_read(name: str) -> None:
    assert parse(name) is None


def test_the_other_stages_of_a_module() -> None:
    stages = (
        "after_codegen.hlo.pb",
        "after_codegen.txt",
        "after_optimizations.txt",
        "after_optimizations_after_buffer_assignment.txt",
        "after_optimizations_before_buffer_assignment.txt",
        "after_optimizations-buffer-assignment.txt",
        "after_optimizations-buffer-assignment-values.txt",
        "after_optimizations-live-range.txt",
        "after_optimizations-memory-usage-report.txt",
    )
    for packed in ("", ".gz", ".xz"):
        assert set(siblings("module_0000.f.cl_1.after_optimizations.hlo.pb" + packed)) == {
            f"module_0000.f.cl_1.{stage}{ending}" for stage in stages for ending in ("", ".gz", ".xz")
        }
    assert siblings("trace.json") == ()


@given(
    st.text(max_size=80), st.sampled_from(["after_optimizations.hlo.pb", "after_codegen.hlo.pb.gz", ".txt"])
)
def test_any_name_is_parsed_or_refused(start: str, end: str) -> None:
    parsed = parse(start + end)
    assert parsed is None or parsed.module != ""


def test_a_long_hostile_name_takes_no_time() -> None:
    parsed = parse("module_1." + "cl_1.a_gpu_" * 100 + ".after_optimizations.hlo.pb")
    assert parsed is not None and parsed.number == 1
