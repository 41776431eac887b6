"""The finding about types: memory that holds wide floats where the largest buffers do."""

from __future__ import annotations

from collections.abc import Iterator

from tensorboard_plugin_memviewer.analysis.findings.finding import (
    LEAST_BYTES,
    MOST_ROWS,
    Facts,
    Finding,
    percent,
)
from tensorboard_plugin_memviewer.model.module import AllocationType
from tensorboard_plugin_memviewer.model.space import HBM
from tensorboard_plugin_memviewer.units import format_bytes

_WIDE = ("f32", "f64")
_NARROWER = {"f32": "bfloat16 takes half.", "f64": "f32 takes half of f64, bfloat16 half of f32."}
_ACTIVATIONS = "Cast activations to bfloat16 where they are made, and keep f32 for sums and the optimizer."
_ARGUMENTS = "Store parameters in bfloat16, with f32 only in the optimizer, or shard both over more devices."


def find_wide_floats(facts: Facts) -> Iterator[Finding]:
    """More than half of the peak in f32 or f64, the largest buffer among them. At stake is half of it."""
    if facts.usage.space != HBM or not len(facts.live):
        return
    rows = [row for row in facts.live.tolist() if _is_wide(facts, row)]
    total, peak = facts.covered(rows), facts.usage.headline.peak_bytes
    if not rows or rows[0] != facts.live[0] or 2 * total <= peak or total < 2 * LEAST_BYTES:
        return
    types = {held.type_name for row in rows if (held := facts.shape(row)) is not None}
    temporaries = facts.covered([row for row in rows if facts.type(row) == AllocationType.TEMPORARY])
    largest = f"{facts.name(rows[0])} {facts.shape_words(rows[0])}{facts.as_large(rows)}"
    wide = " and ".join(sorted(types))
    count = f"{len(rows)} buffer{'s' * (len(rows) != 1)}"
    yield Finding(
        kind="wide_floats",
        title=f"{percent(total, peak)} of the peak is {wide}: a narrower type halves it",
        bytes=total // 2,
        detail=f"{format_bytes(total)} in {count}, {format_bytes(temporaries)} of it in "
        f"temporaries; the largest is {largest}. {_NARROWER[max(types)]}",
        advice=_ACTIVATIONS if 2 * temporaries > total else _ARGUMENTS,
        rows=tuple(rows[:MOST_ROWS]),
        points=(facts.usage.headline.peak_point,),
    )


def _is_wide(facts: Facts, row: int) -> bool:
    shape = facts.shape(row)
    return shape is not None and shape.type_name in _WIDE
