"""Comparison of one memory space of two modules: which buffers changed, and how their curves line up.

The parts sum to the whole exactly: the difference of the peaks is the differences of the buffers alive there,
less that of the bytes which they share, plus that of scoped memory.
"""

from __future__ import annotations

from dataclasses import dataclass

from tensorboard_plugin_memviewer.analysis.compare.alignment import Aligned, align
from tensorboard_plugin_memviewer.analysis.compare.changes import Change, Half, find_changes
from tensorboard_plugin_memviewer.analysis.live_set import live_rows
from tensorboard_plugin_memviewer.analysis.usage import Plan, SpaceUsage
from tensorboard_plugin_memviewer.vocabulary.changes import ChangeKind

__all__ = ["Aligned", "Change", "ChangeKind", "Comparison", "Half", "Parts", "compare"]


@dataclass(frozen=True, slots=True)
class Parts:
    """Where the difference of the peaks comes from, subject less baseline, in bytes.

    total_bytes = buffers_bytes − shared_bytes + scoped_bytes, and buffers_bytes is the sum over all changes.
    """

    buffers_bytes: int
    shared_bytes: int
    scoped_bytes: int

    @property
    def total_bytes(self) -> int:
        """The difference of the peaks."""
        return self.buffers_bytes - self.shared_bytes + self.scoped_bytes


@dataclass(frozen=True, slots=True)
class Comparison:
    """`changes`, the largest difference first; how many buffers (of the subject) are the same; the parts.

    `alignment` covers both axes from start to end, stretch by stretch.
    """

    changes: tuple[Change, ...]
    unchanged_count: int
    unchanged_bytes: int
    parts: Parts
    alignment: tuple[Aligned, ...]


def compare(subject: tuple[Plan, SpaceUsage], baseline: tuple[Plan, SpaceUsage]) -> Comparison:
    """The subject against the baseline. Exchanging the two negates every difference."""
    changes, same = find_changes(subject, baseline)
    live = [_live_bytes(usage) for _, usage in (subject, baseline)]
    heads = [usage.headline for _, usage in (subject, baseline)]
    shared = [
        total + head.scoped_at_peak_bytes - head.peak_bytes for total, head in zip(live, heads, strict=True)
    ]
    parts = Parts(
        buffers_bytes=live[0] - live[1],
        shared_bytes=shared[0] - shared[1],
        scoped_bytes=heads[0].scoped_at_peak_bytes - heads[1].scoped_at_peak_bytes,
    )
    alignment = align(subject[0], baseline[0])
    return Comparison(
        changes, sum(half.count for half in same), sum(half.bytes for half in same), parts, alignment
    )


def _live_bytes(usage: SpaceUsage) -> int:
    return int(usage.buffers.size[live_rows(usage, usage.headline.peak_point)].sum())
