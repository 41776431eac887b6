"""The checks that are not tests: formats, linters, types of both languages, the page's own tests, generated files."""

from __future__ import annotations

import subprocess

import pytest

from tests.conftest import ROOT


@pytest.mark.house
@pytest.mark.parametrize("part", ["lint", "types", "page-check", "fresh"])
def test_make(part: str) -> None:
    done = subprocess.run(["make", "-s", part], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
