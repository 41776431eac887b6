"""Copies beside their originals, and donated arguments that are not updated in place."""

from __future__ import annotations

import pytest

from tests.analysis.findings.found import F32, MIB, found_in_case, found_in_text, names_of, real


def test_copies_beside_their_originals() -> None:
    text = f"""
    entry main:
      p = {F32} parameter()
      a = {F32} tanh(p)
      b = {F32} copy(a)
      c = {F32} add(a, b)
    alloc temp {2 * MIB}: a:{MIB}@0 b:{MIB}@{MIB}
    trace: +a +b -a -b
    """
    finding = found_in_text(text)["copies"]
    assert finding.bytes == MIB and len(finding.rows) == 2
    assert "copies" not in found_in_text(text.replace("copy(a)", "cosine(a)"))


@pytest.mark.parametrize("name", ["v5e_old_decode", "h100_decode"])
def test_donated_cache_that_is_written_anew(name: str) -> None:
    """The program has 2 GiB of cache as donated argument, and stacks a loop's outputs to its new value."""
    finding = real(name)["not_in_place"]
    assert finding.bytes == 2**31 and "cache" in finding.detail
    assert "cache.1" in names_of(name, finding)
    assert "not_in_place" not in real("v5e_tf_scan")


def donated(new_value: str) -> str:
    return f"""
    entry main:
      p = {F32} parameter()
      {new_value}
      c = {F32} copy(n)
    alloc parameter+output {MIB}: p:{MIB} c:{MIB}
    alloc temp {MIB}: n:{MIB}
    trace: +n -n
    """


def test_copies_of_copies() -> None:
    """Out of the chip again in another layout: the argument is there twice, and no loop is at fault."""
    text = donated(f"v = {F32} copy(p)\nn = {F32} copy(v)") + f"alloc temp {MIB} space=1: v:{MIB}\ntrace: +v"
    findings = found_in_text(text)
    assert findings["copies"].bytes == MIB and findings["copies"].detail.endswith("of p.")
    assert "not_in_place" not in findings


def test_a_product_needs_the_old_value_until_the_new_one_is_whole() -> None:
    assert "not_in_place" not in found_in_text(donated(f"n = {F32} dot(p, p)"))
    assert "loop" in real("h100_decode")["not_in_place"].advice


def test_an_argument_that_a_loop_carries_is_found_behind_its_copy() -> None:
    """The copy is written into, so what is alive at the peak is the update of it."""
    text = f"""
    computation body:
      b = ({F32}) parameter()
      old = {F32} get-tuple-element(b) index=0
      c = {F32} copy(old)
      x = f32[1,512] constant()
      i = s32[] constant()
      u = {F32} dynamic-update-slice(c, x, i)
      s = {F32} add(old, u)
      t = ({F32}) tuple(u)
    computation cond:
      q = ({F32}) parameter()
    entry main:
      p = {F32} parameter() op="cache"
      o = ({F32}) tuple(p)
      l = ({F32}) while(o) calls=body,cond
    alloc parameter+output {MIB}: p:{MIB} b{{0}}:{MIB} l{{0}}:{MIB}
    alloc temp {MIB}: c:{MIB} u:{MIB}
    trace: +c ~u=c -c -u
    """
    finding = found_in_text(text)["copies"]
    assert finding.bytes == MIB and finding.detail.endswith("of cache.")
    assert "read the old value before changing it" in finding.advice


@pytest.mark.cases
def test_a_copy_for_another_layout_is_called_that() -> None:
    finding = found_in_case("offload_adam_layout_v6e")["not_in_place"]
    assert "brought into its layout at the end, {0,1} instead of {1,0}" in finding.detail
    assert "layout" in finding.advice and "product" not in finding.advice
