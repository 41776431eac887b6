"""Program order: the module's schedule, flattened into one line of program points.

Where an instruction runs another scheduled computation, that computation's points come just before it, the
first time it is met; a while's condition comes before its body (the proto stores body, condition); an
asynchronous computation comes before the operation of its chain that binds the last of its operands. All
memory spaces of a module share this axis. Knows nothing of buffers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tensorboard_plugin_memviewer.analysis.lifetimes.async_chains import (
    AsyncChains,
    async_chains,
    parameter_counts,
)
from tensorboard_plugin_memviewer.model.module import Ints, Module, Rows

Axis = Literal["schedule", "events"]

# Opcodes whose called computations have program points of their own. What a reduce, sort or fusion calls runs
# within the one point of the instruction.
_RUNS = {"call": "call", "while": "while", "conditional": "conditional"}
_RUNS |= dict.fromkeys(("async-start", "async-update", "async-done"), "async")


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

    By row of Computations: `first` is a computation's first point, `end` the point of what runs it (or of
    what comes next), -1 where it has no points; `asynchronous` the row of the async-start in whose
    computation it runs, itself or what it calls, -1 for none.
    """

    axis: Axis
    instruction: Rows
    point: Rows
    regions: tuple[Region, ...]
    region: Rows
    first: Rows
    end: Rows
    asynchronous: Rows
    chains: AsyncChains

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
    instruction = np.full(len(buffers), -1, np.int32)
    instruction[known] = module.buffers.instruction[buffers[known]]
    return order_of_events(module, instruction)


def order_of_events(module: Module, instruction: Rows) -> ProgramOrder:
    """The axis "events", a point an event, with the instruction of each (-1 for unknown)."""
    if not len(instruction):
        instruction = np.full(1, -1, np.int32)
    nowhere = np.full(len(module.computations), -1, np.int32)
    return ProgramOrder(
        axis="events",
        instruction=instruction,
        point=np.full(len(module.instructions), -1, np.int32),
        regions=(),
        region=np.full(len(instruction), -1, np.int32),
        first=nowhere,
        end=nowhere,
        asynchronous=nowhere,
        chains=AsyncChains({}, {}),
    )


@dataclass(slots=True)
class _Visit:
    """A computation being flattened: where its sequence stands, which region it fills, the async-start that
    it runs under, and what the instruction that its sequence stands at has yet to run.
    """

    computation: int
    next: int
    region: int
    asynchronous: int
    ahead: Iterator[tuple[int, str]] | None = None


class _Flattener:
    """Depth first without recursion: modules may nest deeper than Python's stack."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self.first = np.full(len(module.computations), -1, np.int32)
        self.end = np.full(len(module.computations), -1, np.int32)
        self.asynchronous = np.full(len(module.computations), -1, np.int32)
        self.chains = async_chains(module)
        self._parameters: Ints = parameter_counts(module)
        self._met: set[int] = set()
        self._kinds = [_RUNS.get(opcode) for opcode in module.instructions.opcodes]
        self.instruction: list[int] = []
        self.region_of_point: list[int] = []
        self.regions: list[Region] = []
        self._stack: list[_Visit] = []

    def flatten(self, entry: int) -> None:
        self._enter(entry, -1, -1)
        sequences = [None if rows is None else rows.tolist() for rows in self._module.computations.sequence]
        opcodes = self._module.instructions.opcode.tolist()
        while self._stack:
            visit = self._stack[-1]
            sequence = sequences[visit.computation] or ()
            if visit.next == len(sequence):
                self._leave()
                continue
            row = sequence[visit.next]
            if self._kinds[opcodes[row]] is not None and self._enter_called(row, visit):
                continue
            visit.next += 1
            self.instruction.append(row)
            self.region_of_point.append(visit.region)

    def _enter_called(self, row: int, visit: _Visit) -> bool:
        """Enters the next computation that `row` runs and that was not met yet; False if there is none."""
        if visit.ahead is None:
            visit.ahead = iter(self._runs(row))
        for computation, role in visit.ahead:
            if computation not in self._met and self._module.computations.sequence[computation] is not None:
                chain = self.chains.operations.get(row)
                under = visit.asynchronous if chain is None else chain.start
                self._open(computation, role, visit.region, under)
                return True
        visit.ahead = None
        return False

    def _runs(self, row: int) -> list[tuple[int, str]]:
        """The computations that have their points before `row`, in that order, with their roles."""
        table = self._module.instructions
        kind = self._kinds[table.opcode[row]]
        assert kind is not None
        if kind == "async":
            return self._bound_at(row)
        called = table.called[table.called_start[row] : table.called_start[row + 1]].tolist()
        if kind != "while":
            return [(computation, kind) for computation in called]
        roles = [(computation, "condition" if at else "while") for at, computation in enumerate(called)]
        return roles[::-1]

    def _bound_at(self, row: int) -> list[tuple[int, str]]:
        """The computation of an asynchronous chain where `row` binds its last operand.

        The end of a chain runs it in any case: a damaged file may bind fewer operands than there are.
        """
        operation = self.chains.operations.get(row)
        if operation is None or operation.computation is None:
            return []
        is_bound = operation.bound >= self._parameters[operation.computation]
        if is_bound or row == self.chains.done(operation.start):
            return [(operation.computation, "async")]
        return []

    def _open(self, computation: int, kind: str, parent: int, asynchronous: int) -> None:
        start = len(self.instruction)
        name = self._module.computations.names[computation]
        self.regions.append(Region(name, kind, start, start, None if parent < 0 else parent))
        self._enter(computation, len(self.regions) - 1, asynchronous)

    def _enter(self, computation: int, region: int, asynchronous: int) -> None:
        self._met.add(computation)
        self.first[computation] = len(self.instruction)
        self.asynchronous[computation] = asynchronous
        self._stack.append(_Visit(computation, 0, region, asynchronous))

    def _leave(self) -> None:
        visit = self._stack.pop()
        self.end[visit.computation] = len(self.instruction)
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
        first=flattener.first,
        end=flattener.end,
        asynchronous=flattener.asynchronous,
        chains=flattener.chains,
    )
