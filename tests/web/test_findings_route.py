"""The `findings` route on the demo: what a page gets."""

from __future__ import annotations

from typing import Any

from werkzeug.test import Client, TestResponse

from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.web.routes import make_apps
from tests.conftest import DEMO

APPS = make_apps(Service(str(DEMO)))
RUN = "tpu_v5e_transformer"


def ask(route: str, **query: str) -> TestResponse:
    return Client(APPS[f"/{route}"]).get(query_string=query)


def answered(**query: str) -> Any:
    return ask("findings", run=RUN, space="HBM", **query).get_json()["findings"]


def largest() -> Any:
    return ask("modules", run=RUN).get_json()["modules"][0]


def test_findings_name_rows_of_the_usage_answer() -> None:
    module = largest()
    usage = ask("usage", run=RUN, module=module["module"], space="HBM").get_json()
    represents = usage["buffers"]["represents"]
    count = sum(represents["runs"][1::2]) if isinstance(represents, dict) else len(represents)
    found = answered(module=module["module"])
    assert "activations" in {finding["kind"] for finding in found}
    for finding in found:
        assert all(row < count for row in finding["buffers"])


def test_capacity_of_the_user_counts() -> None:
    module = largest()
    needs = module["spaces"][0]["required_bytes"]
    kinds = [finding["kind"] for finding in answered(module=module["module"], capacity=str(needs - 1))]
    assert kinds[0] == "over_capacity"
    kinds = [finding["kind"] for finding in answered(module=module["module"], capacity="1TiB")]
    assert not {"over_capacity", "near_capacity"} & set(kinds)


def test_capacity_that_is_no_amount() -> None:
    response = ask("findings", run=RUN, module=largest()["module"], space="HBM", capacity="lots")
    assert response.status_code == 400
    assert "lots" in response.get_json()["error"]["message"]
