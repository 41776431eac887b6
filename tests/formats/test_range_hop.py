"""Hopping over a file gives the fields that walking its bytes gives, whatever the window."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tensorboard_plugin_memviewer.errors import Damaged
from tensorboard_plugin_memviewer.formats import range_hop, wire
from tensorboard_plugin_memviewer.formats.range_hop import Hopper
from tests.formats.capture_bytes import Bytes
from tools.wire_writer import field, varint

a_field = st.one_of(
    st.builds(field, st.integers(1, 5000), st.integers(0, 2**64 - 1)),
    st.builds(field, st.integers(1, 5000), st.binary(max_size=200)),
    st.builds(
        lambda number, data: varint(number << 3 | 1) + data,
        st.integers(1, 99),
        st.binary(min_size=8, max_size=8),
    ),
    st.builds(
        lambda number, data: varint(number << 3 | 5) + data,
        st.integers(1, 99),
        st.binary(min_size=4, max_size=4),
    ),
)
windows = pytest.mark.parametrize("window", [20, 64, 4096])


def hopped(data: bytes, start: int = 0, end: int | None = None) -> list[wire.Field]:
    return list(Hopper(Bytes(data), 1000).fields(start, len(data) if end is None else end))


@windows
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(fields=st.lists(a_field, max_size=15), padding=st.binary(max_size=30))
def test_it_gives_the_fields_that_are_there(
    window: int, fields: list[bytes], padding: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(range_hop, "_SMALLEST_WINDOW", window)
    message = b"".join(fields)
    data, start, end = padding + message + padding, len(padding), len(padding) + len(message)
    assert hopped(data, start, end) == list(wire.fields(data, start, end))


@given(st.binary(max_size=100), st.binary(min_size=1, max_size=30))
@example(b"\x02\x00", b"\x00").via("field number 0")
@example(varint(1 << 29 << 3 | 2) + b"\x00", b"\x00").via("field number above all")
def test_it_refuses_what_the_walk_of_bytes_refuses(data: bytes, behind: bytes) -> None:
    """Within a file, that is: at its end a message may be cut."""
    try:
        expected = list(wire.fields(data))
    except Damaged:
        with pytest.raises(Damaged):
            hopped(data + behind, 0, len(data))
    else:
        has_groups = any(byte & 7 == 3 for byte in data)  # no capture has them: they are not stepped over
        if not has_groups:
            assert hopped(data + behind, 0, len(data)) == expected


@windows
def test_walks_may_be_nested_and_abandoned(window: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(range_hop, "_SMALLEST_WINDOW", window)
    inner = [field(2, bytes(length)) for length in (0, 30, 5000, 7)]
    data = b"".join(field(1, b"".join(inner)) for _ in range(3))
    hopper = Hopper(Bytes(data), 1000)
    lengths = []
    for _, _, start, end in hopper.fields(0, len(data)):
        next(hopper.fields(start, end))
        lengths.append([b - a for _, _, a, b in hopper.fields(start, end)])
    assert lengths == [[0, 30, 5000, 7]] * 3


def test_a_field_cut_by_the_end_of_the_file_is_given_as_far_as_it_goes() -> None:
    data = field(1, b"whole") + field(2, b"x" * 50)[:12]
    hopper = Hopper(Bytes(data), 1000)
    fields = list(hopper.fields(0, len(data)))
    assert [(number, data[a:b]) for number, _, a, b in fields] == [(1, b"whole"), (2, b"x" * 10)]
    assert hopper.missing_bytes == 40


def test_a_field_cut_by_the_end_of_its_message_is_damaged() -> None:
    with pytest.raises(Damaged, match="40 bytes more"):
        hopped(field(2, b"x" * 50) + b"behind", 0, 12)


def test_the_budget_ends_the_walk() -> None:
    hopper = Hopper(Bytes(field(1, 1) * 100), 50)
    with pytest.raises(Damaged, match="too many fields"):
        list(hopper.fields(0, 200))
    assert hopper.is_spent


def test_long_texts_are_cut_and_spend_the_budget() -> None:
    hopper = Hopper(Bytes(b"ab\xff" * 100_000), 4000)
    assert hopper.text(0, 300_000, 3) == "ab\ufffd"
    assert hopper.is_spent
