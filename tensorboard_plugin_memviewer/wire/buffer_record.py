"""A buffer as a record: the same fields wherever one is listed."""

from __future__ import annotations

from dataclasses import fields
from typing import TypedDict, cast

from tensorboard_plugin_memviewer.analysis.buffer_facts import BufferFacts, KnownBy, buffer_facts
from tensorboard_plugin_memviewer.analysis.usage import Plan, SpaceUsage
from tensorboard_plugin_memviewer.wire.names import id_text


class BufferRecord(TypedDict):
    """One span of a buffer: a stretch of program points in which it is alive."""

    row: int
    """Its row in `buffers` of the `usage` answer, and in `Usage.buffers` of the Python API."""
    id: str | None
    """The compiler's id of the logical buffer; None for an allocation that holds none."""
    instruction: str
    """The instruction that defines it, "" where there is none."""
    shape_index: str
    """Which element of that instruction's tuple it is, `{1}`; "" where it is no tuple."""
    opcode: str
    op_name: str
    """The framework's name of the operation, "" where there is none."""
    scope: str
    """The user's scope in that name, `train_step/layer_3/attn`."""
    source: str | None
    """`file:line` of the innermost line of the user's own code."""
    shape: str
    """With its layout, as XLA writes it."""
    dtype: str
    bytes: int
    """As stored, padding included."""
    unpadded_bytes: int
    type: str
    """The type of its allocation: Parameter, Output, Thread-local, Constant or Temporary."""
    aliased: bool
    """Whether an output reuses its memory."""
    allocation: int | None
    """The index of its allocation."""
    offset: int
    """Its first byte within its allocation."""
    start: int
    """The first program point at which it is alive."""
    end: int
    """The program point after the last."""
    known_by: KnownBy
    live_at_peak: bool


_NAMES = tuple(field.name for field in fields(BufferFacts))


def buffer_record(plan: Plan, usage: SpaceUsage, row: int) -> BufferRecord:
    """The record of a row of `usage.buffers`."""
    facts = buffer_facts(plan, usage, row)
    return cast("BufferRecord", {**{name: getattr(facts, name) for name in _NAMES}, "id": id_text(facts.id)})
