"""Arguments to donate, and large constants."""

from __future__ import annotations

import re

import pytest

from tensorboard_plugin_memviewer.analysis.usage import space_usage
from tensorboard_plugin_memviewer.model.space import HBM
from tensorboard_plugin_memviewer.units import parse_bytes
from tests.analysis.findings.found import BF16, F32, MIB, found_in_text, names_of, planned, real


def test_arguments_to_donate() -> None:
    finding = real("v5e_mlp_nodonate")["undonated_arguments"]
    assert (
        finding.bytes
        == planned("v5e_mlp_nodonate")
        .module.allocations.size[planned("v5e_mlp_nodonate").module.allocations.type == 1]
        .sum()
        - 1024
    )
    assert {"params_0__0_.1", "fusion.4"} <= names_of("v5e_mlp_nodonate", finding)
    assert "donate_argnums" in finding.advice
    assert "undonated_arguments" not in real("v5e_mlp_donated")


def test_what_uses_the_memory_of_outputs_before_needs_it_all_the_same() -> None:
    finding = real("v5e_tf_scan_nodonate")["undonated_arguments"]
    said = re.search(r"the peak falls by about ([0-9.]+ [MG]iB)\.$", finding.detail)
    assert said is not None
    before, after = (peak(name) for name in ("v5e_tf_scan_nodonate", "v5e_tf_scan"))
    assert abs(parse_bytes(said[1]) - (before - after)) < 0.2 * (before - after)
    assert finding.bytes > 1.5 * (before - after)
    assert "the peak falls" not in real("v5e_mlp_nodonate")["undonated_arguments"].detail


TAKING_TURNS = f"""
entry main:
  p = {F32} parameter()
  a = {F32} add(p, p)
  b = {F32} negate(a)
  r = {F32} add(b, b)
alloc parameter {MIB}: p:{MIB}
alloc output {MIB}: a:{MIB} r:{MIB}
alloc temp {MIB}: b:{MIB}@0
trace: +b -b
"""


def test_a_peak_that_stays_where_it_is_is_not_said_in_bytes() -> None:
    detail = found_in_text(TAKING_TURNS)["undonated_arguments"].detail
    assert detail.endswith("Other buffers use that memory before: the peak hardly falls.")


def test_without_a_schedule_nothing_is_said_of_what_uses_the_memory_before() -> None:
    text = TAKING_TURNS.replace("entry", "unscheduled entry")
    assert "use that memory" not in found_in_text(text)["undonated_arguments"].detail


def peak(name: str) -> int:
    return space_usage(planned(name), HBM).headline.peak_bytes


def test_an_output_is_matched_to_one_argument_only() -> None:
    text = f"""
    entry main:
      p = {F32} parameter() number=0
      q = {F32} parameter() number=1
      r = {F32} add(p, q)
      s = {BF16} convert(r)
    alloc parameter {MIB}: p:{MIB}
    alloc parameter {MIB}: q:{MIB}
    alloc output {MIB}: r:{MIB}
    alloc output {MIB // 2}: s:{MIB // 2}
    """
    finding = found_in_text(text)["undonated_arguments"]
    assert finding.bytes == MIB and len(finding.rows) == 2
    donated = text.replace(f"alloc parameter {MIB}: q", f"alloc parameter+output {MIB}: q").replace(
        f"alloc parameter {MIB}: p", f"alloc parameter+output {MIB}: p"
    )
    assert "undonated_arguments" not in found_in_text(donated)


def undonated(operation: str, result: str = "r") -> bool:
    text = f"""
    entry main:
      p = {F32} parameter()
      {operation}
    alloc parameter {MIB}: p:{MIB}
    alloc output {MIB}: {result}:{MIB}
    """
    return "undonated_arguments" in found_in_text(text)


def test_argument_that_is_read_once_its_output_is_written() -> None:
    assert undonated(f"r = {F32} sine(p)")
    assert undonated(f"x = {F32} sine(p)\nr = {F32} dot(x, x)")
    assert not undonated(f"r = {F32} sine(p)\nx = {F32} cosine(p)")
    assert not undonated(f"r = {F32} dot(p, p)"), "the old value is needed until the last element"


def test_argument_that_a_loop_reads_while_it_writes() -> None:
    loop = f"""
    computation body:
      b = ({F32},{F32}) parameter()
      w = {F32} get-tuple-element(b) index=0
      c = {F32} get-tuple-element(b) index=1
      d = {F32} add(c, w)
      t = ({F32},{F32}) tuple(w, d)
    computation cond:
      s = ({F32},{F32}) parameter()
    entry main:
      p = {F32} parameter()
      q = {F32} parameter()
      x = {F32} sine(q)
      i = ({F32},{F32}) tuple(p, x)
      l = ({F32},{F32}) while(i) calls=body,cond
    alloc parameter {MIB}: p:{MIB}
    alloc output {MIB}: x:{MIB} d:{MIB}
    """
    assert "undonated_arguments" not in found_in_text(loop)
    both = loop + f"alloc parameter {MIB}: q:{MIB}"
    finding = found_in_text(both)["undonated_arguments"]
    assert finding.bytes == MIB and finding.detail.endswith("such as q.")


@pytest.mark.parametrize(("size", "there"), [(2 * MIB, True), (MIB // 2, False)])
def test_large_constants(size: int, there: bool) -> None:
    text = f"""
    entry main:
      c = f32[{size // 4}] constant()
      r = f32[] parameter()
    alloc constant {size}: c:{size}
    """
    findings = found_in_text(text)
    assert ("large_constants" in findings) == there
    assert not there or findings["large_constants"].bytes == size
