"""The distance to the capacity, and one buffer or one kernel that takes much of it."""

from __future__ import annotations

import pytest

from tests.analysis.findings.found import F32, MIB, found_in, found_in_text, one_argument, planned, real


def test_program_that_needs_more_than_the_compiler_allows() -> None:
    finding = real("v5e_oom")["over_capacity"]
    assert finding.bytes == 18 * 2**30 + 512 - 1575 * 2**30 // 100
    assert "18.00 GiB" in finding.detail and "15.75 GiB" in finding.detail
    assert "the line that made most of it is /tmp/corpus/progs.py:334, 14.00 GiB" in finding.detail
    assert finding.points == (49,)
    assert "over_capacity" not in found_in(planned("v5e_oom")), "nothing is known of the device"
    assert "near_capacity" not in real("v5e_oom")


@pytest.mark.parametrize(
    ("capacity", "kind", "at_stake"),
    [
        (99 * MIB, "over_capacity", MIB),
        (100 * MIB, "near_capacity", 5 * MIB),
        (105 * MIB, "near_capacity", 100 * MIB - 19 * 105 * MIB // 20),
    ],
)
def test_distance_to_capacity(capacity: int, kind: str, at_stake: int) -> None:
    findings = found_in_text(one_argument(100 * MIB), capacity)
    assert findings[kind].bytes == at_stake
    assert len({"over_capacity", "near_capacity"} & findings.keys()) == 1


def test_room_enough_is_no_finding() -> None:
    assert not found_in_text(one_argument(100 * MIB), 201 * MIB).keys() - {"wide_floats"}


def test_one_buffer_over_half_of_the_capacity() -> None:
    finding = found_in_text(one_argument(100 * MIB), 199 * MIB)["dominant_buffer"]
    assert finding.bytes == 100 * MIB and "sharding" in finding.advice
    assert finding.title == "One buffer takes 50 % of the capacity"
    over = found_in_text(one_argument(100 * MIB), 99)["dominant_buffer"]
    assert over.title == "One buffer is larger than the capacity"
    assert "dominant_buffer" not in found_in_text(one_argument(100 * MIB), 200 * MIB)


def test_buffer_of_a_debug_print_over_half_of_the_capacity() -> None:
    text = f"""
    entry main:
      p = {F32} parameter()
      g = f32[512,512,8] custom-call(p) op="jit(f)/debug_print"
    alloc temp {8 * MIB}: g:{8 * MIB}@0
    trace: +g -g
    """
    assert "print" in found_in_text(text, 15 * MIB)["dominant_buffer"].advice


def test_scoped_memory_over_what_is_left() -> None:
    text = """
    entry main:
      p = f32[16] parameter()
      k = f32[16] custom-call(p) scoped=0:6291456
    alloc temp 4194304: k:4194304@0
    trace: +k -k
    """
    finding = found_in_text(text, 8 * MIB)["scoped_over_capacity"]
    assert finding.bytes == 2 * MIB and finding.points == (1,)
    assert finding.detail.startswith("k reserves up to 6.00 MiB")
    assert "scoped_over_capacity" not in found_in_text(text, 10 * MIB)
    assert "over_capacity" not in found_in_text(text, 8 * MIB)
