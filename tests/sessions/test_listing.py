"""Which runs and hosts a logdir has, by the names in it: as XProf names them, wherever the logdir begins."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import DEMO
from tests.sessions.logdirs import SESSION, listed, only, put, summary


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
        "xla_dump_scoped": ("xla_dump", ()),
    }


@pytest.mark.parametrize(
    ("below", "name"), [("", "r"), ("plugins", "r"), (SESSION, "r"), (f"{SESSION}/r", "r")]
)
def test_a_logdir_may_begin_anywhere_above_the_run(tmp_path: Path, below: str, name: str) -> None:
    put(tmp_path, f"{SESSION}/r/h.xplane.pb")
    assert only(tmp_path / below).name == name


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


def test_the_time_of_a_run_is_that_of_its_newest_file(tmp_path: Path) -> None:
    put(tmp_path, f"{SESSION}/r/a.xplane.pb", f"{SESSION}/r/b.xplane.pb")
    os.utime(tmp_path / SESSION / "r" / "a.xplane.pb", (1_700_000_000, 1_700_000_000))
    os.utime(tmp_path / SESSION / "r" / "b.xplane.pb", (1_800_000_000, 1_800_000_000))
    assert only(tmp_path).time == "2027-01-15T08:00:00+00:00"


@pytest.mark.slow
def test_ten_thousand_runs_are_listed_in_one_walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(10_000):
        folder = tmp_path / "plugins" / "profile" / f"run{number}"
        folder.mkdir(parents=True)
        (folder / "h.xplane.pb").touch()
    walked: list[str] = []
    scan = os.scandir

    def counted(path: str) -> object:
        walked.append(path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", counted)
    listing = listed(tmp_path)
    assert len(walked) == len(set(walked)) > 10_000, "each folder is read once"
    assert len(listing.runs) == 10_000
    assert listing.runs[-1].name == "run9999"
