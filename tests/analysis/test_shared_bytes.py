"""Sizes less what is shared add up to usage at every point: of real modules, and of random spans."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_plugin_memviewer.analysis import shared_bytes as shared_bytes_module
from tensorboard_plugin_memviewer.analysis.occupancy import occupancy
from tensorboard_plugin_memviewer.analysis.shared_bytes import SharedBytes, join_shared, shared_bytes
from tensorboard_plugin_memviewer.analysis.usage import SpaceUsage, plan, space_usage
from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module
from tensorboard_plugin_memviewer.model.module import Ints
from tests.conftest import CASES, DATA

POINTS = 12
ALLOCATION = 40

Span = tuple[int, int, int, int]

spans = st.lists(
    st.tuples(
        st.integers(0, POINTS), st.integers(0, POINTS), st.integers(0, ALLOCATION), st.integers(0, ALLOCATION)
    ).map(lambda t: (min(t[0], t[1]), max(t[0], t[1]), min(t[2], t[3]), max(t[2], t[3]))),
    max_size=24,
)


def owned(rows: list[Span], point: int) -> list[int]:
    """Bytes by row, each address marked by the live row that began first, among equals the lower."""
    owner = np.full(ALLOCATION, -1)
    for row in sorted(range(len(rows)), key=lambda row: (rows[row][0], row)):
        start, end, low, high = rows[row]
        if start <= point < end:
            of_row = owner[low:high]
            of_row[of_row < 0] = row
    return [int((owner == row).sum()) for row in range(len(rows))]


@given(spans, st.integers(0, 5))
def test_every_address_counts_for_the_live_row_that_began_first(rows: list[Span], outside: int) -> None:
    columns = np.array(rows, np.int64).reshape(-1, 4)
    start, end, low, high = (columns[:, i] for i in range(4))
    size = high - low + outside
    shared = shared_bytes(
        np.arange(len(rows)), size, (start, end, low, high), occupancy(start, end, low, high)
    )
    assert shared is not None
    for point in range(POINTS):
        live = (start <= point) & (point < end)
        counted = np.where(live, size, 0)
        now = (shared.start <= point) & (point < shared.end)
        np.subtract.at(counted, shared.row[now], shared.bytes[now])
        assert counted.tolist() == owned(rows, point)


def counted_usage(usage: SpaceUsage) -> Ints:
    """Σ sizes less what is shared, by point."""
    table, shared = usage.buffers, usage.shared
    assert shared is not None
    change = np.zeros(usage.points + 1, np.int64)
    kept = table.represents & (table.end > table.start)
    np.add.at(change, table.start[kept], table.size[kept])
    np.add.at(change, table.end[kept], -table.size[kept])
    np.add.at(change, shared.start, -shared.bytes)
    np.add.at(change, shared.end, shared.bytes)
    result: Ints = np.cumsum(change)[:-1]
    return result


def assert_adds_up(data: bytes) -> None:
    planned = plan(decode_module(data))
    for space in planned.spaces:
        usage = space_usage(planned, space)
        assert np.array_equal(counted_usage(usage), usage.usage - usage.scoped)
        assert usage.shared is not None
        assert usage.buffers.represents[usage.shared.row].all()


@pytest.mark.parametrize("path", sorted(DATA.glob("modules/*.pb")), ids=lambda path: path.name)
def test_rows_add_up_to_usage(path: Path) -> None:
    assert_adds_up(path.read_bytes())


@pytest.mark.cases
@pytest.mark.parametrize("path", sorted(CASES.glob("modules/*.pb")), ids=lambda path: path.name)
def test_rows_of_cases_add_up_to_usage(path: Path) -> None:
    assert_adds_up(path.read_bytes())


@pytest.mark.cases
@pytest.mark.parametrize("path", sorted(CASES.glob("large/*.xz")), ids=lambda path: path.name)
def test_rows_of_large_cases_add_up_to_usage(path: Path) -> None:
    assert_adds_up(lzma.decompress(path.read_bytes()))


def test_a_buffer_that_reaches_out_of_its_allocation_counts_what_is_inside() -> None:
    rows = np.array([[0, 2, 0, 8], [1, 3, 4, 16]], np.int64)
    start, end, low, high = (rows[:, i] for i in range(4))
    size = np.array([8, 20])
    shared = shared_bytes(np.array([5, 7]), size, (start, end, low, high), occupancy(start, end, low, high))
    assert shared is not None
    assert (shared.row.tolist(), shared.bytes.tolist()) == ([7, 7], [4, 8])
    assert (shared.start.tolist(), shared.end.tolist()) == ([1, 1], [2, 3])


def test_where_too_much_is_shared_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    start, end, low, high = (np.full(4, value, np.int64) for value in (0, 2, 0, 8))
    columns = (start, end, low, high)
    union = occupancy(*columns)
    monkeypatch.setattr(shared_bytes_module, "_MOST_MEETINGS", 5)
    few = shared_bytes(np.arange(4), np.full(4, 8), columns, union)
    assert few is None
    assert join_shared([SharedBytes(*columns), few]) is None
