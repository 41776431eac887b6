"""Comparison: parts sum to the whole, a module is the same as itself, both ways round are one answer."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from tensorboard_plugin_memviewer.analysis.compare import Change, Comparison, compare
from tensorboard_plugin_memviewer.analysis.usage import Plan, plan, space_usage
from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module
from tests.build import module

MODULES = Path(__file__).resolve().parents[2] / "data" / "modules"
NAMES = sorted(file.name.partition(".")[0] for file in MODULES.glob("*.hlo_proto.pb"))
PAIRS = [
    ("v5e_mlp_donated", "v5e_mlp_nodonate"),
    ("v5e_tf_scan", "v5e_tf_remat"),
    ("v5e_tf_scan", "v5e_tf_scan_nodonate"),
    ("v4_mlp", "v4_old_mlp"),
    ("h100_tf_scan", "h100_fsdp8"),
    ("v5e_oom", "v5e_tiny"),
]


@cache
def planned(name: str) -> Plan:
    return plan(decode_module((MODULES / f"{name}.hlo_proto.pb").read_bytes()))


def compared(subject: Plan, baseline: Plan, space: int = 0) -> Comparison:
    return compare((subject, space_usage(subject, space)), (baseline, space_usage(baseline, space)))


def of_text(subject: str, baseline: str, space: int = 0) -> tuple[Change, ...]:
    return compared(plan(module(subject)), plan(module(baseline)), space).changes


@pytest.mark.parametrize("name", NAMES)
def test_a_module_is_the_same_as_itself(name: str) -> None:
    found = planned(name)
    for space in found.spaces:
        usage = space_usage(found, space)
        comparison = compared(found, found, space)
        assert comparison.changes == ()
        assert comparison.parts.total_bytes == comparison.parts.shared_bytes == 0
        assert comparison.unchanged_count == usage.buffers.represents.sum()
        assert all(aligned.subject == aligned.baseline for aligned in comparison.alignment)


@pytest.mark.parametrize(("subject", "baseline"), PAIRS)
@pytest.mark.parametrize("space", [0, 1, 2, 3])
def test_parts_sum_to_the_difference_of_the_peaks(subject: str, baseline: str, space: int) -> None:
    comparison = compared(planned(subject), planned(baseline), space)
    peaks = [space_usage(planned(name), space).headline.peak_bytes for name in (subject, baseline)]
    parts = comparison.parts
    assert sum(change.difference_bytes for change in comparison.changes) == parts.buffers_bytes
    assert parts.buffers_bytes - parts.shared_bytes + parts.scoped_bytes == peaks[0] - peaks[1]
    assert parts.total_bytes == peaks[0] - peaks[1]


@pytest.mark.parametrize(("subject", "baseline"), PAIRS)
@pytest.mark.parametrize("space", [0, 1, 2, 3])
def test_the_other_way_round_everything_is_negated(subject: str, baseline: str, space: int) -> None:
    there = compared(planned(subject), planned(baseline), space)
    back = compared(planned(baseline), planned(subject), space)
    opposite = {"appeared": "went", "went": "appeared", "grew": "shrank", "shrank": "grew", "moved": "moved"}
    assert [
        (opposite[c.kind], c.baseline_key, c.key, c.baseline, c.subject, c.other_space, -c.difference_bytes)
        for c in there.changes
    ] == [
        (c.kind, c.key, c.baseline_key, c.subject, c.baseline, c.other_space, c.difference_bytes)
        for c in back.changes
    ]
    assert there.parts.total_bytes == -back.parts.total_bytes
    assert [(a.phase.label, a.baseline, a.subject) for a in there.alignment] == [
        (a.phase.label, a.subject, a.baseline) for a in back.alignment
    ]
    assert there.unchanged_bytes == back.unchanged_bytes


@pytest.mark.parametrize(("subject", "baseline"), PAIRS)
def test_alignment_covers_both_axes(subject: str, baseline: str) -> None:
    plans = planned(subject), planned(baseline)
    alignment = compared(*plans).alignment
    for side, found in zip(("subject", "baseline"), plans, strict=True):
        stretches = [getattr(aligned, side) for aligned in alignment]
        assert stretches[0][0] == 0 and stretches[-1][1] == found.order.points
        assert all(left[1] == right[0] for left, right in pairwise(stretches))


def test_alignment_pairs_the_same_phases() -> None:
    alignment = compared(planned("v4_mlp"), planned("v4_old_mlp")).alignment
    paired = [a for a in alignment if a.subject[0] < a.subject[1] and a.baseline[0] < a.baseline[1]]
    assert len(paired) > len(alignment) / 2
    assert {"dense_2 forward", "dense_2 backward"} <= {aligned.phase.label for aligned in paired}


def test_donation_moves_outputs_and_takes_their_memory() -> None:
    comparison = compared(planned("v5e_mlp_donated"), planned("v5e_mlp_nodonate"))
    largest = comparison.changes[0]
    assert largest.key.op_name == "jit(train_step)/transpose(jvp(dense_0))/dot_general"
    assert (largest.kind, largest.other_space, largest.difference_bytes) == ("moved", 1, -2048000)
    assert comparison.parts.total_bytes < -10_000_000


def test_checkpoint_takes_the_stacked_activations() -> None:
    changes = compared(planned("v5e_tf_remat"), planned("v5e_tf_scan")).changes
    went = {change.key.shape: change for change in changes if change.kind == "went"}
    assert went["f32[12,4,12,512,512]"].baseline.bytes == 603979776
    shrank = next(c for c in changes if c.key.shape == "bf16[12,4,512,768]" and c.key.opcode == "while")
    assert (shrank.kind, shrank.subject.count, shrank.baseline.count) == ("shrank", 1, 5)


BASE = """
entry main:
  p = f32[256] parameter()
  a = f32[256] add(p, p) op="jit(f)/add"
  b = f32[256] multiply(a, p) op="jit(f)/mul"
