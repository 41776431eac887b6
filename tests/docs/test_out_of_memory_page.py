"""The cases of the page about running out of memory: programs, compiled modules, what the page says."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from types import ModuleType

import pytest

import tensorboard_plugin_memviewer as memviewer
from tests.conftest import ROOT

EXAMPLES = ROOT / "docs" / "examples"
PAGE = (ROOT / "docs" / "out_of_memory.md").read_text(encoding="utf-8")
V5E = int(15.75 * 2**30)
# By name of the program: the finding that points at what is changed.
CASES = {
    "donation": "undonated_arguments",
    "thin_dimension": "padding",
    "recompute": "activations",
    "constant": "over_capacity",
    "half_precision": "activations",
}


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module that measures, with the programs beside it importable."""
    pytest.importorskip("jax", reason="jax is not installed")
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return importlib.import_module("measure")


def compiled(name: str, version: str) -> memviewer.Usage:
    """A module as the compiler for TPU v5e left it."""
    path = EXAMPLES / "compiled" / f"{name}_{version}.hlo_proto.pb"
    return memviewer.open(path, capacity={"HBM": V5E}).modules[0].usage("HBM")


@pytest.mark.parametrize("name", CASES)
def test_does_not_fit_before_and_fits_after(name: str) -> None:
    before, after = compiled(name, "before"), compiled(name, "after")
    assert before.required_bytes > V5E >= after.required_bytes
    assert CASES[name] in {finding.kind for finding in before.findings}


def test_activations_in_f32_are_called_that() -> None:
    found = {finding.kind: finding for finding in compiled("half_precision", "before").findings}
    assert "of them are f32" in found["activations"].detail
    found = {finding.kind: finding for finding in compiled("half_precision", "after").findings}
    assert "f32" not in found["activations"].detail


@pytest.mark.parametrize("name", CASES)
def test_page_has_the_numbers(name: str, example: ModuleType) -> None:
    before, after = compiled(name, "before"), compiled(name, "after")
    assert f"<!-- {name} -->\n\n```text\n{example.table(before, after)}\n```\n" in PAGE


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_compiles_here(name: str, example: ModuleType) -> None:
    program = importlib.import_module(name)
    versions = [memviewer.from_lowered(one).usage("HBM") for one in (program.before, program.after)]
    before, after = versions
    assert before.headline.argument_bytes == after.headline.argument_bytes > 2**27
    if name in ("donation", "recompute"):  # what makes the others large is TPU's own
        assert after.required_bytes < 0.7 * before.required_bytes
    if name == "half_precision":  # as the page warns: XLA for CPU computes bf16 in f32
        assert after.required_bytes > before.required_bytes


@pytest.mark.slow
def test_runs_as_the_page_says() -> None:
    pytest.importorskip("jax", reason="jax is not installed")
    command = [sys.executable, "docs/examples/donation.py"]
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert "before" in done.stdout and "aliased" in done.stdout
