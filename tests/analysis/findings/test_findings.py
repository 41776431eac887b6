"""What holds of findings of every kind: bytes, evidence, advice, order, and short sentences."""

from __future__ import annotations

import pytest

from tensorboard_plugin_memviewer.analysis.capacity import Capacity
from tensorboard_plugin_memviewer.analysis.findings import find_findings
from tensorboard_plugin_memviewer.analysis.lifetimes.readers import find_readers
from tensorboard_plugin_memviewer.analysis.usage import space_usage
from tests.analysis.findings.found import BF16, F32, MIB, MODULES, found_in, found_in_text, planned, real

NAMES = sorted(file.name.partition(".")[0] for file in MODULES.glob("*.hlo_proto.pb"))


@pytest.mark.parametrize("name", NAMES)
def test_every_finding_has_bytes_evidence_and_advice(name: str) -> None:
    found = planned(name)
    for space in found.spaces:
        usage = space_usage(found, space)
        capacity = Capacity(usage.headline.required_bytes, "exactly what it needs")
        for finding in found_in(found, space, capacity).values():
            assert finding.bytes > 0 and finding.title and finding.detail and finding.advice
            assert finding.rows or finding.points
            assert all(0 <= row < len(usage.buffers) for row in finding.rows)
            assert len(set(finding.rows)) == len(finding.rows)
            assert all(0 <= point < usage.points for point in finding.points)


def test_urgent_ones_come_first_then_the_most_bytes() -> None:
    found = planned("v5e_oom")
    readers = find_readers(found)
    capacity = Capacity(1575 * 2**30 // 100, "what the compiler allows")
    findings = find_findings(found, space_usage(found, 0), readers, capacity)
    assert findings[0].kind == "over_capacity"
    rest = [finding.bytes for finding in findings[1:]]
    assert rest == sorted(rest, reverse=True)


def test_points_to_look_at_are_named_once() -> None:
    assert real("v5e_oom")["activations"].points == (49,)


def test_the_largest_is_one_of_several_as_large() -> None:
    """Whoever is told to make it smaller learns that it alone will not do."""
    names = ["a", "b", "c"]
    makes = "\n".join(
        f'      {name} = {F32} tanh(p) op="jit(f)/jvp(layer_{at})/tanh"' for at, name in enumerate(names)
    )
    text = f"""
    entry main:
      p = {F32} parameter()
{makes}
      d = {BF16} sine(a)
      g = {F32} add(a, b, c, d) op="jit(f)/transpose(jvp(f))/add"
    alloc temp {7 * MIB // 2}: a:{MIB}@0 b:{MIB}@{MIB} c:{MIB}@{2 * MIB} d:{MIB // 2}@{3 * MIB}
    trace: +a +b +c +d -a -b -c -d
    """
    findings = found_in_text(text, capacity=3 * MIB)
    assert (
        "The largest buffer at the peak is a, 1.00 MiB (one of 3 as large)."
        in findings["over_capacity"].detail
    )
    assert "the largest is a, 1.00 MiB (one of 3 as large)." in findings["activations"].detail
    assert (
        "a f32[512,512] (one of 3 as large): 1.00 MiB" in found_in_text(text, MIB)["dominant_buffer"].detail
    )
    assert "as large" not in real("v5e_tf_scan")["activations"].detail


def test_evidence_is_of_the_size_of_the_finding() -> None:
    """Tables of tuples of 512 B explain nothing of hundreds of MiB."""
    for name in NAMES:
        usage = space_usage(planned(name), 0)
        for finding in real(name).values():
            sizes = usage.buffers.size[list(finding.rows)]
            assert len(sizes) < 2 or 1000 * int(sizes.min()) >= finding.bytes


def test_sentences_are_short_where_names_are_long() -> None:
    """As those of collectives that the compiler combines."""
    op = ";".join(f"jit(f)/transpose(jvp(layer_{at}))/psum" for at in range(50))
    text = f"""
    entry main:
      p = {F32} parameter()
      a = {F32} tanh(p) op="{op}"
      b = {F32} tanh(p) op="{op}"
      c = {F32} tanh(p) op="{op}"
      d = {F32} add(a, b, c)
    alloc temp {3 * MIB}: a:{MIB}@0 b:{MIB}@{MIB} c:{MIB}@{2 * MIB}
    trace: +a +b +c -a -b -c
    """
    detail = found_in_text(text)["duplicates"].detail
    assert detail.startswith("jit(f)/transpose(jvp(layer_0))/psum;") and len(op) > 1000 > len(detail)
    assert "layer_49))/psum makes f32[512,512] 3 times" in detail and "…" in detail
    tuples = text.replace(f"a = {F32}", f"a = ({', '.join(100 * [F32])})").replace(
        f"b = {F32}", f"b = ({', '.join(100 * [F32])})"
    )
    assert all(len(finding.detail) < 500 for finding in found_in_text(tuples).values())
