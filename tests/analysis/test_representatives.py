"""Which buffer stands for an allocation that lives for the whole run."""

from __future__ import annotations

import pytest

from tensorboard_plugin_memviewer.analysis.buffer_facts import buffer_facts
from tensorboard_plugin_memviewer.analysis.live_set import largest_live_rows
from tensorboard_plugin_memviewer.analysis.usage import plan, space_usage
from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module
from tests.build import module
from tests.conftest import CASES

LOOP_CARRY = """
entry main:
  p = f32[16] parameter() op="cache"
  c = f32[16] copy(p)
  r = f32[16] add(c, c)
alloc parameter+output 64: r:64 c:64 p:64
"""


def first(text: str) -> str:
    found = plan(module(text))
    usage = space_usage(found, 0)
    return buffer_facts(found, usage, int(largest_live_rows(usage, usage.headline.peak_point)[0])).instruction


def test_an_argument_stands_for_its_allocation_wherever_the_file_lists_it() -> None:
    assert first(LOOP_CARRY) == "p"
    assert first(LOOP_CARRY.replace("r:64 c:64 p:64", "p:64 r:64 c:64")) == "p"


def test_an_allocation_without_argument_is_its_largest_buffer() -> None:
    text = """
    entry main:
      p = f32[16] parameter()
      a = f32[16] add(p, p)
      r = f32[32] concatenate(a, a)
    alloc parameter 64: p:64
    alloc output 128: a:64 r:128
    """
    assert first(text) == "r"


@pytest.mark.cases
@pytest.mark.parametrize(
    ("name", "path"), [("scan_carry_copy_v5e", "cache"), ("grad_accum_donated_v5e", "acc[0]")]
)
def test_a_donated_argument_keeps_its_path(name: str, path: str) -> None:
    found = plan(decode_module((CASES / "found" / "advice" / f"{name}.hlo_proto.pb").read_bytes()))
    usage = space_usage(found, 0)
    row = int(largest_live_rows(usage, usage.headline.peak_point)[0])
    assert buffer_facts(found, usage, row).op_name == path
