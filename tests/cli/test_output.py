"""What several files have in common is said once."""

from __future__ import annotations

import pytest

from tensorboard_plugin_memviewer.cli.output import print_problems, print_tables
from tensorboard_plugin_memviewer.cli.table import Column, Table
from tensorboard_plugin_memviewer.errors import Problem

SAME = [Problem("old", "this is old", "Make it new.", f"/logs/{name}") for name in "abca"]
OTHER = Problem("cut", "this is cut", "Copy it again.", "/logs/a")


def test_a_problem_of_several_files_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    print_problems([SAME[0], OTHER, *SAME[1:]])
    assert capsys.readouterr().err.splitlines() == [
        "problem: this is old (/logs/a and 2 more)",
        "  Make it new.",
        "problem: this is cut (/logs/a)",
        "  Copy it again.",
    ]


def test_so_it_is_in_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    print_tables("markdown", [], SAME)
    assert capsys.readouterr().out.splitlines()[-1] == "- this is old (/logs/a and 2 more). Make it new."


@pytest.mark.parametrize("kind", ["text", "markdown"])
def test_a_very_long_cell_is_cut_in_its_middle(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    table = Table((Column("NAME"), Column("BYTES", right=True)))
    table.add("(" + "f32[], " * 10**6 + "s32[])", "1 B")
    table.add("x" * 200, "2 B")
    print_tables(kind, [("", table)])
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) < 300
    assert "…" in out
    assert "s32" in out
    assert "x" * 200 in out
