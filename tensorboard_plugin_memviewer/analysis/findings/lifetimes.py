"""Findings about buffers that live long or side by side: activations, and what one operation makes often."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

import numpy as np

from tensorboard_plugin_memviewer.analysis.findings.copies import made_of_argument
from tensorboard_plugin_memviewer.analysis.findings.finding import (
    MOST_ROWS,
    Effect,
    Facts,
    Finding,
)
from tensorboard_plugin_memviewer.analysis.findings.target import is_for_accelerator
from tensorboard_plugin_memviewer.analysis.point_phases import phases_of
from tensorboard_plugin_memviewer.analysis.replay import SpanSource
from tensorboard_plugin_memviewer.analysis.scope import parse_scope
from tensorboard_plugin_memviewer.model.module import AllocationType, Flags
from tensorboard_plugin_memviewer.model.space import HBM
from tensorboard_plugin_memviewer.units import format_bytes, format_share
from tensorboard_plugin_memviewer.vocabulary.findings import FINDING_KINDS, LEAST_BYTES, RECOMPUTING, REPEATED

_MOST_GROUPS = 5
# Two of a kind are common within one layer, such as what makes keys and values.
_RECOMPUTATION = "rematted_computation"
_DIGITS = re.compile(r"\d+")
_AROUND_LAYERS = (
    "Recompute them instead of keeping them: jax.checkpoint around each layer (of a scan, around its body), "
    "with a policy that keeps or offloads what is worth it (jax.checkpoint_policies)."
)


def find_activations(facts: Facts) -> Iterator[Finding]:
    """Temporaries at the peak that several layers of the forward pass make and the backward pass reads.

    What one layer keeps is left out: it is there again when it is recomputed.
    """
    if facts.usage.space != HBM or facts.plan.order.axis == "events":
        return  # What is kept on the chip is the compiler's own choice.
    kept = _kept(facts)
    stacks = _stacks(facts, kept)
    alike = _alike(facts, kept, stacks)
    rows = [row for row in kept if row in stacks or row in alike]
    total, peak = facts.covered(rows), facts.usage.headline.peak_bytes
    # A program that recomputes keeps what goes into its layers: little, compared with what it kept before.
    share = RECOMPUTING if _recomputes(facts) else FINDING_KINDS["activations"].share
    if total < LEAST_BYTES or not share.reached(total, peak):
        return
    yield Finding(
        kind="activations",
        title=f"Activations kept for the backward pass take {format_share(total, peak)} of the peak",
        bytes=total,
        detail=f"{_waiting(len(rows))} for the backward pass; the largest is {facts.name(rows[0])}"
        f"{facts.loop(rows[0])}, {format_bytes(facts.size(rows[0]))}{facts.as_large(rows)}"
        f"{_made_at(facts, rows[0])}."
        f"{_effect_words(facts, rows, stacks)}{_in_f32(facts, rows)}",
        advice=_AROUND_LAYERS,
        rows=tuple(rows[:MOST_ROWS]),
        points=tuple(dict.fromkeys((facts.usage.headline.peak_point, min(kept[row] for row in rows)))),
        cure="remat",
        effect=_effect(facts, rows, stacks),
    )


def find_recomputed(facts: Facts) -> Iterator[Finding]:
    """Recomputed temporaries of several layers at the peak together: checkpoints that do not help."""
    if facts.usage.space != HBM:
        return
    recomputed = [row for row in _temporaries(facts) if _RECOMPUTATION in facts.op_name(row)]
    alike = _alike(facts, recomputed, {})
    rows = [row for row in recomputed if row in alike]
    total, peak = facts.covered(rows), facts.usage.headline.peak_bytes
    if total < LEAST_BYTES or not FINDING_KINDS["recomputed"].share.reached(total, peak):
        return
    yield Finding(
        kind="recomputed",
        title=f"Recomputed values of several layers take {format_share(total, peak)} of the peak",
        bytes=total,
        detail=f"{len(rows)} buffers are recomputed before the backward pass needs them, and wait; "
        f"the largest is {facts.name(rows[0])}, {format_bytes(facts.size(rows[0]))}{facts.as_large(rows)}"
        f"{_made_at(facts, rows[0])}. Recomputing each just in time frees up to {format_bytes(total)}.",
        advice="Put jax.checkpoint around each layer, not around all of them. If it is, the compiler "
        "recomputes early: try jax.lax.scan over the layers.",
        rows=tuple(rows[:MOST_ROWS]),
        points=(facts.usage.headline.peak_point,),
        cure="remat",
        effect=Effect(0, total),
    )


def _effect(facts: Facts, rows: list[int], stacks: dict[int, int]) -> Effect | None:
    """What recomputing frees: of stacks at least all layers but one, as far as no other point needs more."""
    total = facts.covered(rows)
    stacked = facts.covered([row for row in rows if row in stacks])
    if 10 * stacked < 9 * total:
        return Effect(0, total) if is_for_accelerator(facts.plan.module) else None
    layers = min(stacks.values())
    without = facts.usage.usage - np.where(_held(facts, rows), total, 0)
    to_next = facts.usage.headline.peak_bytes - int(without.max(initial=0))
    return Effect(min(stacked - stacked // layers, max(to_next, 0)), total)


def _held(facts: Facts, rows: list[int]) -> Flags:
    """The points at which anything lies in the place of the largest of `rows`."""
    table, place = facts.usage.buffers, facts.place(rows[0])
    held = np.zeros(facts.usage.points, np.bool_)
    for row in np.nonzero(table.size == facts.size(rows[0]))[0].tolist():
        if facts.place(row) == place:
            held[table.start[row] : table.end[row]] = True
    return held


def _effect_words(facts: Facts, rows: list[int], stacks: dict[int, int]) -> str:
    effect = _effect(facts, rows, stacks)
    if effect is None:
        return " On CPU, recomputing them may free nothing: compile both and compare."
    if not effect.low:
        return f" Recomputing them frees up to {format_bytes(effect.high)}."
    return f" Recomputing them frees {format_bytes(effect.low)} to {format_bytes(effect.high)}."


def _stacks(facts: Facts, rows: Iterable[int]) -> dict[int, int]:
    """Rows that a loop stacks, an entry an iteration, with how many entries those are.

    A loop that stacks one array keeps what goes into its iterations, which recomputing needs too.
    """
    found: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for row in rows:
        value, shape = facts.carried(row), facts.shape(row)
        maker = None if value is None else facts.graph.put_back(value)
        if value is None or maker is None or shape is None or not facts.graph.is_update(maker):
            continue
        if shape.dimensions and shape.dimensions[0] > 1:
            found[value.row][row] = shape.dimensions[0]
    return {row: layers for rows in found.values() if len(rows) > 1 for row, layers in rows.items()}


def _alike(facts: Facts, rows: Iterable[int], stacks: dict[int, int]) -> set[int]:
    """Rows that several layers make: by the same operation in the same shape, layers' numbers aside."""
    groups: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for row in rows:
        value = facts.carried(row)
        if row not in stacks and value is not None and facts.graph.opcode(value.row) != "while":
            groups[_DIGITS.sub("", facts.op_name(row)), facts.shape_words(row)].append(row)
    return {row for found in groups.values() if len(found) >= REPEATED for row in found}


