"""Whole answers of every route against files in tests/golden, which the page's own tests read too.

Both sides check each of them against the contract.

Written anew by `pytest tests/web/test_golden_payloads.py --update-goldens`; read the difference before you
commit it.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import Client

from tensorboard_plugin_memviewer.analysis.grouping.table import GROUPINGS
from tensorboard_plugin_memviewer.export.routes import make_export_apps
from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.web.routes import make_apps
from tests.wire.schema import mismatches

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "golden"
MODULES = ROOT / "data" / "modules"

# Chosen to be small and to have, between them: padding, loops and branches, buffers allocated again, shared
# addresses, scoped memory, a scope tree, stacks.
USAGES = {
    "padding_hbm": ("v5e_padding", "HBM"),
    "while_cond_hbm": ("v5e_while_cond", "HBM"),
    "while_cond_vmem": ("v5e_while_cond", "VMEM"),
    "mlp_donated_vmem": ("v5e_mlp_donated", "VMEM"),
    "pallas_smem_smem": ("v5e_pallas_smem", "SMEM"),
    "decode_hbm": ("h100_decode", "HBM"),
    "tiny_vmem": ("v5e_tiny", "VMEM"),
}
EXPORTED = ("padding_hbm", "decode_hbm", "while_cond_vmem")
# XProf's own answer, which is not ours to describe, is the only one without a record.
RECORDS = {
    "runs": "RunsAnswer",
    "modules": "ModulesAnswer",
    "module_names": "ModulesAnswer",
    "memory_spaces": "SpacesAnswer",
    "breakdown": "BreakdownAnswer",
    "findings": "FindingsAnswer",
    "compare": "CompareAnswer",
    "buffer": "BufferAnswer",
    "fault": "Fault",
    **{f"usage_{name}": "UsageAnswer" for name in USAGES},
    "xprof_memory_viewer": None,
}
COMPARED = ("v5e_while_cond", "v5e_padding")

Get = Callable[..., Any]


@pytest.fixture
def logdir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty logdir, named in answers without the path to it."""
    (tmp_path / "logdir").mkdir()
    monkeypatch.chdir(tmp_path)
    return Path("logdir")


def put(logdir: Path, *modules: str) -> None:
    for module in modules:
        file = logdir / f"{module}.hlo_proto.pb"
        shutil.copyfile(MODULES / file.name, file)
        os.utime(file, (1_700_000_000, 1_700_000_000))


def getter(path: Path, status: int = 200) -> Get:
    service = Service(str(path))
    apps = make_apps(service) | make_export_apps(service)
    run = service.runs().runs[0].name

    def get(route: str, **query: str) -> Any:
        response = Client(apps[f"/{route}"]).get(query_string={"run": run, **query})
        assert response.status_code == status, response.get_data(as_text=True)
        return response.get_json() if response.is_json else response.get_data(as_text=True)

    return get


def same_as_golden(name: str, answer: Any, request: pytest.FixtureRequest) -> None:
    path = GOLDEN / f"{name}.json"
    text = json.dumps(answer, indent=None, ensure_ascii=False, separators=(",", ":"))
    # One field a line at the top: a difference can be read.
    text = text.replace('},"', '},\n"').replace('],"', '],\n"') + "\n"
    if request.config.getoption("--update-goldens"):
        path.write_text(text, encoding="utf-8")
    assert json.loads(path.read_text(encoding="utf-8")) == answer
    record = RECORDS.get(name)
    assert record is None or mismatches(record, answer) == []


def test_every_golden_is_of_an_answer() -> None:
    files = {path.name for path in GOLDEN.iterdir() if path.is_file()}
    exported = {f"buffers_{name}.csv" for name in EXPORTED}
    grouped = {f"breakdowns_{name}.json" for name in USAGES}
    assert files == {*(f"{name}.json" for name in RECORDS), "records.json", *exported, *grouped}


def test_the_page_knows_of_which_record_each_golden_is(request: pytest.FixtureRequest) -> None:
    path = GOLDEN / "records.json"
    if request.config.getoption("--update-goldens"):
        path.write_text(json.dumps(RECORDS, indent=1) + "\n", encoding="utf-8")
    assert json.loads(path.read_text(encoding="utf-8")) == RECORDS


