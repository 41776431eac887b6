"""The `compare` answer: numbers and curves of both sides, the buffers that changed, how the axes line up."""

from __future__ import annotations

from typing import Any

from tensorboard_plugin_memviewer.analysis.compare import Aligned, Change, Half
from tensorboard_plugin_memviewer.analysis.live_set import metadata_of
from tensorboard_plugin_memviewer.analysis.sources import source_of
from tensorboard_plugin_memviewer.model.space import space_name
from tensorboard_plugin_memviewer.service.comparing import Compared, ComparedSide
from tensorboard_plugin_memviewer.web import payloads

Json = dict[str, Any]

_MOST_CHANGES = 500
_MOST_ROWS = 20


def compare_payload(compared: Compared) -> Json:
    """Of the changes the 500 largest; what the others sum to is in `omitted`."""
    subject, baseline, found = compared.subject, compared.baseline, compared.comparison
    shown, rest = found.changes[:_MOST_CHANGES], found.changes[_MOST_CHANGES:]
    problems = [*subject.loaded.plan.problems, *baseline.loaded.plan.problems]
    return {
        "subject": _side(subject),
        "baseline": _side(baseline),
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
        "problems": payloads.problems_payload(dict.fromkeys(problems)),
    }


def _side(side: ComparedSide) -> Json:
    space = payloads.space_payload(side.usage, side.capacity)
    return {
        "run": side.chosen.run,
        "host": side.chosen.host,
        "module": side.program.key,
        "name": side.program.name,
        "space": space["space"],
        "color": space["color"],
        "axis": side.loaded.plan.order.axis,
        "points": side.usage.points,
        "platform": side.loaded.module.platform,
        "headline": payloads.headline_payload(side.usage, side.capacity),
        "curve": space["curve"],
    }


def _change(change: Change, subject: ComparedSide, baseline: ComparedSide) -> Json:
    side, half = (subject, change.subject) if change.subject.count else (baseline, change.baseline)
    source = source_of(side.loaded.module, metadata_of(side.loaded.plan, side.usage, half.rows[0]))
    same = change.key.shape == change.baseline_key.shape
    return {
        "kind": change.kind,
        "op": change.key.op,
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


def _half(half: Half) -> Json:
    return {
        "count": half.count,
        "bytes": half.bytes,
        "peak_count": half.peak_count,
        "peak_bytes": half.peak_bytes,
        "buffers": list(half.rows[:_MOST_ROWS]),
    }


def _aligned(aligned: Aligned) -> Json:
    phase = aligned.phase
    return {
        "label": phase.label,
        "direction": phase.direction,
        "remat": phase.remat,
        "subject": list(aligned.subject),
        "baseline": list(aligned.baseline),
    }