def _in_f32(facts: Facts, rows: list[int]) -> str:
    """How much of rows a narrower type would halve, where that is most of them: not on CPU."""
    wide = facts.covered([row for row in rows if facts.type_name(row) == "f32"])
    if 2 * wide <= facts.covered(rows) or not is_for_accelerator(facts.plan.module):
        return ""
    return f" {format_bytes(wide)} of them are f32; bfloat16 would take half of that."


def _made_at(facts: Facts, row: int) -> str:
    source = facts.source(row)
    return f", made at {source}" if source else ""


def _waiting(count: int) -> str:
    made = "buffer is made" if count == 1 else "buffers are made"
    return f"{count} {made} in the forward pass and {'waits' if count == 1 else 'wait'}"


def _recomputes(facts: Facts) -> bool:
    return any(_RECOMPUTATION in metadata.op_name for metadata in facts.plan.module.metadata)


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
        value, start = facts.carried(row), int(facts.usage.buffers.start[row])
        buffer = None if value is None else facts.graph.buffer(value)
        if (
            value is None
            or buffer is None
            or facts.usage.buffers.source[row] == SpanSource.UNKNOWN
            or not len(backward)
        ):
            continue
        if made_of_argument(facts, row):
            continue
        # What has no name of its own goes with its neighbors.
        own = parse_scope(facts.graph.op_name(value.row))[0].direction
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
    found = [_repeated(facts, rows) for rows in groups.values() if len(rows) >= REPEATED]
    found.sort(key=lambda finding: -finding.bytes)
    peak, share = facts.usage.headline.peak_bytes, FINDING_KINDS["duplicates"].share
    enough = [one for one in found if one.bytes >= LEAST_BYTES and share.reached(one.bytes, peak)]
    yield from enough[:_MOST_GROUPS]


def _repeated(facts: Facts, rows: list[int]) -> Finding:
    source = facts.source(rows[0])
    place = f" ({source})" if source else ""
    return Finding(
        kind="duplicates",
        title=f"{len(rows)} buffers with the same op and shape are live at once",
        bytes=facts.covered(rows) - max(facts.covered([row]) for row in rows),
        detail=f"{facts.operation(rows[0])}{place} makes {facts.shape_words(rows[0])} {len(rows)} times, "
        f"{format_bytes(facts.size(rows[0]))} each; at least one is needed.",
        advice="If they hold the same values, compute them once; if they are steps or layers, "
        "jax.checkpoint or jax.lax.scan keeps fewer at a time.",
        rows=tuple(rows[:MOST_ROWS]),
        points=(facts.usage.headline.peak_point,),
        cure="upfront",
    )
