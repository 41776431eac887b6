"""Captures, and the programs and saved results that lie beside them or alone."""

from __future__ import annotations

from pathlib import Path

from tests.sessions.logdirs import SESSION, only, put


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
