"""`memviewer export`: the kind of file is what its name promises, and a file is whole or not there."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Answer
from tests.cli.test_process import MEMVIEWER
from tests.patience import PROGRAM_S

Command = Callable[..., Answer]

STARTS = {"csv": b"id,instruction,", "html": b"<!doctype html>", "json": b"{", "svg": b"<svg "}


@pytest.fixture
def module(data: Path) -> Path:
    return data / "modules" / "v5e_padding.hlo_proto.pb"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("step.csv", "csv"),
        ("STEP.CSV", "csv"),
        ("step.json", "json"),
        ("step.svg", "svg"),
        ("step.html", "html"),
        ("step.htm", "html"),
        ("step", "html"),
    ],
)
def test_the_ending_chooses(memviewer: Command, module: Path, tmp_path: Path, name: str, kind: str) -> None:
    assert memviewer("export", module, "-o", tmp_path / name).code == 0
    assert (tmp_path / name).read_bytes().lower().startswith(STARTS[kind])


def test_the_option_chooses_where_the_ending_says_nothing(
    memviewer: Command, module: Path, tmp_path: Path
) -> None:
    for name in ("step", "step.txt"):
        assert memviewer("export", module, "--format", "json", "-o", tmp_path / name).code == 0
        json.loads((tmp_path / name).read_text())


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("step.csv", ("--format", "html")),
        ("step.html", ("--format", "csv")),
        ("step.png", ()),
        ("step.csv.gz", ()),
    ],
)
def test_an_ending_that_contradicts_is_refused(
    memviewer: Command, module: Path, tmp_path: Path, name: str, options: tuple[str, ...]
) -> None:
    answer = memviewer("export", module, "-o", tmp_path / name, *options)
    assert answer.code == 2
    assert name in answer.err
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_replaced_only_with_force(memviewer: Command, module: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    kept.write_text("kept")
    kept.chmod(0o640)
    refused = memviewer("export", module, "-o", kept)
    assert refused.code == 2
    assert "--force" in refused.err
    assert kept.read_text() == "kept"
    link = tmp_path / "link.json"
    link.symlink_to(kept)
    assert memviewer("export", module, "-o", link, "--force").code == 0
    assert link.is_symlink()
    json.loads(kept.read_text())
    assert stat.S_IMODE(kept.stat().st_mode) == 0o640
    assert sorted(tmp_path.iterdir()) == [kept, link]


def test_a_folder_is_no_place_for_a_file(memviewer: Command, module: Path, tmp_path: Path) -> None:
    for options in ((), ("--force",)):
        answer = memviewer("export", module, "-o", tmp_path, *options)
        assert answer.code == 2
        assert "is a folder" in answer.err


def with_little_room(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The command where no file can become larger than a block.

    A shell sets the limit: a function to run after the fork would warn where JAX has been imported.
    """
    return subprocess.run(
        ["sh", "-c", 'ulimit -f 1; exec "$@"', "sh", *MEMVIEWER, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=PROGRAM_S,
        check=False,
    )


def test_no_half_file_is_left(module: Path, tmp_path: Path) -> None:
    target = tmp_path / "step.json"
    done = with_little_room("export", module, "-o", target)
    assert (done.returncode, list(tmp_path.iterdir())) == (2, [])
    assert done.stderr.startswith(f"memviewer: {target} cannot be written: ")
    target.write_text("kept")
    done = with_little_room("export", module, "-o", target, "--force")
    assert (done.returncode, list(tmp_path.iterdir())) == (2, [target])
    assert target.read_text() == "kept"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is always full")  # noqa: PTH110
def test_a_device_is_written_to_as_it_is(memviewer: Command, module: Path) -> None:
    assert memviewer("export", module, "-o", "/dev/null").code == 0
    full = memviewer("export", module, "-o", "/dev/full")
    assert full.code == 2
    assert "No space left on device" in full.err
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)  # noqa: PTH116
