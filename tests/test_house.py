"""The checks that are not tests: formats, linters, types, the page's own tests, fresh generated files."""

from __future__ import annotations

import os
import subprocess

import pytest

from tests.conftest import ROOT


@pytest.mark.house
@pytest.mark.parametrize("part", ["lint", "types", "page-check", "fresh"])
def test_make(part: str) -> None:
    plain = {**os.environ, "NO_COLOR": "1"}
    done = subprocess.run(
        ["make", "-s", part], cwd=ROOT, env=plain, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