@pytest.mark.parametrize("name", USAGES)
def test_usage(name: str, request: pytest.FixtureRequest) -> None:
    file, space = USAGES[name]
    get = getter(MODULES / f"{file}.hlo_proto.pb")
    module = get("modules")["modules"][0]["module"]
    same_as_golden(f"usage_{name}", get("usage", module=module, space=space), request)
    breakdowns = {by: get("breakdown", module=module, space=space, by=by) for by in GROUPINGS}
    assert [mismatches("BreakdownAnswer", answer) for answer in breakdowns.values()] == [[]] * len(GROUPINGS)
    same_as_golden(f"breakdowns_{name}", breakdowns, request)


@pytest.mark.parametrize("name", EXPORTED)
def test_exported_buffers(name: str, request: pytest.FixtureRequest) -> None:
    file, space = USAGES[name]
    get = getter(MODULES / f"{file}.hlo_proto.pb")
    module = get("modules")["modules"][0]["module"]
    text = get("export", module=module, space=space, format="csv")
    path = GOLDEN / f"buffers_{name}.csv"
    if request.config.getoption("--update-goldens"):
        path.write_bytes(text.encode())
    assert path.read_bytes().decode() == text


def test_lists(logdir: Path, request: pytest.FixtureRequest) -> None:
    put(logdir, "v5e_while_cond")
    damaged = logdir / "damaged.hlo_proto.pb"
    damaged.write_bytes(b"\n\xff")
    os.utime(damaged, (1_700_000_000, 1_700_000_000))
    get = getter(logdir)
    same_as_golden("runs", get("runs"), request)
    modules = get("modules")
    (problem,) = modules["modules"][1]["problems"]
    # A golden must not know where it was made.
    problem["path"] = Path(problem["path"]).name
    same_as_golden("modules", modules, request)
    same_as_golden("module_names", get("modules", names="1"), request)
    same_as_golden("memory_spaces", get("memory_spaces", module=modules["modules"][0]["module"]), request)
    same_as_golden("fault", getter(logdir, 404)("memory_spaces", module="jit_gone"), request)


def test_one_module(logdir: Path, request: pytest.FixtureRequest) -> None:
    put(logdir, "v5e_padding")
    get = getter(logdir)
    (entry,) = get("modules")["modules"]
    chosen = {"module": entry["module"], "space": "HBM"}
    same_as_golden("breakdown", get("breakdown", **chosen, by="source"), request)
    found = get("findings", **chosen)["buffers"]
    padded = max(found, key=lambda buffer: buffer["bytes"] - buffer["unpadded_bytes"])
    buffer = get("buffer", **chosen, id=padded["id"])
    assert buffer["padding"] and buffer["stack"] and buffer["readers"]
    same_as_golden("buffer", buffer, request)


def test_findings(logdir: Path, request: pytest.FixtureRequest) -> None:
    put(logdir, "v5e_mlp_nodonate")
    get = getter(logdir)
    (entry,) = get("modules")["modules"]
    found = get("findings", module=entry["module"], space="HBM", capacity="64MiB")
    assert found["findings"][0]["buffers"] and any(one["effect"] for one in found["findings"])
    same_as_golden("findings", found, request)


def test_two_modules(logdir: Path, request: pytest.FixtureRequest) -> None:
    put(logdir, *COMPARED)
    get = getter(logdir)
    keys = {entry["name"]: entry["module"] for entry in get("modules", names="1")["modules"]}
    subject, baseline = keys.values()
    run = get("runs")["runs"][0]["run"]
    answer = get(
        "compare",
        module=subject,
        space="HBM",
        baseline_run=run,
        baseline_module=baseline,
        baseline_space="HBM",
    )
    assert answer["changes"] and answer["alignment"]
    same_as_golden("compare", answer, request)


def test_xprofs_own_answer(logdir: Path, request: pytest.FixtureRequest) -> None:
    put(logdir, "v5e_scalar")
    get = getter(logdir)
    (entry,) = get("modules")["modules"]
    answer = get("xprof_memory_viewer.json", module=entry["module"], space="0")
    same_as_golden("xprof_memory_viewer", answer, request)
