"""The routes `compare` and `buffer` on the demo: agreement with the usage answer, errors with advice."""

from __future__ import annotations

from typing import Any

import pytest
from werkzeug.test import Client, TestResponse

from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.web.routes import make_apps
from tests.conftest import DEMO

APPS = make_apps(Service(str(DEMO)))
RUN = "tpu_v5e_transformer"


def ask(route: str, **query: str) -> TestResponse:
    return Client(APPS[f"/{route}"]).get(query_string=query)


def answered(route: str, **query: str) -> Any:
    response = ask(route, **query)
    assert response.status_code == 200, response.get_data(as_text=True)
    return response.get_json()


def modules() -> list[str]:
    return [entry["module"] for entry in answered("modules", run=RUN)["modules"]]


def plain(column: Any) -> list[Any]:
    if isinstance(column, list):
        return column
    if "delta" in column:
        total, values = 0, []
        for step in column["delta"]:
            total += step
            values.append(total)
        return values
    runs = column["runs"]
    return [value for value, count in zip(runs[::2], runs[1::2], strict=True) for _ in range(count)]


def test_comparison_of_two_modules_of_a_run() -> None:
    first, second, *_ = modules()
    found = answered("compare", run=RUN, module=first, space="HBM", baseline_run=RUN, baseline_module=second)
    assert found["subject"]["module"] == first and found["baseline"]["module"] == second
    assert found["baseline"]["space"] == "HBM"
    peaks = [found[side]["headline"]["peak_bytes"] for side in ("subject", "baseline")]
    parts = found["parts"]
    changed = sum(change["difference_bytes"] for change in found["changes"])
    assert changed + found["omitted"]["difference_bytes"] == parts["buffers_bytes"]
    assert parts["buffers_bytes"] - parts["shared_bytes"] + parts["scoped_bytes"] == peaks[0] - peaks[1]
    usage = answered("usage", run=RUN, module=first, space="HBM")
    sizes = plain(usage["buffers"]["bytes"])
    for change in found["changes"]:
        half = change["subject"]
        if half["count"] <= 20:
            assert sum(sizes[row] for row in half["buffers"]) == half["bytes"]


def test_comparison_with_itself_is_empty() -> None:
    module = modules()[0]
    found = answered("compare", run=RUN, module=module, space="1", baseline_run=RUN, baseline_module=module)
    assert found["changes"] == [] and found["parts"]["total_bytes"] == 0
    assert all(stretch["subject"] == stretch["baseline"] for stretch in found["alignment"])


def test_comparison_needs_a_baseline_that_is_there() -> None:
    module = modules()[0]
    assert ask("compare", run=RUN, module=module, space="HBM").status_code == 400
    gone = ask("compare", run=RUN, module=module, space="HBM", baseline_run=RUN, baseline_module="jit_gone")
    assert gone.status_code == 404 and "jit_gone" in gone.get_json()["error"]["message"]


def test_buffers_agree_with_the_usage_answer() -> None:
    module = modules()[0]
    usage = answered("usage", run=RUN, module=module, space="HBM")
    columns = {name: plain(usage["buffers"][name]) for name in ("id", "bytes", "start", "end", "offset")}
    largest = sorted(range(len(columns["bytes"])), key=lambda row: -columns["bytes"][row])[:40]
    for row in largest:
        found = answered("buffer", run=RUN, module=module, space="HBM", id=str(columns["id"][row]))
        record = next(one for one in found["buffers"] if one["row"] == row)
        assert found["id"] == str(columns["id"][row])
        assert (record["offset"], record["bytes"]) == (columns["offset"][row], columns["bytes"][row])
        assert (columns["start"][row], columns["end"][row]) in {
            (span["start"], span["end"]) for span in found["spans"]
        }
        if found["padding"] is not None:
            assert found["padding"]["stored_bytes"] == record["bytes"]
        if found["readers"]:
            assert found["last_reader"] == found["readers"][-1]


def test_buffer_says_its_stack_and_readers() -> None:
    module = modules()[0]
    buffers = answered("usage", run=RUN, module=module, space="HBM")["buffers"]
    sizes, starts, offsets = (plain(buffers[name]) for name in ("bytes", "start", "readers_offset"))
    read = [row for row, start in enumerate(starts) if start > 0 and offsets[row] < offsets[row + 1]]
    ids = [plain(buffers["id"])[row] for row in sorted(read, key=lambda row: -sizes[row])[:20]]
    asked = (answered("buffer", run=RUN, module=module, space="HBM", id=str(one)) for one in ids)
    found = next(answer for answer in asked if answer["stack"])
    assert found["allocation"]["type"] == "Temporary"
    assert found["buffers"][0]["source"].endswith(f":{found['stack'][0]['line']}")
    assert found["reader_count"] == len(found["readers"]) > 0
    assert found["longest_idle"]["end"] > found["longest_idle"]["start"]


@pytest.mark.parametrize(("id_text", "status"), [("12345678", 404), ("x", 400), ("", 400), ("9" * 40, 400)])
def test_buffers_that_are_not_there(id_text: str, status: int) -> None:
    response = ask("buffer", run=RUN, module=modules()[0], space="HBM", id=id_text)
    assert response.status_code == status
    assert response.get_json()["error"]["advice"]
