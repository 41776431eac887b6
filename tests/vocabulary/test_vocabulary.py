"""Every table of words is whole: it names all that the package computes, and no more."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest

from tensorboard_plugin_memviewer.analysis.capacity import near_capacity
from tensorboard_plugin_memviewer.analysis.usage import Headline
from tensorboard_plugin_memviewer.model.module import AllocationType
from tensorboard_plugin_memviewer.model.space import default_space, space_name
from tensorboard_plugin_memviewer.vocabulary.allocation_types import ALLOCATION_TYPES
from tensorboard_plugin_memviewer.vocabulary.categories import CATEGORIES
from tensorboard_plugin_memviewer.vocabulary.changes import CHANGES, ChangeKind
from tensorboard_plugin_memviewer.vocabulary.findings import FINDING_KINDS
from tensorboard_plugin_memviewer.vocabulary.groupings import DEFAULT_GROUPING, GROUPINGS
from tensorboard_plugin_memviewer.vocabulary.headline import HEADLINE
from tensorboard_plugin_memviewer.vocabulary.spaces import SPACES
from tests.conftest import DATA, ROOT
from tests.docs.test_pages import anchors
from tools import generate_vocabulary

RULES: dict[str, Any] = json.loads((DATA / "rules.json").read_text(encoding="utf-8"))
"""Rules that the page has, too: frontend/test/model/rules.test.ts runs the same cases."""


def test_headline_numbers_are_those_that_are_computed() -> None:
    assert set(HEADLINE) == {field.name for field in fields(Headline)} | {"capacity_bytes"}
    assert [key for key, number in HEADLINE.items() if number.unit != "bytes"] == ["peak_point"]


def test_finding_kinds_are_those_that_are_found() -> None:
    folder = ROOT / "tensorboard_plugin_memviewer" / "analysis" / "findings"
    made = {
        kind
        for file in folder.glob("*.py")
        for kind in re.findall(r'\n +kind="(\w+)"', file.read_text(encoding="utf-8"))
    }
    assert made == set(FINDING_KINDS)


def test_findings_are_documented_where_they_say() -> None:
    for kind in FINDING_KINDS.values():
        page, _, anchor = kind.anchor.partition("#")
        assert anchor in anchors(ROOT / "docs" / page), kind.key


def test_other_tables_are_whole() -> None:
    assert get_args(ChangeKind) == tuple(CHANGES)
    assert tuple(kind.label for kind in AllocationType) == ALLOCATION_TYPES
    assert DEFAULT_GROUPING in GROUPINGS
    assert len({one.key for one in CATEGORIES}) == len(CATEGORIES)
    assert [space_name(number) for number in SPACES] == [space.name for space in SPACES.values()]


@pytest.mark.parametrize("table", [HEADLINE, {one.key: one for one in CATEGORIES}, FINDING_KINDS, SPACES])
def test_no_word_stands_for_two_things(table: dict[Any, Any]) -> None:
    words = [getattr(entry, "word", None) or entry.name for entry in table.values()]
    assert len(set(words)) == len(words)


@pytest.mark.parametrize("case", RULES["capacity_in_charts"])
def test_charts_show_a_capacity_that_is_near(case: dict[str, Any]) -> None:
    shown = near_capacity(case["capacity"], max(case["required"], 1))
    assert shown == (case["capacity"] if case["shown"] else None)


@pytest.mark.parametrize("case", RULES["default_space"])
def test_the_space_to_show_first(case: dict[str, Any]) -> None:
    assert default_space({int(space): peak for space, peak in case["peaks"].items()}) == case["space"]


def test_what_is_written_from_the_vocabulary_is_fresh() -> None:
    stale = [file.name for file, text in generate_vocabulary.wanted().items() if file.read_text() != text]
    assert not stale, "run python -m tools.generate_vocabulary"


def test_a_stale_file_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "docs").mkdir()
    page = tmp_path / "docs" / "page.md"
    page.write_text("<!-- vocabulary: spaces -->\n<!-- end -->\n")
    monkeypatch.setattr(generate_vocabulary, "ROOT", tmp_path)
    monkeypatch.setattr(generate_vocabulary, "TYPESCRIPT", tmp_path / "src" / "vocabulary.ts")
    monkeypatch.setattr("sys.argv", ["generate_vocabulary", "--check"])
    assert generate_vocabulary.main() == 1
    assert "page.md is stale" in capsys.readouterr().err
    monkeypatch.setattr("sys.argv", ["generate_vocabulary"])
    assert generate_vocabulary.main() == 0
    assert "| 0 | HBM |" in page.read_text()
    monkeypatch.setattr("sys.argv", ["generate_vocabulary", "--check"])
    assert generate_vocabulary.main() == 0
