"""The plugin in a real TensorBoard process, over HTTP and without a browser."""

from __future__ import annotations

import json
import os
import shutil
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.tensorboard import Server, serve
from tests.conftest import DEMO
from tests.patience import PATIENCE_S, soon

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def logdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(DEMO, tmp_path_factory.mktemp("in-tensorboard") / "logs"))


@pytest.fixture(scope="module", params=["/", "/some/prefix"], ids=["root", "prefix"])
def server(request: pytest.FixtureRequest, logdir: Path) -> Iterator[Server]:
    prefix: str = request.param
    arguments = [] if prefix == "/" else ["--path_prefix", prefix]
    with serve(logdir, *arguments) as server:
        assert server.address.endswith(prefix if prefix == "/" else f"{prefix}/")
        yield server


def get(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=PATIENCE_S) as response:
        body: bytes = response.read()
        return body


def get_json(address: str) -> Any:
    return json.loads(get(address))


def test_the_tab_is_listed_and_active(server: Server) -> None:
    # Whether there is something to show is found out beside the server's start, which does not wait for it.
    def listed() -> Any:
        return get_json(f"{server.address}data/plugins_listing")["memviewer"]

    assert listed()["tab_name"] == "Memory Viewer"
    assert soon(lambda: listed()["enabled"] is True)
    assert listed()["loading_mechanism"]["type"] == "IFRAME"


def test_the_module_of_the_tab_is_where_the_listing_says(server: Server) -> None:
    assert b"render" in get(f"{server.data}index.js")


def test_every_module_of_every_run_answers(server: Server) -> None:
    runs = [run["run"] for run in get_json(f"{server.data}runs")["runs"]]
    assert len(runs) == 8
    modules = [get_json(f"{server.data}modules?run={run}")["modules"] for run in runs]
    assert all(modules)


def test_faults_are_json_with_an_advice(server: Server) -> None:
    with pytest.raises(urllib.error.HTTPError) as raised:
        get(f"{server.data}modules?run=missing")
    error = raised.value
    assert error.code == 404
    fault = json.loads(error.read())["error"]
    assert fault["code"] == "not_found"
    assert fault["advice"]
    error.close()


def test_nothing_of_ours_makes_tensorboard_warn(server: Server) -> None:
    get(f"{server.data}runs")
    assert "Traceback" not in server.log
    assert "memviewer" not in "".join(line for line in server.log.splitlines() if "WARNING" in line)
    assert "In 3.0, this warning will become an error" not in server.log


def test_an_empty_logdir_is_an_inactive_tab(tmp_path: Path) -> None:
    with serve(tmp_path) as server:
        assert get_json(f"{server.address}data/plugins_listing")["memviewer"]["enabled"] is False
        assert get_json(f"{server.data}runs")["runs"] == []


def test_the_logdir_is_never_written_to(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    shutil.copytree(DEMO, folder)

    def state() -> dict[str, tuple[int, int]]:
        return {
            os.fspath(path): (path.stat().st_mtime_ns, path.stat().st_size)
            for path in sorted(folder.rglob("*"))
        }

    before = state()
    with serve(folder) as server:
        for run in get_json(f"{server.data}runs")["runs"]:
            get_json(f"{server.data}modules?run={run['run']}")
    assert state() == before
