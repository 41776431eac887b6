"""Which runs, hosts and files a logdir has, by the names in it."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tensorboard_plugin_memviewer.errors import NotFound
from tensorboard_plugin_memviewer.sessions.logdir import Logdir
from tensorboard_plugin_memviewer.sessions.run import Listing, Run

DEMO = Path(__file__).parents[2] / "tensorboard_plugin_memviewer" / "demo"
SESSION = "plugins/profile"


def put(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode("utf-8", "surrogateescape"))


def listed(root: Path | str) -> Listing:
    return Logdir(str(root)).listing()


def only(root: Path | str) -> Run:
    (run,) = listed(root).runs
    return run


def summary(root: Path | str) -> dict[str, tuple[str, tuple[str, ...]]]:
    return {run.name: (run.kind, run.host_names) for run in listed(root).runs}


def test_runs_are_named_as_xprof_names_them(tmp_path: Path) -> None:
    put(
        tmp_path,
        f"{SESSION}/run1/host-a.xplane.pb",
        f"train/{SESSION}/run1/h.0.xplane.pb",
        f"train/{SESSION}/run1/h.1.xplane.pb",
        f"job/tensorboard/{SESSION}/2026_01_31/x.xplane.riegeli",
        f"plugins/other/{SESSION}/a, b/ü.xplane.pb",
    )
    assert summary(tmp_path) == {
        "job/tensorboard/2026_01_31": ("profile", ("x",)),
        "plugins/other/a, b": ("profile", ("ü",)),
        "run1": ("profile", ("host-a",)),
        "train/run1": ("profile", ("h.0", "h.1")),
    }


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("xprof") is None, reason="xprof is not installed")
def test_names_equal_those_of_xprof(tmp_path: Path) -> None:
    put(
        tmp_path,
        f"{SESSION}/run 1, new/host-a.xplane.pb",
        f"train/{SESSION}/run1/h.0.xplane.pb",
        f"train/{SESSION}/run1/h.1.xplane.pb",
        f"train/{SESSION}/run1/module.hlo_proto.pb",
        f"a/b/{SESSION}/2026_01_31/ü.xplane.pb",
    )
    script = [sys.executable, str(Path(__file__).parent / "xprof_listing.py"), str(tmp_path)]
    answer = subprocess.run(script, capture_output=True, text=True, check=False)
    if "No module named 'xprof.pywrap'" in answer.stderr:
        pytest.skip("this xprof was not built for this Python")
    assert answer.returncode == 0, answer.stderr
    xprof = json.loads(answer.stdout.splitlines()[-1])
    ours = {run.name: list(run.host_names) for run in listed(tmp_path).runs}
    assert {run: [host for host in hosts if host != "ALL_HOSTS"] for run, hosts in xprof.items()} == ours


def test_the_demo() -> None:
    assert summary(DEMO) == {
        "gpu_h100": ("profile", ("gpu-node-0",)),
        "tpu_v4_cmem": ("profile", ("host0",)),
        "tpu_v5e_kernels": ("profile", ("host0",)),
        "tpu_v5e_transformer": ("profile", ("host0",)),
        "tpu_v7x_sparsecore": ("profile", ("host0",)),
        "train/cpu_training": ("profile", ("cpu-host",)),
        "xla_dump_oom": ("xla_dump", ()),
    }


def test_a_capture_wins_over_the_programs_beside_it(tmp_path: Path) -> None:
    put(
        tmp_path,
        f"{SESSION}/r/h.xplane.pb",
        f"{SESSION}/r/jit_f(1).hlo_proto.pb",
        f"{SESSION}/r/NO_MODULE.hlo_proto.pb",
    )
    run = only(tmp_path)
    assert [file.name for host in run.hosts for file in host.files()] == ["h.xplane.pb"]
    assert [file.name for file in run.spare] == ["jit_f(1).hlo_proto.pb"]


def test_programs_alone_are_a_run_without_host(tmp_path: Path) -> None:
    put(tmp_path, "progs/b.hlo_proto.pb", "progs/a.hlo_proto.pb", "progs/NO_MODULE.hlo_proto.pb")
    run = only(tmp_path)
    assert (run.name, run.kind, run.host_names) == ("progs", "profile", ())
    assert [file.name for file in run.hosts[0].hlo_protos] == ["a.hlo_proto.pb", "b.hlo_proto.pb"]


def test_saved_results(tmp_path: Path) -> None:
    names = ("a.memory_viewer.json", "b.memory_viewer.json.gz", "c.memory_viewer.pb", "memory_viewer.json")
    put(
        tmp_path,
        *(f"results/{name}" for name in names),
        "results/not_memory_viewer.json.txt",
        "x/my_memory_viewer.json",
    )
    run = only(tmp_path)
    assert (run.name, run.kind, run.host_names) == ("results", "saved", ("a", "b", "c"))
    assert [file.name for host in run.hosts for file in host.saved] == [names[3], *names[:3]]


def test_a_saved_result_beside_a_capture_belongs_to_its_host(tmp_path: Path) -> None:
    put(
        tmp_path,
        f"{SESSION}/r/h.xplane.pb",
        f"{SESSION}/r/h.memory_viewer.json",
        f"{SESSION}/r/memory_viewer.json",
    )
    run = only(tmp_path)
    assert run.kind == "profile"
    assert [(host.host, len(host.captures), len(host.saved)) for host in run.hosts] == [
        ("", 0, 1),
        ("h", 1, 1),
    ]


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


def test_a_folder_with_a_capture_and_a_dump_is_two_runs(tmp_path: Path) -> None:
    put(tmp_path, f"{SESSION}/r/h.xplane.pb", f"{SESSION}/r/module_0000.f.cpu_after_optimizations.hlo.pb")
    assert summary(tmp_path) == {"r": ("profile", ("h",)), "r (xla_dump)": ("xla_dump", ())}


def test_runs_of_one_name_are_told_apart(tmp_path: Path) -> None:
    put(
        tmp_path,
        f"train/{SESSION}/r/h.xplane.pb",
        "train/r/other.xplane.pb",
        "train/r/module_0001.f.after_optimizations.hlo.pb",
    )
    assert summary(tmp_path) == {
        "train/r": ("profile", ("h",)),
        "train/r (profile)": ("profile", ("other",)),
        "train/r (xla_dump)": ("xla_dump", ()),
    }


@pytest.mark.parametrize(
    ("below", "name"), [("", "r"), ("plugins", "r"), (SESSION, "r"), (f"{SESSION}/r", "r")]
)
def test_a_logdir_may_begin_anywhere_above_the_run(tmp_path: Path, below: str, name: str) -> None:
    put(tmp_path, f"{SESSION}/r/h.xplane.pb")
    assert only(tmp_path / below).name == name


@pytest.mark.parametrize(
    ("name", "host"),
    [
        ("h.xplane.pb", "h"),
        ("xplane.pb", ""),
        ("h.xplane.riegeli", "h"),
        ("jit_f(3).hlo_proto.pb", ""),
        ("any.memory_viewer.json.gz", "any"),
        ("module_0000.jit_f.cl_9.after_optimizations.hlo.pb", ""),
        ("after_optimizations.hlo.pb.gz", ""),
        ("mine.sm_9.0a_gpu_after_optimizations.hlo.pb", ""),
        ("mine_after_optimizations-buffer-assignment.txt", ""),
    ],
)
def test_a_file_given_as_such_is_a_run(tmp_path: Path, name: str, host: str) -> None:
    put(tmp_path, name, "other.xplane.pb")
    run = only(tmp_path / name)
    assert (run.name, run.kind, run.path) == (name, "file", str(tmp_path / name))
    assert [files.host for files in run.hosts] == [host]
    assert [file.name for files in run.hosts for file in files.files()] == [name]


def test_a_dump_given_as_a_file_brings_its_other_stages(tmp_path: Path) -> None:
    put(tmp_path, "module_0000.f.cl_9.after_optimizations.hlo.pb", "module_0000.f.cl_9.after_codegen.hlo.pb")
    (dump,) = only(tmp_path / "module_0000.f.cl_9.after_optimizations.hlo.pb").hosts[0].dumps
    assert dump.codegen is not None


@pytest.mark.parametrize("name", ["trace.json.gz", "module_0000.f.before_optimizations.hlo.pb", "x.pb"])
def test_another_file_is_refused_with_an_advice(tmp_path: Path, name: str) -> None:
    put(tmp_path, name)
    with pytest.raises(NotFound) as caught:
        listed(tmp_path / name)
    assert name in caught.value.message and "*.xplane.pb" in caught.value.advice


@pytest.mark.parametrize("path", ["none", "a\0b", "x" * 5000])
def test_what_does_not_exist_is_not_found(tmp_path: Path, path: str) -> None:
    from tensorboard_plugin_memviewer.errors import MemviewerError

    with pytest.raises(MemviewerError):
        listed(f"{tmp_path}/{path}")


def test_an_empty_logdir_says_what_to_do(tmp_path: Path) -> None:
    listing = listed(tmp_path)
    assert listing.runs == ()
    (problem,) = listing.problems
    assert problem.code == "nothing_found" and "jax.profiler.trace" in problem.advice


def test_a_session_without_capture_says_so(tmp_path: Path) -> None:
    put(tmp_path, f"{SESSION}/old/h.trace.json.gz")
    (tmp_path / SESSION / "new").mkdir()
    messages = {run.name: run.problems[0].message for run in listed(tmp_path).runs}
    assert messages == {"new": "the run is empty", "old": "the run holds no capture that tells of memory"}


def test_an_empty_file_says_so(tmp_path: Path) -> None:
    put(tmp_path, f"{SESSION}/r/h.xplane.pb")
    (tmp_path / SESSION / "r" / "h.xplane.pb").write_bytes(b"")
    assert [problem.code for problem in only(tmp_path).problems] == ["empty"]


@pytest.mark.skipif(sys.platform == "win32", reason="names that Windows does not allow")
def test_names_of_any_kind(tmp_path: Path) -> None:
    hostile = [
        "a b",
        "a,b",
        "line\nbreak",
        "<img src=x>",
        "ünï",
        "🦆",
        "..x",
        "'\"",
        "a\\b",
        "-rf",
        "%2e%2e",
        "x" * 200,
    ]
    put(tmp_path, *(f"{SESSION}/{name}/{name}.xplane.pb" for name in hostile))
    listing = listed(tmp_path)
    assert {run.name for run in listing.runs} == set(hostile)
    for name in hostile:
        assert listing.run(name).host(name).captures[0].path == str(
            tmp_path / SESSION / name / f"{name}.xplane.pb"
        )


@pytest.mark.skipif(sys.platform != "linux", reason="names that are not text")
def test_names_that_are_not_text_are_shown_as_text(tmp_path: Path) -> None:
    raw = os.fsdecode(b"caf\xe9")
    put(tmp_path, f"{SESSION}/{raw}/{raw}.xplane.pb")
    run = only(tmp_path)
    assert (run.name, run.host_names) == ("caf\ufffd", ("caf\ufffd",))
    assert Path(run.hosts[0].captures[0].path).is_file()


def test_names_with_numbers_come_in_the_order_of_the_numbers(tmp_path: Path) -> None:
    put(
        tmp_path,
        *(f"{SESSION}/run{n}/host{n}.xplane.pb" for n in (10, 9, 1)),
        f"{SESSION}/run{'9' * 100}/h.xplane.pb",
    )
    assert [run.name for run in listed(tmp_path).runs] == ["run1", "run9", "run10", f"run{'9' * 100}"]


def test_an_unknown_run_or_host_is_not_found(tmp_path: Path) -> None:
    put(tmp_path, f"{SESSION}/r/h.xplane.pb", "secret.xplane.pb")
    listing = listed(tmp_path)
    for name in ("../r", "/etc", "r/../r", "r\0", "%2e%2e", ""):
        with pytest.raises(NotFound):
            listing.run(name)
    with pytest.raises(NotFound, match="no host"):
        listing.run("r").host("../h")


def test_a_run_is_found_by_its_name_on_windows(tmp_path: Path) -> None:
    put(tmp_path, f"train/{SESSION}/r/h.xplane.pb")
    assert listed(tmp_path).run("train\\r").name == "train/r"


@pytest.mark.slow
def test_ten_thousand_runs_are_listed_in_one_walk(tmp_path: Path) -> None:
    for number in range(10_000):
        folder = tmp_path / "plugins" / "profile" / f"run{number}"
        folder.mkdir(parents=True)
        (folder / "h.xplane.pb").touch()
    started = time.process_time()
    listing = listed(tmp_path)
    assert time.process_time() - started < 5
    assert len(listing.runs) == 10_000
    assert listing.runs[-1].name == "run9999"


def test_the_time_of_a_run_is_that_of_its_newest_file(tmp_path: Path) -> None:
    put(tmp_path, f"{SESSION}/r/a.xplane.pb", f"{SESSION}/r/b.xplane.pb")
    os.utime(tmp_path / SESSION / "r" / "a.xplane.pb", (1_700_000_000, 1_700_000_000))
    os.utime(tmp_path / SESSION / "r" / "b.xplane.pb", (1_800_000_000, 1_800_000_000))
    assert only(tmp_path).time == "2027-01-15T08:00:00+00:00"
