"""Findings about buffers that live long or side by side: activations, and what one operation makes often."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from tensorboard_plugin_memviewer.analysis.findings.copies import copied_argument
from tensorboard_plugin_memviewer.analysis.findings.finding import (
    LEAST_BYTES,
    MOST_ROWS,
    Facts,
    Finding,
    percent,
)
from tensorboard_plugin_memviewer.analysis.point_phases import phases_of
from tensorboard_plugin_memviewer.analysis.scope import parse_scope
from tensorboard_plugin_memviewer.model.module import AllocationType
from tensorboard_plugin_memviewer.model.space import HBM
from tensorboard_plugin_memviewer.units import format_bytes

_MOST_GROUPS = 5


def find_activations(facts: Facts) -> Iterator[Finding]:
    """Temporaries at the peak that the forward pass makes and the backward pass reads."""
    if facts.usage.space != HBM or facts.plan.order.axis == "events":
        return  # What is kept on the chip is the compiler's own choice.
    kept = _kept(facts)
    rows = list(kept)
    total, peak = facts.covered(rows), facts.usage.headline.peak_bytes
    if total < LEAST_BYTES or 20 * total < peak:
        return
    yield Finding(
        kind="activations",
        title=f"Activations kept for the backward pass take {percent(total, peak)} of the peak",
        bytes=total,
        detail=f"{_waiting(len(rows))} for the backward pass; the largest is {facts.name(rows[0])}, "
        f"{format_bytes(facts.size(rows[0]))}{facts.as_large(rows)}{_made_at(facts, rows[0])}.",
        advice="Compute them again instead of keeping them: jax.checkpoint around each layer, with a policy "
        "that keeps or offloads what is worth it (jax.checkpoint_policies).",
        rows=tuple(rows[:MOST_ROWS]),
        points=tuple(dict.fromkeys((facts.usage.headline.peak_point, min(kept.values())))),
    )


def _made_at(facts: Facts, row: int) -> str:
    source = facts.source(row)
    return f", made at {source}" if source else ""


def _waiting(count: int) -> str:
    made = "buffer is made" if count == 1 else "buffers are made"
    return f"{count} {made} in the forward pass and {'waits' if count == 1 else 'wait'}"


def _temporaries(facts: Facts) -> list[int]:
    return [row for row in facts.live.tolist() if facts.type(row) == AllocationType.TEMPORARY]


def _kept(facts: Facts) -> dict[int, int]:
    """Rows made in the forward pass, largest first, with the first point of the backward pass that reads it.

    That point may lie after the row's span: a heap trace says no more of a FREE than which allocations it is
    between.
    """
    found = phases_of(facts.plan)
    directions = np.array([phase.direction for phase in found.table])[found.column]
    backward = np.nonzero(directions == "backward")[0]
    kept: dict[int, int] = {}
    for row in _temporaries(facts):
        buffer, start = facts.buffer(row), int(facts.usage.buffers.start[row])
        if buffer is None or facts.usage.buffers.source[row] or not len(backward):
            continue
        if copied_argument(facts, row) is not None:
            continue
        # What has no name of its own goes with its neighbors.
        own = parse_scope(facts.op_name(row))[0].direction
        made = own if own != "none" else str(directions[start])
        reads = np.intersect1d(facts.readers.of(buffer), backward)
        reads = reads[reads > start]
        if made == "forward" and len(reads):
            kept[row] = int(reads[0])
    return kept


def find_repeated(facts: Facts) -> Iterator[Finding]:
    """Temporaries at the peak that the same operation makes in the same shape: one group a finding."""
    if facts.usage.space != HBM:
        return
    groups: defaultdict[tuple[str, str, str], list[int]] = defaultdict(list)
    for row in _temporaries(facts):
        op, shape = facts.op_name(row), facts.shape(row)
        if op and shape is not None:
            groups[op, facts.opcode(row), shape.text()].append(row)
    found = [_repeated(facts, rows) for rows in groups.values() if len(rows) > 1]
    found.sort(key=lambda finding: -finding.bytes)
    peak = facts.usage.headline.peak_bytes
    yield from [f for f in found if f.bytes >= LEAST_BYTES and 20 * f.bytes >= peak][:_MOST_GROUPS]


def _repeated(facts: Facts, rows: list[int]) -> Finding:
    source = facts.source(rows[0])
    place = f" ({source})" if source else ""
    return Finding(
        kind="duplicates",
        title=f"{len(rows)} buffers of the same operation and shape live together",
        bytes=facts.covered(rows) - max(facts.covered([row]) for row in rows),
        detail=f"{facts.operation(rows[0])}{place} makes {facts.shape_words(rows[0])} {len(rows)} times, "
        f"{format_bytes(facts.size(rows[0]))} each; one of them is needed anyway.",
        advice="If they hold the same values, compute them once; if they are steps or layers, "
        "jax.checkpoint or jax.lax.scan keeps fewer at a time.",
        rows=tuple(rows[:MOST_ROWS]),
        points=(facts.usage.headline.peak_point,),
    )
