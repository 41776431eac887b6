"""Program order: the module's schedule, flattened into one line of program points.

Where an instruction runs another scheduled computation, that computation's points come just before it, the
first time it is met; a while's condition comes before its body (the proto stores body, condition). All memory
spaces of a module share this axis. Knows nothing of buffers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tensorboard_plugin_memviewer.model.module import Module, Rows

Axis = Literal["schedule", "events"]

# Opcodes whose called computations have program points of their own. What a reduce, sort or fusion calls runs
# within the one point of the instruction.
_RUNS = {"call": "call", "while": "while", "conditional": "conditional", "async-start": "async"}


@dataclass(frozen=True, slots=True)
class Region:
    """A called computation's stretch of program points `[start, end)`.

    `kind` is "call", "while" (a body: one pass), "condition", "conditional" (a branch) or "async"; `parent`
    the row of the region around it, None at the top. XLA's plan shows a loop's body once: repetition adds no
    points.
    """

    name: str
    kind: str
    start: int
    end: int
    parent: int | None


@dataclass(frozen=True, slots=True)
class ProgramOrder:
    """`instruction[p]` is the row of the instruction at point p; `point[row]` its point, -1 where it has
    none.

    With axis "events" the points are the heap traces' events (at least one point); `instruction` then holds
    -1 where an event's buffer has no known instruction, and `point` is -1 throughout. `region[p]` is the
    innermost Region at p, or -1.
    """

    axis: Axis
    instruction: Rows
    point: Rows
    regions: tuple[Region, ...]
    region: Rows

    @property
    def points(self) -> int:
        """The number of program points."""
        return len(self.instruction)

    def outermost_loop(self, point: int) -> Region | None:
        """The first condition or body of the outermost loop that a point is in; None in no loop."""
        found, row = None, int(self.region[point])
        while row >= 0:
            region = self.regions[row]
            if region.kind in ("while", "condition"):
                found = region
            row = -1 if region.parent is None else region.parent
        return found


def program_order(module: Module) -> ProgramOrder:
    """A module's schedule where that has every traced buffer's instruction, else its heap events."""
    if module.has_schedule and module.entry is not None:
        order = _flatten(module, module.entry)
        if order.points and _covers_traces(module, order):
            return order
    return _event_order(module)


def _covers_traces(module: Module, order: ProgramOrder) -> bool:
    for trace in module.traces:
        rows = trace.buffer[trace.buffer >= 0]
        instructions = module.buffers.instruction[rows]
        if (instructions < 0).any() or (order.point[instructions] < 0).any():
            return False
    return True


def _event_order(module: Module) -> ProgramOrder:
    events = [trace.buffer for trace in module.traces]
    buffers = np.concatenate(events) if events else np.zeros(0, np.int32)
    known = buffers >= 0
    instruction = np.full(max(len(buffers), 1), -1, np.int32)
    instruction[: len(buffers)][known] = module.buffers.instruction[buffers[known]]
    return ProgramOrder(
        axis="events",
        instruction=instruction,
        point=np.full(len(module.instructions), -1, np.int32),
        regions=(),
        region=np.full(len(instruction), -1, np.int32),
    )


@dataclass(slots=True)
class _Visit:
    """A computation being flattened: where its sequence stands and which region it fills."""

    computation: int
    next: int
    region: int


class _Flattener:
    """Depth first without recursion: modules may nest deeper than Python's stack."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._met: set[int] = set()
        self._kinds = [_RUNS.get(opcode) for opcode in module.instructions.opcodes]
        self.instruction: list[int] = []
        self.region_of_point: list[int] = []
        self.regions: list[Region] = []
        self._stack: list[_Visit] = []

    def flatten(self, entry: int) -> None:
        self._enter(entry, -1)
        sequences = [None if rows is None else rows.tolist() for rows in self._module.computations.sequence]
        while self._stack:
            visit = self._stack[-1]
            sequence = sequences[visit.computation] or ()
            if visit.next == len(sequence):
                self._leave()
                continue
            row = sequence[visit.next]
            if self._enter_called(row, visit.region):
                continue
            visit.next += 1
            self.instruction.append(row)
            self.region_of_point.append(visit.region)

    def _enter_called(self, row: int, region: int) -> bool:
        """Enters the first computation that `row` runs and that was not met yet; False if there is none."""
        instructions = self._module.instructions
        kind = self._kinds[instructions.opcode[row]]
        if kind is None:
            return False
        called = instructions.called[
            instructions.called_start[row] : instructions.called_start[row + 1]
        ].tolist()
        in_order = list(enumerate(called))
        if kind == "while":
            in_order.reverse()
        for position, computation in in_order:
            if computation not in self._met and self._module.computations.sequence[computation] is not None:
                role = "condition" if kind == "while" and position > 0 else kind
                self._open(computation, role, region)
                return True
        return False

    def _open(self, computation: int, kind: str, parent: int) -> None:
        start = len(self.instruction)
        name = self._module.computations.names[computation]
        self.regions.append(Region(name, kind, start, start, None if parent < 0 else parent))
        self._enter(computation, len(self.regions) - 1)

    def _enter(self, computation: int, region: int) -> None:
        self._met.add(computation)
        self._stack.append(_Visit(computation, 0, region))

    def _leave(self) -> None:
        visit = self._stack.pop()
        if visit.region >= 0:
            old = self.regions[visit.region]
            end = len(self.instruction)
            self.regions[visit.region] = Region(old.name, old.kind, old.start, end, old.parent)


def _flatten(module: Module, entry: int) -> ProgramOrder:
    flattener = _Flattener(module)
    flattener.flatten(entry)
    instruction = np.array(flattener.instruction, np.int32)
    point = np.full(len(module.instructions), -1, np.int32)
    # An instruction that a damaged schedule lists twice has its first point.
    point[instruction[::-1]] = np.arange(len(instruction) - 1, -1, -1, dtype=np.int32)
    return ProgramOrder(
        axis="schedule",
        instruction=instruction,
        point=point,
        regions=tuple(flattener.regions),
        region=np.array(flattener.region_of_point, np.int32),
    )
