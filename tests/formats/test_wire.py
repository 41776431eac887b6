"""The wire format: what is written comes back, and bytes that are not it are typed errors."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_plugin_memviewer.errors import Damaged
from tensorboard_plugin_memviewer.formats import wire


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


numbers = st.integers(1, (1 << 29) - 1)
one_field = st.one_of(
    st.tuples(numbers, st.just(wire.VARINT), st.integers(0, (1 << 64) - 1)),
    st.tuples(numbers, st.just(wire.BYTES), st.binary(max_size=300)),
    st.tuples(numbers, st.just(wire.FIXED64), st.binary(min_size=8, max_size=8)),
    st.tuples(numbers, st.just(wire.FIXED32), st.binary(min_size=4, max_size=4)),
)


def encode(fields: list[tuple[int, int, int | bytes]]) -> bytes:
    out = bytearray()
    for number, kind, value in fields:
        out += varint(number << 3 | kind)
        if isinstance(value, int):
            out += varint(value)
        else:
            out += (varint(len(value)) if kind == wire.BYTES else b"") + value
    return bytes(out)


@given(st.lists(one_field, max_size=20), st.sampled_from([bytes, memoryview]), st.binary(max_size=9))
def test_what_is_written_comes_back(
    fields: list[tuple[int, int, int | bytes]], kind: type, padding: bytes
) -> None:
    message = encode(fields)
    data = kind(padding + message + padding)
    got = [
        (number, how, a if how == wire.VARINT else bytes(data[a:b]))
        for number, how, a, b in wire.fields(data, len(padding), len(padding) + len(message))
    ]
    assert got == fields


@given(st.lists(one_field, min_size=1, max_size=5), st.data())
def test_a_cut_message_gives_its_whole_fields_and_then_says_so(
    fields: list[tuple[int, int, int | bytes]], data: st.DataObject
) -> None:
    message = encode(fields)
    whole = [len(encode(fields[: n + 1])) for n in range(len(fields))]
    cut = data.draw(st.integers(1, len(message) - 1))
    walk = wire.fields(message, 0, cut)
    for _ in range(sum(end <= cut for end in whole)):
        next(walk)
    with pytest.raises(StopIteration if cut in whole else Damaged):
        next(walk)


@given(st.binary(max_size=200))
def test_any_bytes_are_fields_or_damaged(data: bytes) -> None:
    with contextlib.suppress(Damaged):
        for _, how, a, b in wire.fields(data):
            assert 0 <= a <= b <= len(data) or how == wire.VARINT


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"\x00\x00", "field number 0"),
        (b"\x0a\x05abc", "claims 5 bytes where 3"),
        (b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "claims"),
        (b"\x08" + b"\xff" * 10 + b"\x01", "longer than 10 bytes"),
        (b"\x08\x80", "cut short"),
        (b"\x09abc", "cut short"),
        (b"\x0e", "wire type 6"),
        (b"\x0c", "wire type 4"),
        (b"\x0b\x14", "not open"),
        (b"\x0b" * 100, "nested too deep"),
    ],
)
def test_what_cannot_be_says_where_and_what(data: bytes, what: str) -> None:
    with pytest.raises(Damaged, match=what):
        list(wire.fields(data))


def test_groups_are_stepped_over() -> None:
    group = (
        b"\x0b" + encode([(5, wire.BYTES, b"abc"), (6, wire.VARINT, 9), (7, wire.FIXED32, b"1234")]) + b"\x0c"
    )
    assert [(n, a) for n, _, a, _ in wire.fields(group + b"\x10\x07")] == [(2, 7)]


def test_a_span_past_the_data_is_damaged() -> None:
    with pytest.raises(Damaged):
        list(wire.fields(b"abc", 0, 4))


@given(st.integers(-(1 << 63), (1 << 63) - 1))
def test_signed_integers_come_back(value: int) -> None:
    assert wire.signed(value & (1 << 64) - 1) == value


def test_text_never_fails() -> None:
    assert wire.text(b"a\xffb", 0, 3) == "a\ufffdb"
