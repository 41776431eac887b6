"""Activations kept for the backward pass, and buffers of one operation side by side."""

from __future__ import annotations

from tests.analysis.findings.found import F32, MIB, found_in_text, names_of, real


def test_activations_kept_for_the_backward_pass() -> None:
    finding = real("v5e_tf_scan")["activations"]
    assert "while.7" in names_of("v5e_tf_scan", finding)
    kept, recomputed = finding.bytes, real("v5e_tf_remat")["activations"].bytes
    assert kept > 5 * recomputed, "checkpoint keeps less"
    assert real("v5e_oom")["activations"].bytes == 13 * 2**30
    for inference in ("v5e_old_decode", "h100_decode", "v5e_padding"):
        assert "activations" not in real(inference)


def test_activations_of_a_few_lines() -> None:
    text = f"""
    entry main:
      p = {F32} parameter()
      h = {F32} tanh(p) op="jit(f)/jvp(layer)/tanh"
      y = {F32} sine(h) op="jit(f)/jvp(loss)/sin"
      g = {F32} multiply(y, h) op="jit(f)/transpose(jvp(layer))/mul"
    alloc temp {2 * MIB}: h:{MIB}@0 y:{MIB}@{MIB}
    trace: +h +y -h -y
    """
    finding = found_in_text(text)["activations"]
    assert finding.bytes == 2 * MIB and finding.points == (2, 3)
    assert "activations" not in found_in_text(text.replace("transpose(jvp(layer))", "update"))


def test_copy_of_an_argument_is_no_activation() -> None:
    text = f"""
    entry main:
      p = {F32} parameter()
      s = ({F32},{F32},u32[]) copy-start(p) op="jit(f)/jvp(layer)/dot"
      d = {F32} copy-done(s)
      g = {F32} multiply(d, d) op="jit(f)/transpose(jvp(layer))/mul"
    alloc parameter {MIB}: p:{MIB}
    alloc temp {MIB}: s{{0}}:{MIB}
    trace: +s{{0}} -s{{0}}
    """
    assert "activations" not in found_in_text(text)
    assert "copies" in found_in_text(text)
    assert "activations" in found_in_text(text.replace("parameter()", "iota()"))


def test_buffers_of_one_operation_side_by_side() -> None:
    finding = real("v5e_tf_scan")["duplicates"]
    assert finding.bytes == 5 * 150994944 and len(finding.rows) == 6
    assert "jit(train_step)/jvp()/while" in finding.detail
    assert "duplicates" not in real("v5e_tf_remat")
