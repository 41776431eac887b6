"""Findings about capacity: what does not fit, or barely fits, and the buffer that takes most of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from tensorboard_plugin_memviewer.analysis.findings.finding import MOST_POINTS, Facts, Finding
from tensorboard_plugin_memviewer.model.space import HBM, space_name
from tensorboard_plugin_memviewer.units import format_bytes, format_share
from tensorboard_plugin_memviewer.vocabulary.capacity import NEARLY_FULL
from tensorboard_plugin_memviewer.vocabulary.findings import FINDING_KINDS

_MOST_BLAMED = 20

_REPLICATED = (
    "Make it in parts, or, where the program runs on several devices, look at its sharding: each may hold it "
    "whole. jax.debug.visualize_array_sharding shows it; jax.lax.with_sharding_constraint sets it."
)
_PRINTED = (
    "It is made for jax.debug.print or another callback, which gather the whole array on a device: "
    "print a slice or a sum instead."
)
_CALLBACKS = ("debug_callback", "debug_print", "io_callback", "pure_callback")


def find_room(facts: Facts) -> Iterator[Finding]:
    """What is over the capacity or near it, and buffers that take most of it, where it is known."""
    capacity, head = facts.capacity.bytes, facts.usage.headline
    if capacity is None or capacity <= 0:
        return
    if head.required_bytes > capacity:
        scoped_is_it = head.allocated_bytes <= capacity
        yield _scoped_over(facts, capacity) if scoped_is_it else _over(facts, capacity)
    elif facts.usage.space == HBM and NEARLY_FULL.exceeded(head.required_bytes, capacity):
        # On-chip memory is filled on purpose.
        yield _near(facts, capacity)
    if facts.usage.space == HBM:
        yield from _dominant(facts, capacity)


def _over(facts: Facts, capacity: int) -> Finding:
    head = facts.usage.headline
    over = head.required_bytes - capacity
    need, has = format_bytes(head.required_bytes), format_bytes(capacity)
    return Finding(
        kind="over_capacity",
        title="Over capacity: does not fit",
        bytes=over,
        detail=f"It requires {need} of {has} ({facts.capacity.source}). {_blamed(facts)}",
        advice="Make the largest buffers at the peak smaller: a smaller batch, jax.checkpoint around layers, "
        "or more devices to shard over.",
        rows=tuple(facts.live[:_MOST_BLAMED].tolist()),
        points=(head.peak_point,),
    )


def _near(facts: Facts, capacity: int) -> Finding:
    head = facts.usage.headline
    left = capacity - head.required_bytes
    return Finding(
        kind="near_capacity",
        title=f"Within {format_share(left, capacity)} of capacity: {format_bytes(left)} left",
        bytes=head.required_bytes - NEARLY_FULL.part * capacity // NEARLY_FULL.whole,
        detail=f"It requires {format_bytes(head.required_bytes)} of {format_bytes(capacity)} "
        f"({facts.capacity.source}). Other programs, and arrays that are not arguments of this one, need "
        f"memory too. {_blamed(facts)}",
        advice="Free some of it before a longer sequence or a second program ends in RESOURCE_EXHAUSTED.",
        rows=tuple(facts.live[:_MOST_BLAMED].tolist()),
        points=(head.peak_point,),
    )


def _blamed(facts: Facts) -> str:
    if not len(facts.live):
        return ""
    live: list[int] = facts.live.tolist()
    first = f"{facts.name(live[0])}, {format_bytes(facts.size(live[0]))}{facts.as_large(live)}"
    largest = f"The largest buffer at the peak is {first}"
    lines: defaultdict[str, list[int]] = defaultdict(list)
    for row in live:
        if source := facts.source(row):
            lines[source].append(row)
    if not lines:
        return f"{largest}."
    taken, line = max((facts.covered(rows), line) for line, rows in lines.items())
    return f"{largest}; the line that made most of it is {line}, {format_bytes(taken)}."


def _scoped_over(facts: Facts, capacity: int) -> Finding:
    usage, space = facts.usage, space_name(facts.usage.space)
    head = usage.headline
    left = capacity - head.allocated_bytes
    points = np.nonzero(usage.scoped > left)[0]
    order = facts.plan.order.instruction
    rows = [int(order[point]) for point in points.tolist()]
    names = [facts.plan.module.instructions.names[row] for row in rows if row >= 0]
    return Finding(
        kind="scoped_over_capacity",
        title=f"Scoped {space} is {format_bytes(head.required_bytes - capacity)} more than what is left",
        bytes=head.required_bytes - capacity,
        detail=f"{', '.join(names[:3])} reserves up to {format_bytes(head.max_scoped_bytes)} while it runs; "
        f"the plan leaves {format_bytes(left)} of {format_bytes(capacity)} ({facts.capacity.source}).",
        advice="Use smaller blocks in that kernel, or fewer buffers in its pipeline.",
        rows=tuple(facts.live[:_MOST_BLAMED].tolist()),
        points=tuple(points[:MOST_POINTS].tolist()),
    )


def _dominant(facts: Facts, capacity: int) -> Iterator[Finding]:
    table = facts.usage.buffers
    share = FINDING_KINDS["dominant_buffer"].share
    large = np.nonzero(table.represents & (share.whole * table.size > share.part * capacity))[0]
    rows: list[int] = large[np.argsort(-table.size[large], kind="stable")].tolist()
    if not rows:
        return
    row = rows[0]
    shape = facts.shape_words(row)
    what = f" {shape}" if shape else ""
    printed = any(word in facts.op_name(row) for word in _CALLBACKS)
    size = facts.size(row)
    much = "is larger than" if size > capacity else f"takes {format_share(size, capacity)} of"
    yield Finding(
        kind="dominant_buffer",
        title=f"One buffer {much} the capacity",
        bytes=size,
        detail=f"{facts.name(row)}{what}{facts.as_large(rows)}: {format_bytes(size)} of "
        f"{format_bytes(capacity)} ({facts.capacity.source}).",
        advice=_PRINTED if printed else _REPLICATED,
        rows=tuple(rows),
        points=(int(table.start[row]),),
    )
