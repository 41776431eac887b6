"""A peak of wide floats, where nothing else explains it."""

from __future__ import annotations

from tests.analysis.findings.found import F32, MIB, found_in_text, one_argument, real

# Only a GPU's fusions are called so.
ON_GPU = "r = f32[] constant()\n      loop_add_fusion = f32[] constant()"


def on_gpu(text: str) -> str:
    return text.replace("r = f32[] constant()", ON_GPU)


def test_most_of_the_peak_in_f32() -> None:
    finding = found_in_text(on_gpu(one_argument(MIB)))["wide_floats"]
    assert finding.title == "100 % of the peak is f32 in arguments"
    assert finding.effect is not None and (finding.effect.low, finding.effect.high) == (0, MIB // 2)
    assert "bfloat16" in finding.advice and "p 1.00 MiB" in finding.detail
    assert "wide_floats" not in found_in_text(on_gpu(one_argument(MIB)).replace("f32", "s32"))
    assert "wide_floats" not in real("v5e_mlp_nodonate")


def test_most_of_the_peak_in_f64() -> None:
    finding = found_in_text(on_gpu(one_argument(MIB)).replace("f32", "f64"))["wide_floats"]
    assert "f32 takes half of f64" in finding.detail


def test_nothing_is_known_to_be_gained_on_cpu() -> None:
    assert "wide_floats" not in found_in_text(one_argument(MIB))


def test_what_another_finding_explains_is_no_matter_of_types() -> None:
    """The kept activations of a convolution network are f32; the finding on them says so."""
    donated = f"""
    entry main:
      p = {F32} parameter() op="p"
      loop_add_fusion = {F32} add(p, p)
    alloc parameter {MIB}: p:{MIB}
    alloc output {MIB}: loop_add_fusion:{MIB}
    """
    assert found_in_text(donated).keys() == {"undonated_arguments"}
