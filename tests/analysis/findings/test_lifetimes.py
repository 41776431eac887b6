"""Activations kept for the backward pass, and buffers of one operation side by side."""

from __future__ import annotations

import pytest

from tensorboard_plugin_memviewer.analysis.usage import space_usage
from tensorboard_plugin_memviewer.model.space import HBM
from tests.analysis.findings.found import (
    F32,
    MIB,
    found_in,
    found_in_case,
    found_in_text,
    names_of,
    planned,
    planned_case,
    real,
)
from tests.analysis.findings.layers import layers, scan


def test_activations_that_a_scan_stacks() -> None:
    finding = real("v5e_tf_scan")["activations"]
    assert "while.7" in names_of("v5e_tf_scan", finding)
    # With jax.checkpoint around its body the same program needs 2,296 MiB less at its peak.
    assert finding.effect is not None and finding.effect.kind == "range"
    peaks = [space_usage(planned(name), HBM).headline.peak_bytes for name in ("v5e_tf_scan", "v5e_tf_remat")]
    assert finding.effect.low <= peaks[0] - peaks[1] <= finding.effect.high
    assert "activations" not in real("v5e_tf_remat"), "what goes into the layers is needed"
    for inference in ("v5e_old_decode", "h100_decode", "v5e_padding"):
        assert "activations" not in real(inference)


def test_activations_of_several_layers() -> None:
    assert real("v5e_oom")["activations"].bytes == 13 * 2**30
    finding = found_in_text(layers(3))["activations"]
    assert finding.bytes == 3 * MIB
    assert "activations" not in found_in_text(layers(3).replace("transpose(jvp(", "update(("))


def test_what_one_layer_keeps_is_there_again_when_it_is_recomputed() -> None:
    assert "activations" not in found_in_text(layers(1))
    assert "activations" not in found_in_text(layers(2)), "as what makes keys and values in one layer"


def test_a_loop_that_stacks_one_array_keeps_what_goes_into_its_layers() -> None:
    assert "activations" not in found_in_text(scan(1))
    effect = found_in_text(scan(2))["activations"].effect
    assert effect is not None and (effect.low, effect.high) == (6 * MIB, 8 * MIB)


def test_on_cpu_recomputing_is_not_known_to_free_anything() -> None:
    on_cpu, on_gpu = (found_in_text(layers(3, name))["activations"] for name in ("sine", "loop_sine_fusion"))
    assert on_cpu.effect is None and "may free nothing" in on_cpu.detail
    assert on_gpu.effect is not None and (on_gpu.effect.low, on_gpu.effect.high) == (0, 3 * MIB)


@pytest.mark.parametrize("form", ["copy", "convert", "all-gather"])
def test_an_argument_in_another_form_is_no_activation(form: str) -> None:
    text = layers(3)
    assert "activations" not in found_in_text(text.replace("tanh(p)", f"{form}(p)"))
    assert "activations" in found_in_text(text.replace("tanh(p)", "iota()"))


@pytest.mark.cases
def test_a_scan_whose_peak_is_in_its_forward_loop() -> None:
    """There the stacks are parameters of the loop's body, which have no name and no reader."""
    finding = found_in(planned_case("pairs/h100_tf_base"))["activations"]
    assert finding.effect is not None
    assert finding.effect.low <= 3957 * MIB <= 1.03 * finding.effect.high


@pytest.mark.cases
@pytest.mark.parametrize("name", ["attention_scores_v6e", "attention_scores_with_checkpoint_v6e"])
def test_attention_scores_are_named_and_not_recomputed(name: str) -> None:
    findings = found_in_case(name)
    assert "activations" not in findings
    assert findings["large_buffer"].cure == "attention"


@pytest.mark.cases
def test_values_that_are_recomputed_too_early() -> None:
    findings = found_in_case("checkpoint_defeated_after")
    assert findings["recomputed"].cure == "remat" and "activations" not in findings


REPEATED = f"""
entry main:
  p = {F32} parameter()
  a = {F32} tanh(p) op="jit(f)/tanh"
  b = {F32} tanh(p) op="jit(f)/tanh"
  c = {F32} tanh(p) op="jit(f)/tanh"
  d = {F32} add(a, b, c)
alloc temp {3 * MIB}: a:{MIB}@0 b:{MIB}@{MIB} c:{MIB}@{2 * MIB}
trace: +a +b +c -a -b -c
"""


def test_buffers_of_one_operation_side_by_side() -> None:
    finding = found_in_text(REPEATED)["duplicates"]
    assert finding.bytes == 2 * MIB and len(finding.rows) == 3
    assert "jit(f)/tanh makes f32[512,512] 3 times, 1.00 MiB each; at least one is needed." in finding.detail
    two = REPEATED.replace(f'c = {F32} tanh(p) op="jit(f)/tanh"', f"c = {F32} sine(p)")
    assert "duplicates" not in found_in_text(two)


def test_what_activations_tell_is_not_told_as_repetition() -> None:
    findings = real("v5e_tf_scan")
    assert "activations" in findings and "duplicates" not in findings
