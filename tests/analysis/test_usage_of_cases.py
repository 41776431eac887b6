"""The numbers of every real module in tests/data, against an independent implementation's and XLA's own."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tensorboard_plugin_memviewer.analysis.grouping.table import GROUPINGS, grouping
from tensorboard_plugin_memviewer.analysis.live_set import breakdown, live_rows
from tensorboard_plugin_memviewer.analysis.usage import Plan, plan, space_usage
from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module
from tensorboard_plugin_memviewer.model.module import AllocationType

DATA = Path(__file__).resolve().parent.parent / "data"
EXPECTED: dict[str, Any] = json.loads((DATA / "expected.json").read_text())["modules"]


@cache
def planned(name: str) -> Plan:
    return plan(decode_module((DATA / "modules" / f"{name}.hlo_proto.pb").read_bytes()))


@pytest.mark.parametrize("name", EXPECTED)
def test_axis_points_and_spaces(name: str) -> None:
    found, expected = planned(name), EXPECTED[name]
    assert found.module.name == expected["module"]
    assert (found.order.axis, found.order.points) == (expected["axis"], expected["points"])
    assert [str(space) for space in found.spaces] == sorted(expected["spaces"], key=int)
    assert found.problems == ()


@pytest.mark.parametrize(
    ("name", "space"), [(name, space) for name in EXPECTED for space in EXPECTED[name]["spaces"]]
)
def test_headline_and_live_set(name: str, space: str) -> None:
    found = planned(name)
    usage = space_usage(found, int(space))
    expected = dict(EXPECTED[name]["spaces"][space])
    live = expected.pop("temporaries_live_at_peak")
    assert {key: value for key, value in usage.headline.as_dict().items() if key in expected} == expected
    rows = live_rows(usage, usage.headline.peak_point)
    rows = rows[found.module.allocations.type[usage.buffers.allocation[rows]] == AllocationType.TEMPORARY]
    # A buffer allocated again at the point where it was freed has two spans there.
    assert sorted(set(found.module.buffers.ids[usage.buffers.buffer[rows]].tolist())) == sorted(live)


@pytest.mark.parametrize("name", EXPECTED)
def test_invariants_at_every_point(name: str) -> None:
    found = planned(name)
    for space in found.spaces:
        usage = space_usage(found, space)
        head = usage.headline
        assert (usage.unpadded <= usage.usage).all()
        assert (usage.usage >= head.indefinite_bytes).all()
        assert (usage.usage - usage.scoped <= head.allocated_bytes).all()
        assert head.peak_bytes <= head.required_bytes
        assert head.temporary_peak_bytes + head.fragmentation_bytes == head.temporary_bytes
        parts = head.argument_bytes + head.output_bytes + head.constant_bytes
        assert parts + head.temporary_bytes == head.allocated_bytes
        assert parts == head.indefinite_bytes
        assert head.fragmentation_bytes >= 0
        assert 0 <= head.padding_bytes <= head.peak_bytes
        assert head.untraced_bytes <= head.temporary_peak_bytes


@pytest.mark.parametrize("name", ["v5e_tf_scan", "v4_mlp", "h100_fsdp8"])
def test_union_of_the_live_set_is_the_usage_at_every_point(name: str) -> None:
    """Bytes are marked one by one, without the sweep's cleverness."""
    found = planned(name)
    sizes = found.module.allocations.size
    for space in found.spaces:
        usage = space_usage(found, space)
        for point in range(0, usage.points, 7):
            total = int(usage.scoped[point])
            by_allocation: dict[int, list[tuple[int, int]]] = {}
            for row in live_rows(usage, point).tolist():
                table = usage.buffers
                allocation = int(table.allocation[row])
                if found.module.allocations.type[allocation] == AllocationType.TEMPORARY:
                    low = int(table.offset[row])
                    by_allocation.setdefault(allocation, []).append((low, low + int(table.size[row])))
                else:
                    total += int(sizes[allocation])
            total += sum(_marked(ranges) for ranges in by_allocation.values())
            assert total == usage.usage[point], (space, point)


def _marked(ranges: list[tuple[int, int]]) -> int:
    edges = np.unique(np.array(ranges))
    covered = np.zeros(len(edges) - 1, np.bool_)
    for low, high in ranges:
        covered[np.searchsorted(edges, low) : np.searchsorted(edges, high)] = True
    return int(np.diff(edges)[covered].sum())


REPORTS = sorted((DATA / "modules").glob("*.memory-usage-report.txt"))


@pytest.mark.parametrize("report", REPORTS, ids=lambda path: path.name.partition(".")[0])
def test_allocated_is_what_xla_itself_reports(report: Path) -> None:
    found = planned(report.name.partition(".")[0])
    text = report.read_text(errors="replace")
    heads = {space: space_usage(found, space).headline for space in found.spaces}
    allocated = {space: head.allocated_bytes + head.thread_local_bytes for space, head in heads.items()}
    totals = re.findall(r"Memory Space: \S+ \(color=(\d+)\)(?:.|\n)*?Total bytes: (\d+)", text)
    if totals:
        assert all(allocated[int(color)] == int(total) for color, total in totals)
    else:
        # Before 2026 one report told the sum of all memory spaces.
        old = re.match(r"Total bytes used: (\d+)", text)
        assert old and int(old[1]) == sum(allocated.values())


@pytest.mark.parametrize("by", GROUPINGS)
def test_breakdown_adds_up(by: str) -> None:
    found = planned("v5e_tf_scan")
    for space in found.spaces:
        usage = space_usage(found, space)
        for point in (0, usage.headline.peak_point, usage.points - 1):
            parts = breakdown(usage, grouping(found, usage, by), point)
            total = sum(group.bytes for group in parts.groups)
            assert total - parts.shared_bytes + parts.scoped_bytes == parts.usage_bytes == usage.usage[point]
            assert parts.shared_bytes >= 0
            assert (
                sorted(row for group in parts.groups for row in group.rows)
                == live_rows(usage, point).tolist()
            )
