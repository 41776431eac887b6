"""Padding, and gaps between temporaries."""

from __future__ import annotations

from tensorboard_plugin_memviewer.analysis.usage import space_usage
from tests.analysis.findings.found import F32, MIB, found_in_text, planned, real


def test_padding_by_its_worst_dimension() -> None:
    finding = real("v5e_padding")["padding"]
    assert finding.bytes == space_usage(planned("v5e_padding"), 0).headline.padding_bytes
    assert "f32[160000,3] (dimension 1: 3 stored as 128)" in finding.detail
    assert "padding" not in real("v5e_tf_scan")


def test_padding_of_what_has_no_dimensions() -> None:
    text = f"entry main:\n  p = f32[] parameter()\nalloc parameter {MIB}: p:{MIB}"
    assert "padding" not in found_in_text(text)
    assert "padding" in found_in_text(text.replace("f32[]", "f32[1]"))


def test_padding_at_addresses_that_buffers_share() -> None:
    """Each loses 960 KiB, both together 1408: the parts are no parts of the whole."""
    text = f"""
    entry main:
      a = f32[16384] iota()
      b = f32[128,128] bitcast-convert(a)
    alloc temp {3 * MIB // 2}: a:{MIB}@0 b:{MIB}@{MIB // 2}
    trace: +a +b -a -b
    """
    finding = found_in_text(text)["padding"]
    assert finding.bytes == 3 * MIB // 2 - 2 * 65536
    assert "same addresses" in finding.detail and "KiB" not in finding.detail


def fragmented(reserved: int) -> str:
    return f"""
    entry main:
      p = {F32} parameter()
      a = {F32} tanh(p)
      b = {F32} tanh(a)
    alloc temp {reserved}: a:{MIB}@0 b:{MIB}@{reserved - MIB}
    trace: +a -a +b -b
    """


def test_gaps_between_temporaries() -> None:
    finding = found_in_text(fragmented(4 * MIB))["fragmentation"]
    assert finding.bytes == 3 * MIB and len(finding.rows) == 1
    assert "fragmentation" not in found_in_text(fragmented(MIB))


def test_gaps_between_small_buffers() -> None:
    """Each is aligned: nothing that a user could do."""
    small = fragmented(4 * MIB).replace(f":{MIB}@", ":512@").replace(F32, "f32[128]")
    assert "fragmentation" not in found_in_text(small)
