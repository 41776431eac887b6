"""A peak of wide floats."""

from __future__ import annotations

from tests.analysis.findings.found import MIB, found_in_text, one_argument, real


def test_most_of_the_peak_in_f32() -> None:
    assert real("v5e_convnet_f32")["wide_floats"].bytes > 800 * MIB
    assert "wide_floats" not in real("v5e_mlp_nodonate")
    assert "bfloat16" in found_in_text(one_argument(MIB))["wide_floats"].advice
    assert "wide_floats" not in found_in_text(one_argument(MIB).replace("f32", "s32"))


def test_most_of_the_peak_in_f64() -> None:
    finding = found_in_text(one_argument(MIB).replace("f32", "f64"))["wide_floats"]
    assert finding.title == "100 % of the peak is f64: a narrower type halves it"
    assert "f32 takes half of f64" in finding.detail and "in 1 buffer," in finding.detail
