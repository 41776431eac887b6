"""Which values are one buffer, where only the text of a dump is there: what the text states."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tensorboard_plugin_memviewer.analysis.lifetimes.shared_values import with_shared_values
from tensorboard_plugin_memviewer.model.module import InPlace, Module
from tests.build import module

IN_PLACE = """
entry main:
  p = f32[16] parameter()
  a = f32[16] negate(p)
  f = (f32[16], f32[16]) fusion(p, a)
  g = f32[16] get-tuple-element(f) index=1
  r = f32[16] add(g, p)
alloc parameter 64: p:64
alloc output 64: r:64
alloc temp 128 space=1: a:64@0 f{1}:64@0 f{0}:64@64
"""


def one_buffer(found: Module) -> bool:
    """Whether `a` and `f{1}` are one."""
    buffers = with_shared_values(found).buffers
    names = found.instructions.names
    row = {
        (names[at], index): n
        for n, (at, index) in enumerate(zip(buffers.instruction.tolist(), buffers.shape_index, strict=True))
    }
    return bool(buffers.hlo_buffer[row["a", ()]] == buffers.hlo_buffer[row["f", (1,)]])


def with_in_place(*part: object) -> Module:
    found = replace(module(IN_PLACE), platform="cpu")
    found = replace(
        found,
        buffers=replace(found.buffers, hlo_buffer=found.buffers.instruction * 0 + range(len(found.buffers))),
    )
    row = found.instructions.names.index("f")
    return replace(found, in_place=(InPlace(row, *part),) if part else ())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("part", "one"),
    [
        ((), False),
        (((1,), 1, ()), True),
        (((0,), 1, ()), False),  # not at that address
        (((1,), 0, ()), False),
        (((7,), 1, ()), False),
        (((1,), 9, ()), False),
        (((1,), 1, (3,)), False),
    ],
)
def test_results_are_written_into_the_operands_that_the_text_states(
    part: tuple[object, ...], one: bool
) -> None:
    assert one_buffer(with_in_place(*part)) is one
