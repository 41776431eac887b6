"""The generated types and schema are fresh, and a wrong answer does not pass."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from tensorboard_plugin_memviewer.analysis.usage import Headline
from tensorboard_plugin_memviewer.export.rows import csv_text
from tensorboard_plugin_memviewer.wire import VERSION
from tensorboard_plugin_memviewer.wire.headline import Headline as HeadlineRecord
from tests.conftest import DATA, ROOT
from tests.wire.schema import mismatches
from tools.contract_records import read_contract
from tools.generate_contract import SCHEMA, generated

GOLDEN = ROOT / "tests" / "golden"


def test_what_is_generated_is_fresh() -> None:
    stale = [path.name for path, text in generated().items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "run: make contract"


def test_the_published_schema_is_one() -> None:
    Draft202012Validator.check_schema(json.loads(SCHEMA.read_text(encoding="utf-8")))


def test_a_golden_answer_of_another_name_or_version_does_not_pass() -> None:
    compare = json.loads((GOLDEN / "compare.json").read_text(encoding="utf-8"))
    assert mismatches("CompareAnswer", compare) == []
    change = compare["changes"][0]
    change["otherSpace"] = change.pop("other_space")
    assert len(mismatches("CompareAnswer", compare)) == 2
    runs = json.loads((GOLDEN / "runs.json").read_text(encoding="utf-8"))
    assert mismatches("RunsAnswer", {**runs, "version": VERSION + 1}) != []
    assert mismatches("RunsAnswer", {**runs, "logdir": None}) != []


def test_every_answer_has_the_version() -> None:
    contract = read_contract()
    names = [name for name in contract.records if name.endswith("Answer") or name == "Fault"]
    assert set(names) <= set(contract.answers())


def test_headline_numbers_are_those_of_the_analysis() -> None:
    ours = set(HeadlineRecord.__annotations__) - {"capacity_bytes", "capacity_source"}
    assert ours == set(Headline.__dataclass_fields__)


def test_the_cells_that_both_languages_are_tested_with() -> None:
    cases: dict[str, Any] = json.loads((DATA / "csv_cells.json").read_text(encoding="utf-8"))
    assert csv_text(cases["header"], cases["rows"]).split("\r\n") == [*cases["lines"], ""]


@pytest.mark.parametrize("value", [{"delta": [1, 2]}, {"runs": [0, 3]}, [1, None], ["9007199254740993"], []])
def test_columns_of_every_kind(value: Any) -> None:
    assert mismatches("Curve", {"points": value, "bytes": []}) == []


@pytest.mark.parametrize("value", [None, {"delta": ["1"]}, {"sum": [1]}, [1.5], {"delta": [1], "runs": [1]}])
def test_columns_of_no_kind(value: Any) -> None:
    assert mismatches("Curve", {"points": value, "bytes": []}) != []
