"""Runs, hosts and modules of any name, and trees of any form, as a client of the routes meets them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tensorboard_plugin_memviewer.service import Service
from tests.reliability.captures import apps_of, ask, path_of, peak_of, program, write

RUNS = [
    "with spaces, and commas",
    "percent %2F%00 & ? # = +",
    "层 é 😀 \u202e",
    "new\nline\ttab",
    "quote ' \" ` <b>",
    "...",
    "back\\slash",
    "n" * 255,
]
MODULES = [
    "jit/of/slashes",
    "../../etc/passwd",
    "jit f, g",
    "line\nbreak",
    "层😀",
    "(((",
    "=HYPERLINK(1)",
    "m" * 4096,
    "</script><script>alert(1)</script>",
    "\x1b[31m\x00\u202e",
]


@pytest.mark.skipif(os.name == "nt", reason="Windows forbids most of these in names of folders")
@pytest.mark.parametrize("run", RUNS)
def test_runs(tmp_path: Path, run: str) -> None:
    write(tmp_path, run, host="host, of 1")
    apps = apps_of(Service(str(tmp_path)))
    (listed,) = ask(apps, "runs")[1]["runs"]
    assert listed["run"] == run
    (host,) = listed["hosts"]
    assert host == "host, of 1"
    status, body = ask(apps, "usage", run=run, host=host, module="jit_f", space="HBM")
    assert status == 200
    assert (body["run"], body["headline"]["peak_bytes"]) == (run, peak_of(1024))


def test_modules(tmp_path: Path) -> None:
    sizes = {name: 1024 * (number + 1) for number, name in enumerate(MODULES)}
    write(tmp_path, "a", *(program(size, name) for name, size in sizes.items()))
    apps = apps_of(Service(str(tmp_path)))
    listed = ask(apps, "modules", run="a")[1]["modules"]
    assert [module["module"] for module in listed] == [f"{name}(7)" for name in reversed(MODULES)]
    for module in listed:
        name = module["module"].removesuffix("(7)")
        for route in ("usage", "breakdown", "findings", "memory_spaces"):
            status, body = ask(apps, route, run="a", module=module["module"], space="HBM")
            assert status == 200, (route, name)
            if route == "usage":
                assert body["headline"]["peak_bytes"] == peak_of(sizes[name])


@pytest.mark.skipif(os.name == "nt", reason="needs the right to make links")
def test_loops_of_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a")
    for number in range(3):
        (tmp_path / f"up{number}").symlink_to(tmp_path)
    path_of(tmp_path, "a").with_name("self.xplane.pb").symlink_to("self.xplane.pb")
    (tmp_path / "plugins" / "profile" / "dangling").symlink_to(tmp_path / "nowhere")
    apps = apps_of(Service(str(tmp_path)))
    walked = count_folders(monkeypatch)
    status, body = ask(apps, "runs")
    assert status == 200
    assert "a" in {run["run"] for run in body["runs"]}
    # Three links at each step would make thousands of them before the system refuses.
    assert 0 < len(walked) < 100
    assert ask(apps, "usage", run="a", module="jit_f", space="HBM")[0] == 200


@pytest.mark.slow
def test_10000_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = write(tmp_path, "run00000")
    for number in range(1, 10_000):
        path = path_of(tmp_path, f"run{number:05}")
        path.parent.mkdir()
        path.hardlink_to(first)
    apps = apps_of(Service(str(tmp_path)))
    walked = count_folders(monkeypatch)
    status, body = ask(apps, "runs")
    assert (status, len(body["runs"])) == (200, 10_000)
    assert ask(apps, "usage", run="run09999", module="jit_f", space="HBM")[0] == 200
    assert len(walked) < 20_100, "each folder is read at most twice"


def count_folders(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The folders that are read from now on, as they are."""
    walked: list[str] = []
    scan = os.scandir

    def counted(path: str) -> object:
        walked.append(path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", counted)
    return walked
