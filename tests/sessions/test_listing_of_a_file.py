"""A file in place of a logdir."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorboard_plugin_memviewer.errors import NotFound
from tests.sessions.logdirs import listed, only, put


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
