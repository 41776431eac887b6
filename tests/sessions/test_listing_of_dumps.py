"""Dumps of XLA: their modules, their processes, and the stages that belong together."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorboard_plugin_memviewer.errors import NotFound
from tests.sessions.logdirs import listed, only, put


def test_a_dump_is_a_run_and_its_modules_are_in_the_order_of_their_compilation(tmp_path: Path) -> None:
    put(
        tmp_path,
        "dump/module_0010.jit_b.cl_9.after_optimizations.hlo.pb",
        "dump/module_0010.jit_b.cl_9.after_codegen.hlo.pb",
        "dump/module_0010.jit_b.cl_9.before_optimizations.hlo.pb",
        "dump/module_0010.jit_b.cl_9.after_optimizations-buffer-assignment.txt",
        "dump/module_0010.jit_b.cl_9.after_optimizations-memory-usage-report.txt",
        "dump/module_0010.jit_b.cl_9.after_optimizations-memory-usage-report.pb",
        "dump/module_0002.jit_a.sm_9.0a_gpu_after_optimizations.hlo.pb.gz",
        "dump/module_0003.jit_c.cpu_after_optimizations-buffer-assignment.txt",
        "dump/module_0004.jit_d.cl_9.after_codegen.hlo.pb",
    )
    run = only(tmp_path)
    assert (run.name, run.kind, run.path) == ("dump", "xla_dump", str(tmp_path / "dump"))
    modules = run.hosts[0].dumps
    assert [(dump.name.module, dump.name.platform) for dump in modules] == [
        ("jit_a", "gpu"),
        ("jit_c", "cpu"),
        ("jit_b", "tpu"),
    ]
    assert [len(list(dump.files())) for dump in modules] == [1, 1, 4]
    assert modules[1].hlo is None and modules[1].buffer_assignment is not None


def test_a_dump_as_text_has_the_texts_beside_it(tmp_path: Path) -> None:
    names = (
        "module_0003.f.cl_1.after_optimizations-buffer-assignment.txt",
        "module_0003.f.cl_1.after_optimizations.txt",
        "module_0003.f.cl_1.after_optimizations_before_buffer_assignment.txt",
        "module_0003.f.cl_1.after_codegen.txt",
        "module_0003.f.cl_1.after_optimizations-buffer-assignment-values.txt",
        "module_0003.f.cl_1.after_optimizations-live-range.txt",
    )
    put(tmp_path, *(f"dump/{name}" for name in names))
    (module,) = only(tmp_path).hosts[0].dumps
    assert {file.name for file in module.files()} == set(names)
    assert [file.name for file in module.texts.modules] == [names[1], names[2]]


def test_texts_of_a_module_without_its_plan_are_no_dump(tmp_path: Path) -> None:
    put(
        tmp_path,
        "dump/module_0003.f.cl_1.after_optimizations.txt",
        "dump/module_0003.f.cl_1.after_codegen.txt",
    )
    assert listed(tmp_path).runs == ()


def test_a_dump_in_subfolders_is_one_run_with_its_processes_as_hosts(tmp_path: Path) -> None:
    put(
        tmp_path,
        "dump/jit_f/node_71/module_0002.jit_f.cpu_after_optimizations.hlo.pb",
        "dump/jit_g/node_71/module_0004.jit_g.cpu_after_optimizations.hlo.pb",
        "dump/jit_f/node_72/module_0002.jit_f.cpu_after_optimizations.hlo.pb",
        "dump/module_0002.jit_f/module.mlir",
    )
    run = only(tmp_path)
    assert (run.name, run.host_names, run.path) == ("dump", ("node_71", "node_72"), str(tmp_path / "dump"))
    assert [dump.name.module for dump in run.host("node_71").dumps] == ["jit_f", "jit_g"]


def test_siblings_of_timestamped_dumps_are_the_nearest_in_time(tmp_path: Path) -> None:
    put(
        tmp_path,
        "100.module_0000.f.cl_1.after_optimizations.hlo.pb",
        "190.module_0000.f.cl_1.after_codegen.hlo.pb",
        "900.module_0000.f.cl_1.after_optimizations.hlo.pb",
        "990.module_0000.f.cl_1.after_codegen.hlo.pb",
    )
    first, second = only(tmp_path).hosts[0].dumps
    assert first.codegen is not None and first.codegen.name.startswith("190.")
    assert second.codegen is not None and second.codegen.name.startswith("990.")


def test_a_file_without_its_plan_is_refused_by_its_name(tmp_path: Path) -> None:
    name = "module_0003.f.cl_1.after_optimizations.txt"
    put(tmp_path, name)
    with pytest.raises(NotFound, match="is not in the same folder"):
        listed(tmp_path / name)
