"""Findings: what the numbers of a memory space say by themselves, one family of them a file.

Each is computed from facts, has bytes at stake and names its evidence; where nothing stands out, there is
none.
"""

from __future__ import annotations

from tensorboard_plugin_memviewer.analysis.capacity import Capacity
from tensorboard_plugin_memviewer.analysis.findings.arguments import find_constants, find_undonated
from tensorboard_plugin_memviewer.analysis.findings.copies import find_copies
from tensorboard_plugin_memviewer.analysis.findings.finding import Finding, gather
from tensorboard_plugin_memviewer.analysis.findings.lifetimes import find_activations, find_repeated
from tensorboard_plugin_memviewer.analysis.findings.precision import find_wide_floats
from tensorboard_plugin_memviewer.analysis.findings.room import find_room
from tensorboard_plugin_memviewer.analysis.findings.waste import find_fragmentation, find_padding
from tensorboard_plugin_memviewer.analysis.readers import Readers
from tensorboard_plugin_memviewer.analysis.usage import Plan, SpaceUsage

__all__ = ["Finding", "find_findings"]

_FAMILIES = (
    find_undonated,
    find_padding,
    find_activations,
    find_wide_floats,
    find_fragmentation,
    find_constants,
    find_repeated,
    find_copies,
)


def find_findings(plan: Plan, usage: SpaceUsage, readers: Readers, capacity: Capacity) -> tuple[Finding, ...]:
    """Every finding of a memory space: first what concerns its capacity, then the most bytes at stake."""
    facts = gather(plan, usage, readers, capacity)
    others = [finding for family in _FAMILIES for finding in family(facts)]
    others.sort(key=lambda finding: -finding.bytes)
    return (*find_room(facts), *others)
