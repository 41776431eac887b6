"""Names of runs and hosts of any kind, their order, and how they are found again."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tensorboard_plugin_memviewer.errors import NotFound
from tests.sessions.logdirs import SESSION, listed, only, put


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
