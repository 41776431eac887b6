"""Whole answers against files in tests/golden, which the page's own tests read too: one contract, two sides.

Written anew by `pytest tests/web/test_golden_payloads.py --update-goldens`; read the difference before you
commit it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import Client

from tensorboard_plugin_memviewer.analysis.grouping.table import GROUPINGS
from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.web.routes import make_apps

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "golden"

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

Get = Callable[..., Any]


def getter(path: Path) -> Get:
    service = Service(str(path))
    apps = make_apps(service)
    run = service.runs().runs[0].name

    def get(route: str, **query: str) -> Any:
        response = Client(apps[f"/{route}"]).get(query_string={"run": run, **query})
        assert response.status_code == 200, response.get_data(as_text=True)
        return response.get_json()

    return get


def same_as_golden(name: str, answer: Any, request: pytest.FixtureRequest) -> None:
    path = GOLDEN / f"{name}.json"
    text = json.dumps(answer, indent=None, ensure_ascii=False, separators=(",", ":"))
    # One field a line at the top: a difference can be read.
    text = text.replace('},"', '},\n"').replace('],"', '],\n"') + "\n"
    if request.config.getoption("--update-goldens"):
        path.write_text(text, encoding="utf-8")
    assert json.loads(path.read_text(encoding="utf-8")) == answer


@pytest.mark.parametrize("name", USAGES)
def test_usage(name: str, request: pytest.FixtureRequest) -> None:
    file, space = USAGES[name]
    get = getter(ROOT / "data" / "modules" / f"{file}.hlo_proto.pb")
    module = get("modules")["modules"][0]["module"]
    same_as_golden(f"usage_{name}", get("usage", module=module, space=space), request)
    breakdowns = {by: get("breakdown", module=module, space=space, by=by) for by in GROUPINGS}
    same_as_golden(f"breakdowns_{name}", breakdowns, request)


def test_modules_and_spaces(request: pytest.FixtureRequest) -> None:
    get = getter(ROOT / "data" / "modules" / "v5e_while_cond.hlo_proto.pb")
    modules = get("modules")
    same_as_golden("modules", modules, request)
    same_as_golden("module_names", get("modules", names="1"), request)
    same_as_golden("memory_spaces", get("memory_spaces", module=modules["modules"][0]["module"]), request)
