"""Replay and occupancy on random heaps, against a replay that marks every byte."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensorboard_plugin_memviewer.analysis import occupancy as occupancy_module
from tensorboard_plugin_memviewer.analysis.live_set import live_rows
from tensorboard_plugin_memviewer.analysis.occupancy import occupancy
from tensorboard_plugin_memviewer.analysis.usage import plan, space_usage
from tests.build import module

POINTS = 12
ALLOCATION = 40

Span = tuple[int, int, int, int]

spans = st.lists(
    st.tuples(
        st.integers(0, POINTS), st.integers(0, POINTS), st.integers(0, ALLOCATION), st.integers(0, ALLOCATION)
    ).map(lambda t: (min(t[0], t[1]), max(t[0], t[1]), min(t[2], t[3]), max(t[2], t[3]))),
    max_size=24,
)


def bytes_marked(rows: list[Span], point: int) -> int:
    marked = np.zeros(ALLOCATION, np.bool_)
    for start, end, low, high in rows:
        if start <= point < end:
            marked[low:high] = True
    return int(marked.sum())


def swept(rows: list[Span]) -> list[int]:
    columns = np.array(rows, np.int64).reshape(-1, 4)
    found = occupancy(*(columns[:, i] for i in range(4)))
    at = np.searchsorted(found.points, np.arange(POINTS + 1), side="right") - 1
    return [int(n) for n in found.bytes[at]]


@given(spans)
def test_occupancy_is_the_number_of_marked_bytes(rows: list[Span]) -> None:
    assert swept(rows) == [bytes_marked(rows, point) for point in range(POINTS + 1)]


@given(spans, st.integers(0, 6))
def test_the_tree_gives_the_same_as_the_blocks(rows: list[Span], steps: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(occupancy_module, "_STEPS_BEFORE_TREE", steps)
        assert swept(rows) == [bytes_marked(rows, point) for point in range(POINTS + 1)]


@given(spans, st.randoms())
def test_order_of_spans_does_not_matter(rows: list[Span], random: object) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert swept(shuffled) == swept(rows)


NAMES = "abcdefgh"

heaps = st.fixed_dictionaries(
    {
        "places": st.lists(
            st.tuples(st.integers(0, ALLOCATION - 1), st.integers(0, ALLOCATION)), min_size=8, max_size=8
        ),
        "events": st.lists(st.tuples(st.sampled_from("+-~"), st.sampled_from(NAMES)), max_size=30),
        "scheduled": st.booleans(),
    }
)


def module_text(heap: dict[str, object]) -> str:
    kinds: list[tuple[str, str]] = heap["events"]  # type: ignore[assignment]
    events = " ".join(f"{k}{n}" + ("=a" if k == "~" else "") for k, n in kinds)
    lines = ["entry main:" if heap["scheduled"] else "unscheduled entry main:"]
    lines += [f"{name} = u8[{ALLOCATION}] add()" for name in NAMES]
    lines.append("p = u8[5] parameter()")
    places = zip(NAMES, heap["places"], strict=True)  # type: ignore[call-overload]
    buffers = " ".join(f"{n}:{min(size, ALLOCATION - low)}@{low}" for n, (low, size) in places)
    events = " ".join(f"{k}{n}" + ("=a" if k == "~" else "") for k, n in heap["events"])  # type: ignore[attr-defined]
    return "\n".join(
        [*lines, "alloc parameter 5: p:5", f"alloc temp {ALLOCATION}: {buffers}", f"trace: {events}"]
    )


def replayed_slowly(heap: dict[str, object]) -> dict[str, list[tuple[int, int]]]:
    """Spans by buffer, written down straight from docs/numbers.md. Nothing reads any buffer, so each value is
    needed at its own point only.
    """
    events: list[tuple[str, str]] = heap["events"]  # type: ignore[assignment]
    scheduled = bool(heap["scheduled"])
    points = len(NAMES) + 1 if scheduled else max(1, len(events))
    clocks, tells = _clocks(events) if scheduled else (list(range(len(events))), [])
    freed = [name for kind, name in events if kind == "-"]
    result: dict[str, list[tuple[int, int]]] = {name: [] for name in NAMES}
    live: set[str] = set()
    floor = 0
    for at, (kind, name) in enumerate(events):
        if kind != "-":
            if name not in live:
                result[name].append((clocks[at], points))
                live.add(name)
            continue
        end = clocks[at]
        if scheduled:
            later = [clocks[k] for k in range(at + 1, len(events)) if tells[k]]
            lowest = clocks[at] + 1
            highest = max(later[0] if later else points, lowest)
            needed = NAMES.index(name) + 1 if freed.count(name) == 1 else lowest
            end = floor = min(max(needed, lowest, floor), highest)
        if result[name]:
            result[name][-1] = (result[name][-1][0], end)
            live.discard(name)
    for name in NAMES:
        here = NAMES.index(name)
        allocated = sum(kind != "-" and one == name for kind, one in events)
        listed = name in {name for _, name in events}
        if scheduled and (allocated > 1 or not listed):
            result[name] = [(here, here + 1)]
        elif not listed:
            result[name] = [(0, points)]
    return result


def _clocks(events: list[tuple[str, str]]) -> tuple[list[int], list[bool]]:
    """The clock at each event, and whether the event is an allocation that tells the time."""
    clocks: list[int] = []
    tells: list[bool] = []
    now = 0
    gone: set[str] = set()
    for kind, name in events:
        here = NAMES.index(name)
        tells.append(kind != "-" and here >= now and name not in gone)
        if kind == "-":
            gone.add(name)
        else:
            now = max(now, here)
        clocks.append(now)
    return clocks, tells


@settings(max_examples=150, deadline=None)
@given(heaps)
def test_usage_equals_a_slow_independent_replay(heap: dict[str, object]) -> None:
    usage = space_usage(plan(module(module_text(heap))), 0)
    lows = dict(zip(NAMES, heap["places"], strict=True))  # type: ignore[call-overload]
    rows = [
        (start, end, lows[name][0], min(ALLOCATION, lows[name][0] + lows[name][1]))
        for name, lives in replayed_slowly(heap).items()
        for start, end in lives
    ]
    expected = [5 + bytes_marked(rows, point) for point in range(usage.points)]
    assert usage.usage.tolist() == expected
    assert max(expected) <= usage.headline.allocated_bytes
    assert (usage.unpadded <= usage.usage).all()


@settings(max_examples=60, deadline=None)
@given(heaps)
def test_live_set_holds_what_the_usage_counts(heap: dict[str, object]) -> None:
    usage = space_usage(plan(module(module_text(heap))), 0)
    table = usage.buffers
    for point in range(usage.points):
        marked = np.zeros(ALLOCATION, np.bool_)
        for row in live_rows(usage, point).tolist():
            if table.allocation[row] == 1:
                marked[table.offset[row] : table.offset[row] + table.size[row]] = True
        assert usage.usage[point] == 5 + marked.sum()


@given(st.permutations(["+a -a", "+c -c", "+e -e"]))
def test_traces_are_independent_of_one_another(traces: list[str]) -> None:
    lines = ["entry main:", *(f"{name} = u8[8] add()" for name in NAMES)]
    lines += ["alloc temp 24: a:8@0 c:8@8 e:8@16", *(f"trace: {trace}" for trace in traces)]
    assert space_usage(plan(module("\n".join(lines))), 0).usage.tolist() == [8, 0, 8, 0, 8, 0, 0, 0]
