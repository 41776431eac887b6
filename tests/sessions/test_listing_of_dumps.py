"""Dumps of XLA: their modules, their processes, and the stages that belong together."""

from __future__ import annotations

from pathlib import Path

from tests.sessions.logdirs import only, put


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
