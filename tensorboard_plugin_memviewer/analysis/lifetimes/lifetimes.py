"""The lifetimes of values as far as the schedule determines them, computed once per module and shared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tensorboard_plugin_memviewer.analysis.lifetimes.live_ranges import (
    LiveRanges,
    Uses,
    find_uses,
    joined_prefetches,
    live_ranges,
)
from tensorboard_plugin_memviewer.analysis.lifetimes.positions import Positions, find_positions
from tensorboard_plugin_memviewer.analysis.lifetimes.program_order import ProgramOrder
from tensorboard_plugin_memviewer.errors import Problem
from tensorboard_plugin_memviewer.model.module import Module


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """Where values stand, who uses them, XLA's live ranges, and how long their memory is needed: `held`,
    which differs from `ranges` for slices that are joined without a copy. `pieces` maps rows of
    LogicalBuffers to those of the joined buffers that they are, or are slices of.
    """

    positions: Positions
    uses: Uses
    ranges: LiveRanges
    held: LiveRanges
    pieces: dict[int, set[int]]
    problems: tuple[Problem, ...] = ()


# Real modules have about one position an instruction and one use an operand. Only in a damaged file do tuples
# multiply beyond these.
_MOST = 1_000_000
_MOST_AN_INSTRUCTION = 32
_TOO_MANY = Problem(
    "lifetimes",
    "the module's tuples hold far more elements than it has instructions",
    "The file is probably damaged. What tuples hold is left out: such buffers have no readers, and those "
    "that the heap trace does not list count at every point.",
)

_OTHER_ORDER = Problem(
    "live_ranges",
    "XLA's live ranges next to the module list other instructions than its schedule",
    "The two may be of different compilations: dump again into an empty folder. Lifetimes are computed from"
    " the schedule.",
)


def find_lifetimes(module: Module, order: ProgramOrder) -> Lifetimes | None:
    """The lifetimes of a module's values; None where it has no schedule."""
    if order.axis == "events":
        return None
    most = _MOST + _MOST_AN_INSTRUCTION * len(module.instructions) + len(module.instructions.operands)
    positions = find_positions(module, order, most)
    uses = None if positions is None else find_uses(module, order, positions, most)
    problems: tuple[Problem, ...] = ()
    if positions is None or uses is None:
        # One position an instruction and one use an operand: no more than the file holds.
        all_of_them = len(module.instructions) + len(module.instructions.operands)
        positions = find_positions(module, order, all_of_them, tuples=False)
        assert positions is not None
        uses = find_uses(module, order, positions, all_of_them)
        assert uses is not None
        problems = (_TOO_MANY,)
    ranges = live_ranges(module, order, positions, uses)
    if (written := module.written_ranges) is not None:
        if np.array_equal(written.sequence, order.instruction):
            known = written.start >= 0
            ranges = LiveRanges(
                np.where(known, written.start, ranges.start), np.where(known, written.end, ranges.end)
            )
        else:
            problems = (*problems, _OTHER_ORDER)
    held, pieces = joined_prefetches(module, order, positions, ranges)
    return Lifetimes(positions, uses, ranges, held, pieces, problems)