alloc parameter 1024: p:1024
alloc temp 2048: a:1024@0 b:1024@1024
trace: +a +b -a -b
"""


def test_what_appeared_and_what_went() -> None:
    other = BASE.replace(
        'b = f32[256] multiply(a, p) op="jit(f)/mul"', 'b = f32[256] sine(a) op="jit(f)/sin"'
    )
    assert [(c.kind, c.key.op_name, c.difference_bytes) for c in of_text(other, BASE)] == [
        ("went", "jit(f)/mul", -1024),
        ("appeared", "jit(f)/sin", 1024),
    ]


def test_another_shape_of_the_same_operation_grew() -> None:
    other = BASE.replace("b = f32[256]", "b = f32[512]").replace("b:1024@1024", "b:2048@1024")
    (change,) = of_text(other.replace("temp 2048", "temp 3072"), BASE)
    assert (change.kind, change.key.shape, change.baseline_key.shape) == ("grew", "f32[512]", "f32[256]")
    assert change.difference_bytes == 1024


def test_names_without_their_numbers_match_where_there_is_no_operation() -> None:
    unnamed = BASE.replace(' op="jit(f)/add"', "")
    numbered = unnamed.replace("a = ", "a.3 = ").replace("(a,", "(a.3,").replace("a:1024", "a.3:1024")
    numbered = numbered.replace("+a", "+a.3").replace("-a", "-a.3")
    assert of_text(numbered, unnamed) == ()
    assert len(of_text(numbered.replace("a.3", "other.3"), unnamed)) == 2


def test_alive_at_one_peak_only_is_moved() -> None:
    later = BASE.replace("trace: +a +b -a -b", "trace: +a -a +b -b")
    changes = of_text(later, BASE)
    assert {(c.kind, c.other_space) for c in changes} == {("moved", None)}
    assert sum(change.difference_bytes for change in changes) == -1024


def test_moved_to_another_memory_space() -> None:
    elsewhere = BASE.replace(
        "alloc temp 2048: a:1024@0 b:1024@1024",
        "alloc temp 1024: a:1024@0\nalloc temp 1024 space=5: b:1024@0",
    )
    (change,) = of_text(elsewhere, BASE)
    assert (change.kind, change.other_space, change.difference_bytes) == ("moved", 5, -1024)
    (change,) = of_text(elsewhere, BASE, space=5)
    assert (change.kind, change.other_space, change.difference_bytes) == ("moved", 0, 1024)


def test_the_same_array_in_another_layout_is_the_same_buffer() -> None:
    """v4_old_mlp was compiled by an older compiler: most buffers of device memory are found again."""
    comparison = compared(planned("v4_mlp"), planned("v4_old_mlp"))
    usage = space_usage(planned("v4_mlp"), 0)
    assert comparison.unchanged_bytes > 0.9 * usage.headline.peak_bytes
