"""Copies beside their originals, and donated arguments that are not updated in place."""

from __future__ import annotations

import pytest

from tests.analysis.findings.found import F32, MIB, found_in_text, names_of, real


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


def test_donated_argument_that_is_needed_until_its_new_value_is_done() -> None:
    finding = found_in_text(donated(f"n = {F32} dot(p, p)"))["not_in_place"]
    assert finding.bytes == MIB and "loop" not in finding.advice
    assert "loop" in real("h100_decode")["not_in_place"].advice
