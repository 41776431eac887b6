"""The routes as a client meets them, on real captures: answers, errors with advice, caching, compression."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from werkzeug.test import Client, TestResponse

from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.web.routes import make_apps

DEMO = Path(__file__).resolve().parent.parent.parent / "tensorboard_plugin_memviewer" / "demo"
APPS = make_apps(Service(str(DEMO)))
RUN = "tpu_v5e_transformer"


def ask(route: str, **query: str) -> TestResponse:
    return Client(APPS[f"/{route}"]).get(query_string=query)


def answered(route: str, **query: str) -> Any:
    response = ask(route, **query)
    assert response.status_code == 200, response.get_data(as_text=True)
    return response.get_json()


def largest() -> str:
    module: str = answered("modules", run=RUN)["modules"][0]["module"]
    return module


def test_runs_of_the_demo() -> None:
    runs = answered("runs")["runs"]
    assert [run["run"] for run in runs] == sorted(run["run"] for run in runs)
    kinds = {run["run"]: run["kind"] for run in runs}
    assert kinds[RUN] == "profile"
    assert "xla_dump" in kinds.values()


def test_modules_come_largest_hbm_peak_first() -> None:
    modules = answered("modules", run=RUN)["modules"]
    peaks = [module["spaces"][0]["peak_bytes"] for module in modules]
    assert peaks == sorted(peaks, reverse=True)
    assert modules[0]["program_id"] in modules[0]["module"]


def test_usage_by_name_and_by_number_of_the_space() -> None:
    module = largest()
    by_name = answered("usage", run=RUN, module=module, space="VMEM")
    by_number = answered("usage", run=RUN, module=module, space="1")
    assert by_name == by_number
    assert by_name["space"] == "VMEM"


def test_module_by_its_bare_name_or_program_id() -> None:
    module = largest()
    bare = module.partition("(")[0]
    assert answered("memory_spaces", run=RUN, module=bare)["name"] == bare


def test_module_by_the_number_that_old_xprofs_give_it() -> None:
    for module in answered("modules", run=RUN)["modules"]:
        numbered = f"{module['name']}({module['metadata_id']})"
        assert answered("memory_spaces", run=RUN, module=numbered)["module"] == module["module"]


@pytest.mark.parametrize("by", ["scope", "source", "type", "opcode", "dtype", "shape"])
def test_breakdown_sums_to_the_usage(by: str) -> None:
    module = largest()
    usage = answered("usage", run=RUN, module=module, space="HBM")["headline"]
    parts = answered("breakdown", run=RUN, module=module, space="HBM", by=by)
    total = sum(group["bytes"] for group in parts["groups"])
    assert (
        total - parts["shared_bytes"] + parts["scoped_bytes"] == parts["usage_bytes"] == usage["peak_bytes"]
    )
    assert parts["point"] == usage["peak_point"]


def test_what_has_no_source_line_is_a_group_that_says_so() -> None:
    parts = answered("breakdown", run=RUN, module=largest(), space="HBM", by="source")
    assert "(no source line)" in {group["key"] for group in parts["groups"]}


@pytest.mark.parametrize(
    ("route", "query", "status", "says"),
    [
        ("modules", {}, 400, "'run' is missing"),
        ("modules", {"run": "no such"}, 404, "no run 'no such'"),
        ("modules", {"run": RUN, "host": "elsewhere"}, 404, "no host 'elsewhere'"),
        ("usage", {"run": RUN, "module": "nope", "space": "HBM"}, 404, "no module 'nope'"),
        (
            "usage",
            {"run": RUN, "module": "jit_train_step", "space": "SMEM"},
            404,
            "does not use memory space",
        ),
        ("usage", {"run": RUN, "module": "jit_train_step"}, 400, "'space' is missing"),
        (
            "breakdown",
            {"run": RUN, "module": "jit_train_step", "space": "HBM", "by": "x"},
            400,
            "cannot group by",
        ),
        (
            "breakdown",
            {"run": RUN, "module": "jit_train_step", "space": "HBM", "at": "-1"},
            400,
            "no program point",
        ),
        (
            "breakdown",
            {"run": RUN, "module": "jit_train_step", "space": "HBM", "at": "9" * 30},
            400,
            "no program",
        ),
        ("modules", {"run": "x" * 20_000}, 400, "too long"),
        ("modules", {"run": "../../etc"}, 404, "no run"),
    ],
)
def test_errors_say_what_and_what_to_do(route: str, query: dict[str, str], status: int, says: str) -> None:
    response = ask(route, **query)
    assert response.status_code == status
    error = response.get_json()["error"]
    assert says in error["message"]
    assert error["advice"]
    assert response.headers["Cache-Control"] == "no-store"


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(["run", "host", "module", "space", "by", "at"]), st.text(max_size=40)))
def test_any_parameters_give_a_typed_answer(query: dict[str, str]) -> None:
    for route in APPS:
        response = Client(APPS[route]).get(query_string={"run": RUN, "module": "jit_train_step", **query})
        assert response.status_code in (200, 400, 404)
        json.loads(response.get_data())


def test_gzip_etag_and_not_modified() -> None:
    client = Client(APPS["/usage"])
    query = {"run": RUN, "module": largest(), "space": "HBM"}
    plain = client.get(query_string=query)
    packed = client.get(query_string=query, headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.get_data()) == plain.get_data()
    assert plain.headers["ETag"] != packed.headers["ETag"]
    again = client.get(query_string=query, headers={"If-None-Match": plain.headers["ETag"]})
    assert (again.status_code, again.get_data()) == (304, b"")
    assert plain.headers["Cache-Control"] == "no-cache"
    assert plain.headers["X-Content-Type-Options"] == "nosniff"


def test_only_get() -> None:
    response = Client(APPS["/runs"]).post()
    assert response.status_code == 405
    assert "GET" in response.headers["Allow"]


def test_damaged_file_beside_a_good_one(tmp_path: Path) -> None:
    good = next(DEMO.glob("plugins/profile/tpu_v5e_transformer/*.xplane.pb"))
    run = tmp_path / "plugins" / "profile" / "mixed"
    run.mkdir(parents=True)
    (run / "good.xplane.pb").write_bytes(good.read_bytes())
    (run / "bad.xplane.pb").write_bytes(b"\xff\xfe this is no capture")
    (run / "empty.xplane.pb").write_bytes(b"")
    answer = (
        Client(make_apps(Service(str(tmp_path)))["/modules"]).get(query_string={"run": "mixed"}).get_json()
    )
    assert len(answer["modules"]) == 2
    told = [(problem["path"], problem["advice"]) for problem in answer["problems"]]
    for name in ("bad", "empty"):
        assert any(path.endswith(f"{name}.xplane.pb") and advice for path, advice in told)


def test_module_without_buffer_assignment_says_so() -> None:
    data = Path(__file__).resolve().parent.parent / "data" / "damaged" / "nobuf_v5e_mlp.hlo_proto.pb"
    apps = make_apps(Service(str(data)))
    run = Client(apps["/runs"]).get().get_json()["runs"][0]["run"]
    answer = Client(apps["/modules"]).get(query_string={"run": run}).get_json()
    (module,) = answer["modules"]
    assert module["spaces"] == []
    assert "no buffer assignment" in module["problems"][0]["message"]
    response = Client(apps["/usage"]).get(
        query_string={"run": run, "module": module["module"], "space": "HBM"}
    )
    assert response.status_code == 422
    assert response.get_json()["error"]["path"] == str(data)
