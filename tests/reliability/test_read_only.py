"""Nothing is ever written into a logdir: neither by a route nor by a command, writable or not."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug.test import Client

from tensorboard_plugin_memviewer.cli import main
from tensorboard_plugin_memviewer.service import Service
from tests.reliability.captures import apps_of

Tree = dict[str, tuple[int, int, int, int]]


def snapshot(root: Path) -> Tree:
    """Size, time, mode and inode of everything below."""
    found = {}
    for path in [root, *root.rglob("*")]:
        status = path.lstat()
        found[str(path)] = status.st_size, status.st_mtime_ns, status.st_mode, status.st_ino
    return found


@pytest.fixture
def logdir(tmp_path: Path, demo: Path) -> Iterator[Path]:
    copy = tmp_path / "logdir"
    shutil.copytree(demo, copy)
    folders = [copy, *(path for path in copy.rglob("*") if path.is_dir())]
    for path in copy.rglob("*"):
        if path.is_file():
            path.chmod(0o444)
    for folder in folders:
        folder.chmod(0o555)
    yield copy
    for folder in folders:
        folder.chmod(0o755)


def test_every_route_leaves_the_logdir_as_it_is(logdir: Path) -> None:
    before = snapshot(logdir)
    apps = apps_of(Service(str(logdir)))
    run, module = "tpu_v5e_transformer", "jit_train_step"
    query = {"run": run, "module": module, "space": "HBM", "baseline_run": run, "baseline_module": module}
    for route, app in apps.items():
        for form in ("html", "csv", "svg", "json") if route == "/export" else ("",):
            response = Client(app).get(query_string={**query, "format": form, "id": "x"})
            assert response.status_code == (400 if route == "/buffer" else 200), (route, form)
    assert snapshot(logdir) == before


def test_every_command_that_reads_leaves_the_logdir_as_it_is(
    logdir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = snapshot(logdir)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    capture = logdir / "plugins" / "profile" / "tpu_v5e_transformer" / "host0.xplane.pb"
    for command in ("list", "summary", "peak", "findings"):
        assert main([command, str(capture)]) in (0, 1), command
    assert main(["list", str(logdir)]) == 0
    assert snapshot(logdir) == before
    assert not list(elsewhere.iterdir())
