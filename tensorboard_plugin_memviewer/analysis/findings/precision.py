"""The finding about types: memory that holds wide floats where nothing else explains the peak."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from tensorboard_plugin_memviewer.analysis.findings.finding import (
    MOST_ROWS,
    Effect,
    Facts,
    Finding,
    function_argument,
)
from tensorboard_plugin_memviewer.analysis.findings.target import is_for_accelerator
from tensorboard_plugin_memviewer.model.module import AllocationType
from tensorboard_plugin_memviewer.model.space import HBM
from tensorboard_plugin_memviewer.units import format_bytes, format_share
from tensorboard_plugin_memviewer.vocabulary.findings import FINDING_KINDS, LEAST_BYTES

_WIDE = ("f32", "f64")
_NARROWER = {"f32": "bfloat16 takes half.", "f64": "f32 takes half of f64, bfloat16 half of f32."}
_COMPUTED = "Cast activations to bfloat16 where they are made, and keep f32 for sums and the optimizer."
_STORED = "Store those that do not need the precision in bfloat16, or shard them over more devices."
_MOST_NAMED = 4
_WORDS = {AllocationType.TEMPORARY: "temporaries", AllocationType.PARAMETER: "arguments"}


def find_wide_floats(facts: Facts) -> Iterator[Finding]:
    """More than half of the peak in arguments, or in temporaries, of f32 or f64: the largest buffer is one
    of them. Casting all of them frees half.
    """
    if facts.usage.space != HBM or not len(facts.live) or not is_for_accelerator(facts.plan.module):
        return
    kind = facts.type(int(facts.live[0]))
    rows = [row for row in facts.live.tolist() if facts.type(row) == kind and facts.type_name(row) in _WIDE]
    total, peak = facts.covered(rows), facts.usage.headline.peak_bytes
    if kind not in _WORDS or not rows or rows[0] != facts.live[0]:
        return
    if not FINDING_KINDS["wide_floats"].share.exceeded(total, peak) or total < 2 * LEAST_BYTES:
        return
    types = {facts.type_name(row) for row in rows}
    wide = " and ".join(sorted(types))
    yield Finding(
        kind="wide_floats",
        title=f"{format_share(total, peak)} of the peak is {wide} in {_WORDS[kind]}",
        bytes=total // 2,
        detail=f"{format_bytes(total)} in {len(rows)} {_WORDS[kind]}: {_largest(facts, rows)}. "
        f"{_NARROWER[max(types)]} Casting all of them frees up to {format_bytes(total // 2)}.",
        advice=_COMPUTED if kind == AllocationType.TEMPORARY else _STORED,
        rows=tuple(rows[:MOST_ROWS]),
        points=(facts.usage.headline.peak_point,),
        cure="dtype",
        effect=Effect(0, total // 2),
    )


def _largest(facts: Facts, rows: list[int]) -> str:
    """The largest of rows, which are ordered by size; of a function's arguments the largest of each."""
    if facts.type(rows[0]) == AllocationType.TEMPORARY:
        return f"the largest is {facts.name(rows[0])} {facts.shape_words(rows[0])}{facts.as_large(rows)}"
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for row in rows:
        groups[function_argument(facts.operation(row))].append(row)
    taken = sorted(((facts.sizes(held), name) for name, held in groups.items()), reverse=True)
    words = [f"{name} {format_bytes(size)}" for size, name in taken[:_MOST_NAMED]]
    return ", ".join(words)
