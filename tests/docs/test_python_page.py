"""The code of the page about Python, run from top to bottom."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.conftest import DEMO, ROOT

_BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def test_every_block_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    shutil.copytree(DEMO, tmp_path / "logs")
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    blocks = _BLOCK.findall(page)
    names: dict[str, object] = {"__name__": "python_page"}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)
    printed = capsys.readouterr().out
    assert "xla_dump_oom xla_dump ['jit_f']" in printed
    assert "Padding takes 86 % of the peak" in printed
    assert "no such module" in printed
    before, after = map(int, re.findall(r"^(\d+) → (\d+)$", printed, re.MULTILINE)[0])
    assert after < before / 2
    assert f"f32[8,512,2048] {-(64 << 20)}" in printed
    assert "\nTrue\n" in printed
