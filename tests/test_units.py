"""Bytes to and from text: exact at every size, both ways."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_plugin_memviewer.errors import BadParameter
from tensorboard_plugin_memviewer.units import (
    format_apart,
    format_bytes,
    format_change,
    format_count,
    format_share,
    parse_bytes,
    parse_growth,
    parse_memory,
)
from tests.conftest import DATA

GIB = 2**30


CASES = json.loads((DATA / "formatting.json").read_text(encoding="utf-8"))
"""What the page writes in the same way: frontend/test/lib/bytes.test.ts runs them too."""


@pytest.mark.parametrize(("count", "text"), [*CASES["bytes"], (2**70, "1024 EiB")])
def test_text_of_bytes(count: int, text: str) -> None:
    assert format_bytes(count) == text


def test_amounts_that_differ_never_look_equal() -> None:
    assert format_apart(2**30, 2**29) == ("1.00 GiB", "512 MiB")
    assert format_apart(2**30, 2**30 + 1) == ("1,073,741,824 B", "1,073,741,825 B")


@pytest.mark.parametrize(("count", "text"), CASES["changes"])
def test_a_change_carries_its_sign(count: int, text: str) -> None:
    assert format_change(count) == text


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("16 GiB", 16 * GIB),
        ("14GiB", 14 * GIB),
        (" 15.75G ", 16911433728),
        ("512 MiB", 512 * 2**20),
        ("512mib", 512 * 2**20),
        ("80 G", 80 * GIB),
        ("1.5Ki", 1536),
        ("7", 7),
        ("7 bytes", 7),
        (".5K", 512),
        ("2.K", 2048),
        ("0", 0),
    ],
)
def test_bytes_of_text(text: str, count: int) -> None:
    assert parse_bytes(text) == count


@pytest.mark.parametrize(
    "text",
    ["", "GiB", "-1 GiB", "1e9", "0x10", "1 XB", "1.2.3G", "nan", "２G", "9" * 30, "16 EiB", "1 GiB 2", "2%"],
)
def test_what_is_no_amount(text: str) -> None:
    with pytest.raises(BadParameter) as raised:
        parse_bytes(text)
    assert raised.value.advice


@pytest.mark.parametrize("parse", [parse_bytes, parse_memory, lambda text: parse_growth(text, 1)])
@pytest.mark.parametrize(
    ("text", "decimal", "binary", "advised"),
    [
        ("14GB", 14 * 10**9, 14 * GIB, "14GiB"),
        ("14 gb", 14 * 10**9, 14 * GIB, "14GiB"),
        ("512Mb", 512 * 10**6, 512 * 2**20, "512MiB"),
        ("1.5kB", 1500, 1536, "1.5KiB"),
        ("2 TB", 2 * 10**12, 2 * 2**40, "2TiB"),
    ],
)
def test_a_unit_with_two_meanings_is_refused(
    parse: Callable[[str], int], text: str, decimal: int, binary: int, advised: str
) -> None:
    with pytest.raises(BadParameter) as raised:
        parse(text)
    assert f"{decimal} or {binary} bytes" in raised.value.message
    assert advised in raised.value.advice


def test_too_much_of_a_unit_with_two_meanings_is_too_much() -> None:
    with pytest.raises(BadParameter, match="is too large"):
        parse_bytes("99999999 PB")


@pytest.mark.parametrize("text", ["1", "14", "1023", "+2"])
@pytest.mark.parametrize("parse", [parse_memory, lambda text: parse_growth(text, 1)])
def test_a_small_number_without_a_unit_is_refused(parse: Callable[[str], int], text: str) -> None:
    with pytest.raises(BadParameter, match="without a unit"):
        parse(text)


def test_nothing_and_many_bytes_need_no_unit() -> None:
    assert [parse_memory(text) for text in ("0", "1024", "14 B")] == [0, 1024, 14]
    assert parse_growth("0", 10) == 0


@pytest.mark.parametrize(("part", "whole", "text"), CASES["shares"])
def test_text_of_a_share(part: int, whole: int, text: str) -> None:
    assert format_share(part, whole) == text


def test_a_number_with_its_noun() -> None:
    assert [format_count(n, "buffer") for n in (0, 1, 2)] == ["0 buffers", "1 buffer", "2 buffers"]


def test_long_text_is_cut_in_the_message() -> None:
    with pytest.raises(BadParameter) as raised:
        parse_bytes("x" * 10_000)
    assert len(raised.value.message) < 100


def test_growth_is_a_share_or_an_amount() -> None:
    assert parse_growth("2%", 1000) == 20
    assert parse_growth("0.1 %", 1999) == 1
    assert parse_growth("64 MiB", 1) == 64 * 2**20
    with pytest.raises(BadParameter):
        parse_growth("-2%", 1000)


@given(st.integers(min_value=0, max_value=2**63 - 1))
def test_text_is_within_its_rounding(count: int) -> None:
    text = format_bytes(count)
    _, unit = text.split(" ")
    step = 1 if unit == "B" else parse_bytes(f"1 {unit}")
    back = parse_bytes(text) if count < 2**63 - 2**60 else count
    assert abs(back - count) <= (step / 200 if "." in text else step / 2) + 0.5


@given(st.text(max_size=40))
def test_any_text_is_an_amount_or_a_typed_error(text: str) -> None:
    with contextlib.suppress(BadParameter):
        assert parse_bytes(text) >= 0
