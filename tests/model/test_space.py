"""Names of memory spaces: every one is understood again, and old ones still are."""

from __future__ import annotations

import pytest

from tensorboard_plugin_memviewer.model.space import space_about, space_aliases, space_name, space_number

NAMED = range(11)


def test_a_name_leads_back_to_its_number() -> None:
    names = [space_name(number) for number in NAMED]
    assert len(set(names)) == len(names)
    for number, name in zip(NAMED, names, strict=True):
        for text in (name, name.upper(), str(number), f"space {number}", *space_aliases(number)):
            assert space_number(text) == number, text
    assert all(len(name) <= 13 for name in names)


@pytest.mark.parametrize(
    ("text", "number"),
    [("SparseCore", 6), ("Workspace Register", 6), ("system memory", 5), ("space 7", 7), ("space 42", 42)],
)
def test_names_of_xprof_and_of_earlier_versions(text: str, number: int) -> None:
    assert space_number(text) == number


def test_space_6_has_the_name_of_xprof_s_releases_and_both_in_its_tooltip() -> None:
    assert space_name(6) == "SparseCore"
    assert "workspace registers" in (space_about(6) or "")


def test_what_has_no_name() -> None:
    assert (space_name(99), space_about(99), space_aliases(99)) == ("space 99", None, ())
    assert space_number("elsewhere") is None
