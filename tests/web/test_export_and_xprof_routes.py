"""Downloads, and XProf's own answer, as a client gets them."""

from __future__ import annotations

import csv
import io
import json
from xml.etree import ElementTree

import pytest
from werkzeug.test import Client, TestResponse

from tensorboard_plugin_memviewer.export.routes import make_export_apps
from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.web.routes import make_apps
from tensorboard_plugin_memviewer.xprof_answer import xprof_answer
from tests.conftest import DEMO

SERVICE = Service(str(DEMO))
APPS = {**make_apps(SERVICE), **make_export_apps(SERVICE)}
CHOSEN = {"run": "tpu_v5e_transformer", "module": "jit_train_step", "space": "HBM"}


def ask(route: str, **query: str) -> TestResponse:
    return Client(APPS[f"/{route}"]).get(query_string={**CHOSEN, **query})


@pytest.mark.parametrize("kind", ["csv", "json", "svg", "html"])
def test_download_has_a_name_and_a_type(kind: str) -> None:
    response = ask("export", format=kind)
    assert response.status_code == 200
    assert response.headers["Content-Disposition"] == f'attachment; filename="jit_train_step.memory.{kind}"'
    assert kind in response.content_type
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_json_is_the_usage_answer() -> None:
    exported = json.loads(ask("export", format="json").get_data())
    usage = ask("usage").get_json()
    assert exported["headline"] == usage["headline"]
    assert exported["buffers"] == usage["buffers"]


def test_csv_sums_to_what_is_alive_at_the_peak() -> None:
    rows = list(csv.DictReader(io.StringIO(ask("export", format="csv").get_data(as_text=True))))
    headline = ask("usage").get_json()["headline"]
    parts = ask("breakdown", by="type").get_json()
    sizes = [int(row["bytes"]) for row in rows if row["live_at_peak"] == "yes"]
    assert sum(sizes) - parts["shared_bytes"] + parts["scoped_bytes"] == headline["peak_bytes"]


def test_svg_is_xml() -> None:
    assert ElementTree.fromstring(ask("export", format="svg").get_data()).tag.endswith("svg")


def test_unknown_format() -> None:
    response = ask("export", format="xlsx")
    assert response.status_code == 400
    assert "csv" in response.get_json()["error"]["advice"]


def test_xprof_answer_is_the_recorded_one() -> None:
    """What the route sends is what xprof_answer says, which is tested against XProf itself."""
    _, loaded = SERVICE.load(CHOSEN["run"], None, CHOSEN["module"])
    answer = ask("xprof_memory_viewer.json").get_json()
    assert answer == json.loads(json.dumps(xprof_answer(loaded.module, 0)))
    assert answer["moduleName"] == "jit_train_step"


def test_xprof_answers_for_spaces_that_are_not_used() -> None:
    assert ask("xprof_memory_viewer.json", space="SMEM").get_json()["moduleName"] == "jit_train_step"
    assert ask("xprof_memory_viewer.json", space="nonsense").status_code == 400
