"""Compares lifetimes with XLA's own, from the `*-live-range.txt` beside each dump: `make lifetimes`."""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tensorboard_plugin_memviewer.analysis.lifetimes.lifetimes import Lifetimes
from tensorboard_plugin_memviewer.analysis.lifetimes.live_ranges import (
    LiveRanges,
    joined_prefetches,
)
from tensorboard_plugin_memviewer.analysis.occupancy import occupancy
from tensorboard_plugin_memviewer.analysis.usage import Plan, plan, space_usage
from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module
from tensorboard_plugin_memviewer.model.module import AllocationType, Ints, Module
from tensorboard_plugin_memviewer.model.space import HBM, space_name

_POINT = re.compile(r"    (\d+):(\S+)")
_RANGE = re.compile(r"    (\S+?)\{([\d,]*)\}:(\d+)-(\d+)")


@dataclass(frozen=True, slots=True)
class Truth:
    """XLA's text: the names of instructions in order, and inclusive ranges by (name, shape index)."""

    order: tuple[str, ...]
    ranges: dict[tuple[str, tuple[int, ...]], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class SpaceScore:
    """One memory space: of `points`, how many have a usage within 1 % of what XLA's ranges give; areas under
    both curves and both peaks in bytes.
    """

    space: int
    points: int
    close: int
    area: int
    true_area: int
    peak: int
    true_peak: int


@dataclass(frozen=True, slots=True)
class Score:
    """One dump: whether the order of points is XLA's, and how many of its `ranges` are `equal`."""

    name: str
    order_equal: bool
    ranges: int
    equal: int
    spaces: tuple[SpaceScore, ...]


def dumps_in(folder: Path) -> list[tuple[str, Path, Path]]:
    """Name, module and live ranges of every dump below a folder that has both."""
    found = []
    for text in sorted(folder.rglob("*live-range.txt")):
        stem = text.name.removesuffix("live-range.txt").rstrip("-.")
        for module in (text.with_name(f"{stem}.hlo.pb"), text.with_name(f"{stem}.hlo_proto.pb")):
            if module.exists():
                name = stem if text.parent == folder else f"{text.parent.name}/{stem.partition('.')[0]}"
                found.append((name, module, text))
    return found


def read_truth(text: str) -> Truth:
    """Parse a `*-live-range.txt`."""
    sequence, _, rest = text.partition("InstructionSequence:\n")[2].partition("  BufferLiveRange:\n")
    ranges = rest.partition("  LiveRangesAtPeak")[0].partition("  Live ranges at")[0]
    order = tuple(name for _, name in _POINT.findall(sequence))
    parsed = {
        (name, tuple(int(step) for step in index.split(",") if step)): (int(start), int(end))
        for name, index, start, end in _RANGE.findall(ranges)
    }
    return Truth(order, parsed)


def score(name: str, module: Module, truth: Truth) -> Score:
    """Compare one module with XLA's text."""
    planned = plan(module)
    names = module.instructions.names
    order = tuple(names[row] for row in planned.order.instruction.tolist())
    true = _ranges_by_buffer(planned, truth)
    known = true.start >= 0
    mine = _lifetimes(planned).ranges
    equal = known & (mine.start == true.start) & (mine.end == true.end)
    spaces = tuple(_space(planned, space, true) for space in planned.spaces)
    return Score(name, order == truth.order, int(known.sum()), int(equal.sum()), spaces)


def _ranges_by_buffer(planned: Plan, truth: Truth) -> LiveRanges:
    """XLA's ranges by logical buffer, half-open; -1 for a buffer that its text does not list."""
    buffers, names = planned.module.buffers, planned.module.instructions.names
    start, end = np.full(len(buffers), -1, np.int64), np.full(len(buffers), -1, np.int64)
    for row, (instruction, index) in enumerate(
        zip(buffers.instruction.tolist(), buffers.shape_index, strict=True)
    ):
        found = truth.ranges.get((names[instruction], index))
        if found is not None:
            start[row], end[row] = found[0], min(found[1] + 1, planned.order.points)
    return LiveRanges(start, end)


def _space(planned: Plan, space: int, true: LiveRanges) -> SpaceScore:
    usage = space_usage(planned, space)
    held, _ = joined_prefetches(planned.module, planned.order, _lifetimes(planned).positions, true)
    expected = usage.headline.indefinite_bytes + usage.scoped + _temporaries(planned, space, held)
    close = np.abs(usage.usage - expected) <= 0.01 * expected
    return SpaceScore(
        space=space,
        points=usage.points,
        close=int(close.sum()),
        area=int(usage.usage.sum()),
        true_area=int(expected.sum()),
        peak=int(usage.usage.max()),
        true_peak=int(expected.max()),
    )


def _lifetimes(planned: Plan) -> Lifetimes:
    assert planned.lifetimes is not None
    return planned.lifetimes


def _temporaries(planned: Plan, space: int, ranges: LiveRanges) -> Ints:
    """Usage of the space's Temporary allocations at each point by given ranges alone."""
    allocations, buffers = planned.module.allocations, planned.module.buffers
    change = np.zeros(planned.order.points + 1, np.int64)
    wanted = (allocations.space == space) & (allocations.type == AllocationType.TEMPORARY)
    for allocation in np.nonzero(wanted)[0].tolist():
        rows = np.nonzero((buffers.allocation == allocation) & (ranges.start >= 0))[0]
        low, high = buffers.offset[rows], buffers.offset[rows] + buffers.size[rows]
        union = occupancy(ranges.start[rows], ranges.end[rows], low, high)
        np.add.at(change, union.points, np.diff(union.bytes, prepend=0))
    usage: Ints = np.cumsum(change)[:-1]
    return usage


def main() -> int:
    """Print the table; 1 where an order or a range differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="+", help="dumps with *-live-range.txt beside the module")
    folders: list[Path] = parser.parse_args().folder
    scores = [
        score(name, decode_module(module.read_bytes()), read_truth(text.read_text(errors="replace")))
        for folder in folders
        for name, module, text in dumps_in(folder)
    ]
    print(table(scores))
    wrong = [one for one in scores if not one.order_equal or one.equal < one.ranges]
    return 1 if wrong or not scores else 0


def table(scores: list[Score]) -> str:
    """A line a memory space, and sums."""
    lines = [f"{'dump':44} {'order':6} {'ranges':>14} {'space':18} {'within 1 %':>16} {'area':>8} peak"]
    for one in scores:
        ranges = f"{one.equal}/{one.ranges}"
        for space in one.spaces:
            close = f"{space.close}/{space.points}"
            area = f"{space.area / space.true_area:.4f}" if space.true_area else "-"
            peak = "equal" if space.peak == space.true_peak else f"{space.peak} for {space.true_peak}"
            order = "equal" if one.order_equal else "OTHER"
            shown = space_name(space.space)
            lines.append(f"{one.name[:44]:44} {order:6} {ranges:>14} {shown:18} {close:>16} {area:>8} {peak}")
    for label, wanted in (("HBM", True), ("other spaces", False)):
        spaces = [space for one in scores for space in one.spaces if (space.space == HBM) == wanted]
        points, near = sum(space.points for space in spaces), sum(space.close for space in spaces)
        total, true = sum(space.area for space in spaces), sum(space.true_area for space in spaces)
        peaks = sum(space.peak == space.true_peak for space in spaces)
        lines.append(
            f"{label}: {near} of {points} points within 1 % ({100 * near / max(points, 1):.2f} %), area "
            f"{total / max(true, 1):.4f}, peaks equal {peaks} of {len(spaces)}"
        )
    same, all_ranges = sum(one.equal for one in scores), sum(one.ranges for one in scores)
    lines.append(f"live ranges: {same} of {all_ranges} equal")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
