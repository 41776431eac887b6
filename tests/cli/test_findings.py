"""`memviewer findings`: each with bytes, evidence and something to try."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Answer

Command = Callable[..., Answer]


def test_a_program_over_capacity(memviewer: Command, demo: Path) -> None:
    answer = memviewer("findings", demo / "xla_dump_oom", "--format", "json").json
    first = answer["spaces"][0]["findings"][0]
    assert answer["spaces"][0]["space"] == "HBM"
    assert first["bytes"] == 19327353344 - 16911433728
    shown = memviewer("findings", demo / "xla_dump_oom").out
    assert first["title"] in shown
    assert first["advice"] in shown


def test_every_finding_has_bytes_and_advice(memviewer: Command, data: Path) -> None:
    answer = memviewer("findings", data / "modules", "--module", "v5e_padding", "--format", "json").json
    findings = [finding for space in answer["spaces"] for finding in space["findings"]]
    assert findings
    for finding in findings:
        assert finding["bytes"] > 0
        assert finding["title"]
        assert finding["advice"]
    assert any("padding" in finding["kind"] for finding in findings)


@pytest.mark.parametrize("kind", ["text", "markdown"])
def test_a_module_where_nothing_stands_out(memviewer: Command, data: Path, kind: str) -> None:
    answer = memviewer("findings", data / "modules", "--module", "v5e_scalar", "--format", kind)
    assert answer.code == 0
    assert "Nothing stands out." in answer.out
