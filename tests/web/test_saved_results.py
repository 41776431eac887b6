"""Saved results of XProf through the routes: the same answers as of a module, with the file's numbers."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import Client

from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.web.routes import make_apps

RECORDED = Path(__file__).resolve().parent.parent / "data" / "xprof"


class _Server:
    def __init__(self, logdir: Path) -> None:
        self._apps = make_apps(Service(str(logdir)))

    def ask(self, route: str, **query: str) -> Any:
        response = Client(self._apps[f"/{route}"]).get(query_string=query)
        assert response.status_code == 200, response.get_data(as_text=True)
        return response.get_json()

    def refused(self, route: str, **query: str) -> dict[str, str]:
        response = Client(self._apps[f"/{route}"]).get(query_string=query)
        assert response.status_code == 422
        error: dict[str, str] = response.get_json()["error"]
        return error


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> _Server:
    logdir = tmp_path_factory.mktemp("saved")
    run = logdir / "run"
    run.mkdir()
    answer = (RECORDED / "v4_mlp.3.json.gz").read_bytes()
    (run / "new.memory_viewer.json.gz").write_bytes(answer)
    older = json.loads(gzip.decompress(answer))
    del older["bufferBlocks"]
    (run / "old.memory_viewer.json").write_text(json.dumps(older), encoding="utf-8")
    (run / "broken.memory_viewer.json").write_text('{"moduleName":', encoding="utf-8")
    return _Server(logdir)


def _chosen(host: str) -> dict[str, str]:
    return {"run": "run", "host": host, "module": host}


def test_listed_with_what_cannot_be_read(server: _Server) -> None:
    (run,) = server.ask("runs")["runs"]
    assert (run["kind"], run["hosts"]) == ("saved", ["broken", "new", "old"])
    modules = {module["module"]: module for module in server.ask("modules", run="run")["modules"]}
    assert modules["new"]["name"] == "jit_train_step"
    assert modules["new"]["spaces"][0]["space"] == "CMEM"
    assert modules["new"]["spaces"][0]["peak_bytes"] == 21487616
    assert "saved" in modules["new"]["problems"][0]["message"]
    assert modules["broken"]["spaces"] == []
    assert modules["broken"]["problems"][0]["path"].endswith("broken.memory_viewer.json")


@pytest.mark.parametrize("host", ["new", "old"])
def test_usage(server: _Server, host: str) -> None:
    usage = server.ask("usage", **_chosen(host), space="CMEM")
    assert (usage["axis"], usage["points"]) == ("events", 110)
    assert usage["headline"]["peak_bytes"] == 21487616
    assert usage["headline"]["peak_point"] == 46


def test_breakdown_at_the_peak_adds_up(server: _Server) -> None:
    found = server.ask("breakdown", **_chosen("new"), space="3", at="peak", by="scope")
    assert found["usage_bytes"] == sum(group["bytes"] for group in found["groups"]) == 21487616


@pytest.mark.parametrize("route", ["findings", "memory_spaces"])
def test_other_answers(server: _Server, route: str) -> None:
    assert server.ask(route, **_chosen("old"), space="CMEM")


def test_one_buffer(server: _Server) -> None:
    assert server.ask("buffer", **_chosen("new"), space="CMEM", id="591")


def test_a_broken_one_says_what_is_wrong(server: _Server) -> None:
    error = server.refused("usage", **_chosen("broken"), space="CMEM")
    assert error["code"] == "damaged" and "JSON" in error["message"] and error["advice"]


def test_it_is_xprofs_answer_already(server: _Server) -> None:
    error = server.refused("xprof_memory_viewer.json", **_chosen("new"), space="3")
    assert "already" in error["message"]
