"""Large constants that are part of the program."""

from __future__ import annotations

import pytest

from tests.analysis.findings.found import MIB, found_in_text


@pytest.mark.parametrize(("size", "there"), [(2 * MIB, True), (MIB // 2, False)])
def test_large_constants(size: int, there: bool) -> None:
    text = f"""
    entry main:
      c = f32[{size // 4}] constant()
      r = f32[] parameter()
    alloc constant {size}: c:{size}
    """
    findings = found_in_text(text)
    assert ("large_constants" in findings) == there
    if there:
        found = findings["large_constants"]
        assert found.bytes == size
        assert found.effect is None and "The peak of this program stays the same." in found.advice
