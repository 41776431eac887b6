"""A module without any names is shown with the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

import tensorboard_plugin_memviewer as memviewer
from tensorboard_plugin_memviewer.analysis.nameless import NO_NAMES, without_names
from tests.build import hlo_bytes, module
from tests.conftest import DATA

BARE = """
entry main:
p = f32[16] parameter()
r = f32[16] add(p, p)
alloc parameter 64: p:64
alloc output 64: r:64
"""


def test_without_any_metadata() -> None:
    assert without_names(module(BARE)) is NO_NAMES


@pytest.mark.parametrize(
    "text",
    [
        BARE.replace("add(p, p)", 'add(p, p) op="jit(f)/add"'),
        BARE.replace("parameter()", 'parameter() op="x"'),
        BARE.replace("add(p, p)", "copy(p)"),
    ],
    ids=["an operation", "a parameter", "nothing that has names anywhere"],
)
def test_with_metadata_or_nothing_that_should_have_any(text: str) -> None:
    assert without_names(module(text)) is None


def test_is_a_problem_of_the_module(tmp_path: Path) -> None:
    (tmp_path / "bare.hlo_proto.pb").write_bytes(hlo_bytes(BARE))
    (tmp_path / "named.hlo_proto.pb").write_bytes(
        hlo_bytes(BARE.replace("add(p, p)", 'add(p, p) op="f/add"'))
    )
    problems = {found.key: found.problems for found in memviewer.open(tmp_path).modules}
    assert [problem.message for problem in problems["bare"]] == [NO_NAMES.message]
    assert problems["named"] == ()


@pytest.mark.cases
def test_real_module_of_pytorch_xla(cases: Path) -> None:
    path = cases / "found" / "owners" / "torch_xla_without_names.hlo_proto.pb"
    advice = [
        problem.advice for problem in memviewer.open(path).modules[0].problems if problem.code == "no_names"
    ]
    assert len(advice) == 1 and "XLA_HLO_DEBUG=1" in advice[0] and "XLA_IR_DEBUG=1" in advice[0]


@pytest.mark.parametrize(
    "path", sorted((DATA / "modules").glob("*.hlo_proto.pb")), ids=lambda path: path.name
)
def test_real_modules_have_names(path: Path) -> None:
    assert "no_names" not in {problem.code for problem in memviewer.open(path).modules[0].problems}
