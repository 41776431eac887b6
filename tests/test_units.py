"""Bytes to and from text: exact at every size, both ways."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_plugin_memviewer.errors import BadParameter
from tensorboard_plugin_memviewer.units import (
    format_bytes,
    format_change,
    format_count,
    format_share,
    parse_bytes,
    parse_growth,
    parse_memory,
)

GIB = 2**30


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.00 KiB"),
        (1536, "1.50 KiB"),
        (1152, "1.13 KiB"),
        (2**20 - 1, "1.00 MiB"),
        (2**20 - 6, "1023.99 KiB"),
        (18 * GIB + 512, "18.00 GiB"),
        (16911433728, "15.75 GiB"),
        (2**40, "1.00 TiB"),
        (2**53 + 1, "8.00 PiB"),
        (2**70, "1024.00 EiB"),
        (-1536, "-1.50 KiB"),
    ],
)
def test_text_of_bytes(count: int, text: str) -> None:
    assert format_bytes(count) == text


def test_a_change_carries_its_sign() -> None:
    assert [format_change(n) for n in (2048, 0, -3)] == ["+2.00 KiB", "0 B", "-3 B"]


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


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [
        (0, 0, "0 %"),
        (1, 0, "—"),
        (0, 7, "0 %"),
        (83, 100, "83 %"),
        (1, 3000, "< 0.1 %"),
        (1, 1000, "0.1 %"),
        (5, 1000, "0.5 %"),
        (502, 10_000, "5.0 %"),
        (5, 100, "5 %"),
        (125, 1000, "13 %"),
        (9949, 10_000, "99 %"),
        (9951, 10_000, "99.5 %"),
        (9999, 10_000, "99.9 %"),
        (1, 1, "100 %"),
        (3, 2, "150 %"),
        (-1, 10, "-10 %"),
        (-1, 3000, "> -0.1 %"),
    ],
)
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
    back = parse_bytes(text) if count < 2**63 - 2**53 else count
    assert abs(back - count) <= step / 200 + 0.5


@given(st.text(max_size=40))
def test_any_text_is_an_amount_or_a_typed_error(text: str) -> None:
    with contextlib.suppress(BadParameter):
        assert parse_bytes(text) >= 0
