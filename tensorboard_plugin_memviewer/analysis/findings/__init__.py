"""Findings: what stands out in the numbers of a memory space. Each family is in a file of its own.

A finding is computed from facts, gives the bytes involved, and names its evidence. An effect is stated only
within bounds that were verified on programs compiled before and after such a change.
"""

from __future__ import annotations

from dataclasses import replace

from tensorboard_plugin_memviewer.analysis.capacity import Capacity
from tensorboard_plugin_memviewer.analysis.findings.constants import find_constants
from tensorboard_plugin_memviewer.analysis.findings.copies import find_copies
from tensorboard_plugin_memviewer.analysis.findings.donation import find_undonated
from tensorboard_plugin_memviewer.analysis.findings.finding import Effect, Facts, Finding, gather
from tensorboard_plugin_memviewer.analysis.findings.largest import find_largest
from tensorboard_plugin_memviewer.analysis.findings.lifetimes import (
    find_activations,
    find_recomputed,
    find_repeated,
)
from tensorboard_plugin_memviewer.analysis.findings.precision import find_wide_floats
from tensorboard_plugin_memviewer.analysis.findings.room import find_room
from tensorboard_plugin_memviewer.analysis.findings.waste import find_fragmentation, find_padding
from tensorboard_plugin_memviewer.analysis.lifetimes.readers import Readers
from tensorboard_plugin_memviewer.analysis.usage import Plan, SpaceUsage
from tensorboard_plugin_memviewer.vocabulary.findings import EXPLAINED, FINDING_KINDS

__all__ = ["Effect", "Finding", "find_findings"]

_FAMILIES = (
    find_undonated,
    find_padding,
    find_activations,
    find_recomputed,
    find_fragmentation,
    find_repeated,
    find_copies,
)
# Evidence of less than this part of a finding's bytes explains nothing.
_LEAST_PART = 1000


def find_findings(plan: Plan, usage: SpaceUsage, readers: Readers, capacity: Capacity) -> tuple[Finding, ...]:
    """Every finding of a memory space: first what concerns its capacity, then the most bytes, and last what
    saves nothing or explains nothing.
    """
    facts = gather(plan, usage, readers, capacity)
    room = list(find_room(facts))
    found = [finding for family in _FAMILIES for finding in family(facts)]
    # Copies of padded arrays are large because of the padding.
    found.sort(key=lambda finding: (finding.kind != "padding", -finding.bytes))
    found = _told_once(facts, found)
    named = {
        row
        for finding in (*room, *found)
        if not FINDING_KINDS[finding.kind].names_all
        for row in finding.rows
    }
    found += find_largest(facts, named)
    found.sort(key=lambda finding: -finding.bytes)
    constants = list(find_constants(facts))
    explained = any(
        EXPLAINED.exceeded(finding.bytes, usage.headline.peak_bytes) for finding in (*found, *constants)
    )
    types = [] if explained else list(find_wide_floats(facts))
    return tuple(_with_evidence(facts, finding) for finding in (*room, *found, *constants, *types))


def _told_once(facts: Facts, findings: list[Finding]) -> list[Finding]:
    """Without those of which more than 80 % is in the memory, and in the bytes, of one before."""
    kept: list[Finding] = []
    for finding in findings:
        is_told = FINDING_KINDS[finding.kind].held_together and any(
            _tells(facts, before, finding) for before in kept
        )
        if not is_told:
            kept.append(finding)
    return kept


def _tells(facts: Facts, before: Finding, finding: Finding) -> bool:
    explains = FINDING_KINDS[before.kind].held_together or before.kind == "padding"
    if not explains or 5 * before.bytes < 4 * finding.bytes:
        return False
    both = facts.covered([row for row in before.rows if row in set(finding.rows)])
    return 5 * both > 4 * facts.covered(list(finding.rows))


def _with_evidence(facts: Facts, finding: Finding) -> Finding:
    """The finding with the rows that matter."""
    rows = tuple(row for row in finding.rows if _LEAST_PART * facts.size(row) >= finding.bytes)
    return replace(finding, rows=rows or finding.rows[:1])
