"""What the page reads from an answer is in it: every field that its contract declares, at every depth."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.web.routes import make_apps
from tests.conftest import DEMO, ROOT
from tests.reliability.captures import ask

CONTRACT = (ROOT / "frontend" / "src" / "contract.ts").read_text(encoding="utf-8")
MODULE = {"run": "tpu_v5e_transformer", "module": "jit_train_step(6894331664667864551)", "space": "HBM"}
BASELINE = {
    "baseline_run": MODULE["run"],
    "baseline_module": "jit_train_step(4782559293268148282)",
    "baseline_space": "HBM",
}

# Name of a field, whether it may be absent, and its type as it is written.
Fields = list[tuple[str, bool, str]]


def fields_of(body: str) -> Fields:
    """The fields between the braces of an interface. Text in deeper braces belongs to the field's type."""
    fields, depth, text = [], 0, ""
    for sign in body:
        depth += {"{": 1, "}": -1}.get(sign, 0)
        text += sign
        if sign == ";" and depth == 0:
            found = re.fullmatch(r"\s*readonly (\w+)(\??): (.*);", text, re.DOTALL)
            assert found is not None, text
            fields.append((found[1], found[2] == "?", found[3]))
            text = ""
    return fields


def interfaces() -> dict[str, Fields]:
    """The interfaces of the contract by name, those that they extend included."""
    bare = re.sub(r"/\*\*.*?\*/", "", CONTRACT, flags=re.DOTALL)
    found: dict[str, Fields] = {}
    for name, base, body in re.findall(
        r"^export interface (\w+)(?: extends (\w+))? \{\n(.*?)^\}", bare, re.DOTALL | re.MULTILINE
    ):
        found[name] = [*found.get(base, []), *fields_of(body)]
    return found


INTERFACES = interfaces()


def missing(answer: Any, declared: str, place: str) -> list[str]:
    """Fields that a type declares and the answer does not have."""
    kind = re.sub(r"\| null|^readonly ", "", declared).strip()
    if kind.endswith("[]"):
        assert isinstance(answer, list), place
        element = kind.removesuffix("[]").strip("()")
        return [lost for one in answer[:50] for lost in missing(one, element, f"{place}[]")]
    inline = kind.startswith("{")
    if answer is None or not (inline or kind in INTERFACES):
        return []
    assert isinstance(answer, dict), place
    lost = []
    for name, optional, inner in fields_of(kind[1:-1]) if inline else INTERFACES[kind]:
        if name in answer:
            lost += missing(answer[name], inner, f"{place}.{name}")
        elif not optional:
            lost.append(f"{place}.{name}")
    return lost


@pytest.mark.parametrize(
    ("route", "query", "interface"),
    [
        ("runs", {}, "RunsAnswer"),
        ("modules", {"run": "tpu_v5e_transformer"}, "ModulesAnswer"),
        ("memory_spaces", MODULE, "SpacesAnswer"),
        ("usage", MODULE, "UsageAnswer"),
        ("findings", MODULE, "FindingsAnswer"),
        ("compare", {**MODULE, **BASELINE}, "CompareAnswer"),
        ("modules", {"run": "gone"}, "Fault"),
    ],
)
def test_every_field_that_the_page_reads(route: str, query: dict[str, str], interface: str) -> None:
    _, answer = ask(make_apps(Service(str(DEMO))), route, **query)
    assert sorted(set(missing(answer, interface, interface))) == []


def test_the_fields_of_a_contract_are_found() -> None:
    assert {name for name, _, _ in INTERFACES["SpaceEntry"]} > {"space", "curve", "peak_bytes"}
    assert missing({"kind": "grew", "subject": {}}, "Change", "Change").count("Change.other_space") == 1
    assert "Change.subject.peak_count" in missing({"subject": {}}, "Change", "Change")
