"""A run's modules by name, before and while they are decoded: no module waits for the others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import Client

from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.service.decoding import decode_program
from tensorboard_plugin_memviewer.web.routes import make_apps
from tests.conftest import DEMO
from tools.pack_demo import packed

MODULES = Path(__file__).resolve().parent.parent / "data" / "modules"
RUN = "tpu_v5e_kernels"


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys of the programs that were decoded."""
    keys: list[str] = []

    def counting(finder: Any, program: Any) -> Any:
        keys.append(program.key)
        return decode_program(finder, program)

    monkeypatch.setattr("tensorboard_plugin_memviewer.service.service.decode_program", counting)
    return keys


def asked(service: Service, **query: str | list[str]) -> Any:
    response = Client(make_apps(service)["/modules"]).get(query_string=query)
    assert response.status_code == 200, response.get_data(as_text=True)
    return response.get_json()


def test_names_are_listed_undecoded_largest_program_first(decoded: list[str]) -> None:
    service = Service(str(DEMO))
    names = asked(service, run=RUN, names="1")
    assert decoded == []
    sizes = [module["size_bytes"] for module in names["modules"]]
    assert sizes == sorted(sizes, reverse=True)
    assert {module["decoded"] for module in names["modules"]} == {False}
    whole = asked(service, run=RUN)
    assert {module["decoded"] for module in whole["modules"]} == {True}
    for field in ("module", "program_id", "metadata_id", "hosts", "device", "size_bytes"):
        assert sorted(str(module[field]) for module in names["modules"]) == sorted(
            str(module[field]) for module in whole["modules"]
        )


def test_named_modules_alone_are_decoded(decoded: list[str]) -> None:
    service = Service(str(DEMO))
    keys = [module["module"] for module in asked(service, run=RUN, names="1")["modules"]]
    some = asked(service, run=RUN, module=keys[1:3])["modules"]
    assert sorted(decoded) == sorted(keys[1:3]) == sorted(module["module"] for module in some)
    (bare,) = asked(service, run=RUN, module=some[0]["name"])["modules"]
    assert bare == some[0]
    assert asked(service, run=RUN, module="jit_gone(1)")["modules"] == []


def test_one_name_of_unlike_modules_on_two_hosts_is_told_apart_when_decoded(tmp_path: Path) -> None:
    folder = tmp_path / "plugins" / "profile" / "r"
    folder.mkdir(parents=True)
    for host, module in (("a", "v5e_while_cond"), ("b", "v5e_padding"), ("c", "v5e_padding")):
        program = ("jit_f(1)", (MODULES / f"{module}.hlo_proto.pb").read_bytes())
        (folder / f"{host}.xplane.pb").write_bytes(packed(host, [program]))
    service = Service(str(tmp_path))
    (name,) = asked(service, run="r", names="1")["modules"]
    assert name["hosts"] == ["a", "b", "c"]
    apart = asked(service, run="r", module="jit_f(1)")["modules"]
    assert sorted(module["hosts"] for module in apart) == [["a"], ["b", "c"]]
