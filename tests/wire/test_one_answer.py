"""Routes, the command line and the Python API give the same answer to the same question."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pytest
from werkzeug.test import Client

import tensorboard_plugin_memviewer as memviewer
from tensorboard_plugin_memviewer.cli import main
from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.web.routes import make_apps
from tests.conftest import DEMO
from tests.wire.schema import mismatches

RUN, HOST = "tpu_v5e_transformer", "host0"
Command = Callable[..., Any]


@pytest.fixture(scope="module")
def modules() -> tuple[memviewer.Module, ...]:
    return memviewer.open(DEMO).run(RUN).modules


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    def run(*arguments: str) -> Any:
        assert main([*arguments, "--format", "json"]) == 0
        return json.loads(capsys.readouterr().out)

    return run


def route(name: str, **query: str) -> Any:
    asked = {"run": RUN, "host": HOST, **query}
    response = Client(make_apps(Service(str(DEMO)))[f"/{name}"]).get(query_string=asked)
    assert response.status_code == 200, response.get_data(as_text=True)
    return response.get_json()


def place(module: str, space: str = "HBM") -> str:
    return f"{DEMO}#run={RUN}&module={module}&space={space}"


@pytest.mark.parametrize("by", ["scope", "source", "type"])
@pytest.mark.parametrize("space", ["HBM", "VMEM"])
def test_breakdown(modules: tuple[memviewer.Module, ...], command: Command, by: Any, space: str) -> None:
    key = modules[0].key
    ours = command("peak", place(key, space), "--by", by)
    assert mismatches("BreakdownAnswer", ours) == []
    assert ours == route("breakdown", module=key, space=space, by=by)
    assert ours == modules[0].usage(space).breakdown(by).to_dict()


def test_findings(modules: tuple[memviewer.Module, ...], command: Command) -> None:
    key = modules[0].key
    whole = command("findings", place(key))
    assert mismatches("SpacesFindings", whole) == []
    (ours,) = whole["spaces"]
    assert ours == modules[0].usage().findings.to_dict()
    theirs = route("findings", module=key, space="HBM")
    records = {record["row"]: record for record in ours["buffers"]}
    # The route leaves out records beyond the first of each finding, and nothing else.
    assert theirs == {**ours, "buffers": [records[record["row"]] for record in theirs["buffers"]]}
    for finding in theirs["findings"]:
        assert set(finding["buffers"][:20]) <= {record["row"] for record in theirs["buffers"]}
        assert set(finding["buffers"]) <= set(records)


def test_comparison(modules: tuple[memviewer.Module, ...], command: Command) -> None:
    subject, baseline = modules[:2]
    ours = command("diff", place(baseline.key), place(subject.key))
    assert mismatches("CompareAnswer", ours) == []
    assert ours == json.loads(json.dumps(subject.usage().compare(baseline.usage()).to_dict()))
    theirs = route(
        "compare",
        module=subject.key,
        space="HBM",
        baseline_run=RUN,
        baseline_host=HOST,
        baseline_module=baseline.key,
    )
    shown = len(theirs["changes"])
    assert theirs == {**ours, "changes": ours["changes"][:shown], "omitted": theirs["omitted"]}
    assert shown + theirs["omitted"]["count"] == len(ours["changes"])


def test_spaces_and_lists(modules: tuple[memviewer.Module, ...], command: Command) -> None:
    spaces = route("memory_spaces", module=modules[0].key)
    assert spaces == modules[0].to_dict()
    summary = command("summary", f"{DEMO}#run={RUN}")
    assert mismatches("SummaryAnswer", summary) == []
    listed = route("modules")["modules"]
    for entry, theirs in zip(summary["modules"], listed, strict=True):
        assert {name: entry[name] for name in theirs if name != "spaces"} == {
            name: value for name, value in theirs.items() if name != "spaces"
        }
        for space, less in zip(entry["spaces"], theirs["spaces"], strict=True):
            assert less.items() <= space.items() or {n: space[n] for n in less} == less
    first = next(entry for entry in summary["modules"] if entry["module"] == modules[0].key)
    assert first["spaces"] == [
        {name: value for name, value in space.items() if name != "curve"} for space in spaces["spaces"]
    ]
    found = command("list", f"{DEMO}#run={RUN}")
    assert mismatches("ListAnswer", found) == []
    names = {entry["module"]: entry for entry in route("modules", names="1")["modules"]}
    for entry in found["runs"][0]["modules"]:
        assert names[entry["module"]] == {name: entry[name] for name in names[entry["module"]]}


def test_a_buffer_has_the_same_fields_in_python(modules: tuple[memviewer.Module, ...]) -> None:
    usage = modules[0].usage()
    for record in usage.breakdown().to_dict()["buffers"]:
        buffer = asdict(usage.buffers[record["row"]])
        buffer["id"] = None if buffer["id"] is None else str(buffer["id"])
        assert buffer.keys() - record.keys() == {"last_read", "category", "owner"}
        assert {name: buffer[name] for name in record} == dict(record)


def test_commands_without_a_route_have_the_version(
    command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("explain-oom", str(DEMO / "xla_dump_oom" / "error.txt"))["version"] == 1
    assert command("check", str(DEMO / f"#run={RUN}"), "--max-hbm", "1TiB")["version"] == 1
