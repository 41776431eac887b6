"""What fused computations hand out: by array of a fusion's result, what instruction inside makes it.

Fused computations are not decoded (nothing of the memory plan lies in them); this is what is kept of each.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple

from tensorboard_plugin_memviewer.model.op_metadata import OpMetadata


class Making(IntEnum):
    """How a fusion makes one array of its result."""

    # An operation computes it.
    COMPUTES = 0
    # It is one of the fusion's operands, moved or converted.
    MOVES = 1
    # It is a slice of one of the fusion's operands.
    SLICES = 2
    # It is filled with a constant, or with an operand repeated.
    FILLS = 3


class FusedEnd(NamedTuple):
    """What makes one array of a fusion's result, looked for from the root through what only moves.

    `metadata` is a row of FusedEnds.metadata, -1 where nothing names the operation. `operand` is the number
    of the fusion's operand that it moves, slices or repeats, else -1. Where the array is an update in place
    (a dynamic-update-slice), all this is of the value that is stored; `update` is the row of metadata of the
    update itself (-1: unnamed), `into` the operand that it writes into; both None where there is no update.
    """

    making: Making
    metadata: int
    operand: int
    update: int | None = None
    into: int | None = None


class Fused(NamedTuple):
    """A fused computation: its ends by element of the result, one where the result is an array. `mixes` says
    that it multiplies matrices or reduces, `collective` which collective is inside, "" for none.
    """

    ends: tuple[FusedEnd, ...]
    mixes: bool
    collective: str


@dataclass(frozen=True, slots=True)
class FusedEnds:
    """By row of Instructions the inside of a fusion; what is left out only computes, under its own name.

    `metadata` is what the framework said of the instructions inside, distinct entries.
    """

    of: dict[int, Fused] = field(default_factory=dict)
    metadata: tuple[OpMetadata, ...] = ()


NO_FUSED_ENDS = FusedEnds()
