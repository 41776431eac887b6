"""Findings about unused bytes: padding, and gaps between buffers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from tensorboard_plugin_memviewer.analysis.findings.finding import MOST_ROWS, Facts, Finding
from tensorboard_plugin_memviewer.analysis.padding import explain
from tensorboard_plugin_memviewer.model.module import AllocationType
from tensorboard_plugin_memviewer.model.space import HBM
from tensorboard_plugin_memviewer.units import format_bytes, format_share
from tensorboard_plugin_memviewer.vocabulary.findings import FINDING_KINDS, LEAST_BYTES

_MOST_CAUSES = 3


def find_padding(facts: Facts) -> Iterator[Finding]:
    """Padding of enough of the peak, by the dimension that wastes most."""
    head, table = facts.usage.headline, facts.usage.buffers
    share = FINDING_KINDS["padding"].share
    if head.padding_bytes < LEAST_BYTES or not share.exceeded(head.padding_bytes, head.peak_bytes):
        return
    wasted = table.size - table.unpadded
    rows = [row for row in facts.live.tolist() if wasted[row] > 0 and _has_dimensions(facts, row)]
    lost = int(wasted[rows].sum())
    if lost < LEAST_BYTES or not share.exceeded(lost, head.peak_bytes):
        return
    rows.sort(key=lambda row: -int(wasted[row]))
    by_cause: defaultdict[str, int] = defaultdict(int)
    for row in rows:
        by_cause[_cause(facts, row)] += int(wasted[row])
    causes = sorted(by_cause.items(), key=lambda cause: -cause[1])[:_MOST_CAUSES]
    yield Finding(
        kind="padding",
        title=f"Padding takes {format_share(head.padding_bytes, head.peak_bytes)} of the peak",
        bytes=head.padding_bytes,
        detail=_causes(causes, shared=lost > head.padding_bytes),
        advice="Make that dimension a multiple of its tile, put a longer dimension last, or merge it with "
        "a neighbor by a reshape.",
        rows=tuple(rows[:MOST_ROWS]),
        points=(head.peak_point,),
        cure="padding",
    )


def _causes(causes: list[tuple[str, int]], shared: bool) -> str:
    """Where buffers share addresses, what each of them loses is more than what is lost in all."""
    if shared:
        return f"The most padded, in part at the same addresses: {'; '.join(cause for cause, _ in causes)}."
    return "Most of it: " + "; ".join(f"{format_bytes(lost)} in {cause}" for cause, lost in causes) + "."


def _has_dimensions(facts: Facts, row: int) -> bool:
    """Of a scalar, or a tuple's table of pointers, nothing can be laid out otherwise."""
    shape = facts.shape(row)
    return shape is None or bool(shape.dimensions)


def _cause(facts: Facts, row: int) -> str:
    """The shape and the dimension that costs most, `f32[160000,3] (dimension 1: 3 stored as 128)`."""
    shape = facts.shape(row)
    if shape is None:
        return facts.name(row)
    found = explain(shape, facts.size(row))
    worst = None if found is None else found.worst_text
    text = facts.shape_words(row)
    return text if worst is None else f"{text} ({worst})"


def find_fragmentation(facts: Facts) -> Iterator[Finding]:
    """Address space of enough of what is allocated that even the peak leaves empty."""
    head = facts.usage.headline
    if facts.usage.space != HBM:
        return  # On the chip the compiler reserves what there is.
    least = FINDING_KINDS["fragmentation"].share
    if head.fragmentation_bytes < LEAST_BYTES or not least.exceeded(
        head.fragmentation_bytes, head.allocated_bytes
    ):
        return
    rows = _above_gaps(facts, head.fragmentation_bytes)
    if not rows or facts.size(rows[0]) < LEAST_BYTES:
        return  # Small ones leave gaps because each is aligned.
    share = format_share(head.fragmentation_bytes, head.allocated_bytes)
    yield Finding(
        kind="fragmentation",
        title=f"Fragmentation: {share} of the allocated memory is never in use at the same time",
        bytes=head.fragmentation_bytes,
        detail=f"Temporaries never take more than {format_bytes(head.temporary_peak_bytes)} at once, and "
        f"{format_bytes(head.temporary_bytes)} are reserved for them: {len(rows)} buffers lie in the part "
        "that a packing without gaps would not need.",
        advice="Large buffers of many lifetimes leave gaps: shrink or split the largest ones, or let their "
        "lifetimes end together, as jax.checkpoint and jax.lax.scan do.",
        rows=tuple(rows[:MOST_ROWS]),
    )


def _above_gaps(facts: Facts, gaps: int) -> list[int]:
    """Rows that lie in the last `gaps` bytes of a Temporary allocation, largest first."""
    table, allocations = facts.usage.buffers, facts.plan.module.allocations
    size = allocations.size[table.allocation]
    temporary = allocations.type[table.allocation] == AllocationType.TEMPORARY
    found = temporary & table.represents & (size > gaps) & (table.offset + table.size > size - gaps)
    rows = np.nonzero(found)[0]
    ordered: list[int] = rows[np.argsort(-table.size[rows], kind="stable")].tolist()
    return ordered
