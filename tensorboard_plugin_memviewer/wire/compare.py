"""The `compare` answer, `memviewer diff`, and `Comparison.to_dict`: two modules side by side."""

from __future__ import annotations

from typing import TypedDict

from tensorboard_plugin_memviewer.analysis.compare import Aligned, ChangeKind, Comparison, Half
from tensorboard_plugin_memviewer.analysis.compare import Change as Found
from tensorboard_plugin_memviewer.analysis.live_set import metadata_of
from tensorboard_plugin_memviewer.analysis.sources import source_of
from tensorboard_plugin_memviewer.model.space import space_name
from tensorboard_plugin_memviewer.wire import VERSION
from tensorboard_plugin_memviewer.wire.headline import (
    Curve,
    Headline,
    HeadlineBytes,
    curve,
    headline_difference,
)
from tensorboard_plugin_memviewer.wire.names import Axis, Direction, Platform, SpaceNames
from tensorboard_plugin_memviewer.wire.problems import Problem, Versioned, problem_records
from tensorboard_plugin_memviewer.wire.subject import Subject

_MOST_ROWS = 20


class CompareSide(SpaceNames):
    """One side of a comparison."""

    axis: Axis
    points: int
    """The number of program points."""
    platform: Platform | None
    headline: Headline
    curve: Curve


class ChangeHalf(TypedDict):
    """One side's buffers of a change."""

    count: int
    bytes: int
    peak_count: int
    """Of those alive at this side's own peak."""
    peak_bytes: int
    """Of those alive at this side's own peak."""
    buffers: list[int]
    """Rows of this side's buffers, largest first, at most 20."""


class Change(TypedDict):
    """Buffers that belong together and differ."""

    kind: ChangeKind
    op_name: str
    """The framework's name of the operation, "" where there is none."""
    name: str
    """The instruction's name without its number where there is no `op_name`, else ""."""
    opcode: str
    shape: str
    """Without layout; in the subject, of what went in the baseline."""
    baseline_shape: str | None
    """None where it is the same."""
    other_space: str | None
    """The memory space that holds it on the other side; None where it stays in its own."""
    source: str | None
    """`file:line`."""
    subject: ChangeHalf
    baseline: ChangeHalf
    difference_bytes: int
    """Subject less baseline, each at its own peak."""


class Omitted(TypedDict):
    """Changes beyond those listed."""

    count: int
    difference_bytes: int


class Unchanged(TypedDict):
    """Buffers of the subject that are the same in the baseline."""

    count: int
    bytes: int


class DifferenceParts(TypedDict):
    """Subject less baseline: total (of the peaks) = buffers − shared + scoped, in bytes."""

    buffers_bytes: int
    """The sum over all changes, omitted ones included."""
    shared_bytes: int
    scoped_bytes: int
    total_bytes: int


class AlignedPhase(TypedDict):
    """Stretches of program points `[start, end)` that belong together; empty where a side lacks the phase."""

    label: str
    direction: Direction
    remat: bool
    subject: tuple[int, int]
    baseline: tuple[int, int]


class CompareAnswer(Versioned):
    """A memory space of a module against one of another."""

    subject: CompareSide
    baseline: CompareSide
    difference: HeadlineBytes
    """Subject less baseline, number by number."""
    changes: list[Change]
    """The largest difference first."""
    omitted: Omitted
    unchanged: Unchanged
    parts: DifferenceParts
    alignment: list[AlignedPhase]
    """Covers both axes from start to end."""
    problems: list[Problem]


def compare_answer(
    subject: Subject, baseline: Subject, found: Comparison, limit: int | None = None
) -> CompareAnswer:
    """The subject against the baseline with the `limit` largest changes; with all for None."""
    shown = found.changes[:limit]
    rest = found.changes[len(shown) :]
    return {
        "version": VERSION,
        "subject": _side(subject),
        "baseline": _side(baseline),
        "difference": headline_difference(subject.usage.headline, baseline.usage.headline),
        "changes": [_change(change, subject, baseline) for change in shown],
        "omitted": {"count": len(rest), "difference_bytes": sum(c.difference_bytes for c in rest)},
        "unchanged": {"count": found.unchanged_count, "bytes": found.unchanged_bytes},
        "parts": {
            "buffers_bytes": found.parts.buffers_bytes,
            "shared_bytes": found.parts.shared_bytes,
            "scoped_bytes": found.parts.scoped_bytes,
            "total_bytes": found.parts.total_bytes,
        },
        "alignment": [_aligned(aligned) for aligned in found.alignment],
        "problems": problem_records((*subject.loaded.plan.problems, *baseline.loaded.plan.problems)),
    }


def _side(side: Subject) -> CompareSide:
    return {
        **side.space_names,
        "axis": side.loaded.plan.order.axis,
        "points": side.usage.points,
        "platform": side.platform,
        "headline": side.headline,
        "curve": curve(side.usage.usage),
    }


def _change(change: Found, subject: Subject, baseline: Subject) -> Change:
    side, half = (subject, change.subject) if change.subject.count else (baseline, change.baseline)
    source = source_of(side.loaded.module, metadata_of(side.loaded.plan, side.usage, half.rows[0]))
    same = change.key.shape == change.baseline_key.shape
    return {
        "kind": change.kind,
        "op_name": change.key.op_name,
        "name": change.key.name,
        "opcode": change.key.opcode,
        "shape": change.key.shape,
        "baseline_shape": None if same else change.baseline_key.shape,
        "other_space": None if change.other_space is None else space_name(change.other_space),
        "source": None if source is None else source.text(),
        "subject": _half(change.subject),
        "baseline": _half(change.baseline),
        "difference_bytes": change.difference_bytes,
    }


def _half(half: Half) -> ChangeHalf:
    return {
        "count": half.count,
        "bytes": half.bytes,
        "peak_count": half.peak_count,
        "peak_bytes": half.peak_bytes,
        "buffers": list(half.rows[:_MOST_ROWS]),
    }


def _aligned(aligned: Aligned) -> AlignedPhase:
    phase = aligned.phase
    return {
        "label": phase.label,
        "direction": phase.direction,
        "remat": phase.remat,
        "subject": aligned.subject,
        "baseline": aligned.baseline,
    }
