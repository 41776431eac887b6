"""The readers of each logical buffer, and the other buffers to which its memory is handed over.

A buffer's readers are the instructions that take its data as an operand, wherever it stands: behind tuples,
through bitcasts, within the computations that it is handed into. Where it meets another value (a loop's
initial value and what the body makes both become the loop's parameter) the plan has a buffer of its own, and
reading goes on there: a *handover*.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np

from tensorboard_plugin_memviewer.analysis.usage import Plan
from tensorboard_plugin_memviewer.model.module import Ints, Module, Rows

HandoverKind = Literal["enters", "goes round", "leaves", "enters branch", "leaves branch", "passes"]


@dataclass(frozen=True, slots=True)
class Readers:
    """The program points that read buffer row b, ascending: `points[start[b]:start[b + 1]]`. Empty on axis
    "events".
    """

    start: Ints
    points: Rows

    def of(self, buffer: int) -> Rows:
        """The points that read one row of LogicalBuffers."""
        return self.points[self.start[buffer] : self.start[buffer + 1]]


class Handover(NamedTuple):
    """The memory of buffer `source` goes on as buffer `target`, rows of LogicalBuffers, by `instruction`.

    For a while, a value "enters" as the loop's parameter, "goes round" from the body's result to the next
    pass, "leaves" as the loop's result; for a conditional it enters and leaves a branch.
    """

    source: int
    target: int
    instruction: int
    kind: HandoverKind


def find_readers(plan: Plan) -> Readers:
    """The readers of every logical buffer."""
    count, points = len(plan.module.buffers), plan.order.points
    if plan.lifetimes is None:
        return Readers(np.zeros(count + 1, np.int64), np.zeros(0, np.int32))
    uses = plan.lifetimes.uses
    # What an instruction reads twice is one read.
    keys = np.unique(uses.buffer[uses.reads] * points + uses.point[uses.reads])
    buffer, point = np.divmod(keys, max(points, 1))
    start = np.concatenate([[0], np.cumsum(np.bincount(buffer, minlength=count))])
    return Readers(start, point.astype(np.int32))


def find_handovers(plan: Plan) -> tuple[Handover, ...]:
    """Every handover of a module, by source and then target; none on axis "events"."""
    if plan.lifetimes is None:
        return ()
    module = plan.module
    table = module.instructions
    callers = table.callers()
    found: dict[tuple[int, int], Handover] = {}
    meeting = plan.lifetimes.positions.meeting
    for source, target, where, place in zip(*(column.tolist() for column in meeting), strict=True):
        opcode = table.opcodes[table.opcode[place]]
        computation = int(table.computation[place])
        caller = place if opcode in ("while", "conditional") else callers.get(computation)
        if caller is None:
            continue
        handover = Handover(source, target, caller, _kind(module, caller, opcode, where))
        # The condition and the body of a loop have a parameter each.
        found.setdefault((source, target), handover)
    return tuple(found[key] for key in sorted(found))


def _kind(module: Module, caller: int, opcode: str, where: int) -> HandoverKind:
    """`where` is the instruction that hands over, `opcode` that of what takes over."""
    table = module.instructions
    runs = table.opcodes[table.opcode[caller]]
    if runs == "while":
        if opcode == "while":
            return "leaves"
        return "enters" if table.computation[where] == table.computation[caller] else "goes round"
    if runs == "conditional":
        return "leaves branch" if opcode == "conditional" else "enters branch"
    return "passes"


def longest_idle(allocated: int, freed: int, readers: list[int]) -> tuple[int, int] | None:
    """The longest stretch `[start, end)` of a buffer's span without a reader; None if there is
    none.

    It lies after the point that defines the buffer and ends at a read or, after the last one, where the
    buffer is freed.
    """
    edges = [allocated, *(point for point in readers if allocated < point < freed), freed]
    stretches = [(b - a - 1, a + 1, b) for a, b in pairwise(edges)]
    length, start, end = max(stretches, key=lambda stretch: stretch[0])
    return (start, end) if length > 0 else None
