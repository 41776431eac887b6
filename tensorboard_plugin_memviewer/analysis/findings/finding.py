"""The record of a finding, and the facts that findings are derived from. Knows no kind of finding."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tensorboard_plugin_memviewer.analysis.capacity import Capacity
from tensorboard_plugin_memviewer.analysis.covered import covered_bytes
from tensorboard_plugin_memviewer.analysis.findings.graph import Graph, Value
from tensorboard_plugin_memviewer.analysis.lifetimes.readers import Readers
from tensorboard_plugin_memviewer.analysis.live_set import largest_live_rows, metadata_of
from tensorboard_plugin_memviewer.analysis.sources import source_of
from tensorboard_plugin_memviewer.analysis.usage import Plan, SpaceUsage
from tensorboard_plugin_memviewer.model.module import AllocationType, Ints, Rows
from tensorboard_plugin_memviewer.model.shape import Shape
from tensorboard_plugin_memviewer.visible import elided

# Evidence beyond the largest is counted, not listed.
MOST_ROWS = 500
MOST_POINTS = 100
# Names and shapes of what the compiler combines have thousands of characters; cards show them whole.
_LONGEST = 120


_NAME = re.compile(r"\w+")
# A range wider than this share of its middle is not stated as a range.
_WIDEST_RANGE = 0.3


@dataclass(frozen=True, slots=True)
class Effect:
    """The bytes by which the required memory falls if the advice is followed: from `low` to `high`."""

    low: int
    high: int

    @property
    def kind(self) -> Literal["exact", "range", "unknown"]:
        """Whether the bounds are equal, close together, or too far apart to rely on ("unknown")."""
        if self.low == self.high:
            return "exact"
        narrow = 2 * (self.high - self.low) <= _WIDEST_RANGE * (self.high + self.low)
        return "range" if narrow else "unknown"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that stands out in the plan.

    `bytes` are the bytes involved, never 0. `rows` are rows of SpaceUsage.buffers, largest first, and
    `points` program points: where to look. `advice` is one thing to try, `cure` the kind of change that it
    is, "none" where it is no particular one. `effect` is None where nothing is claimed.
    """

    kind: str
    title: str
    bytes: int
    detail: str
    advice: str
    rows: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    cure: str = "none"
    effect: Effect | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """One memory space of a module as findings see it.

    `live` holds the rows of the live set at the peak, largest first.
    """

    plan: Plan
    usage: SpaceUsage
    readers: Readers
    capacity: Capacity
    live: Ints
    graph: Graph

    def size(self, row: int) -> int:
        """Bytes of a row of the buffers."""
        return int(self.usage.buffers.size[row])

    def sizes(self, rows: list[int]) -> int:
        """Σ bytes of rows, addresses shared or not."""
        return int(self.usage.buffers.size[rows].sum()) if rows else 0

    def buffer(self, row: int) -> int | None:
        """The row of LogicalBuffers, None for an allocation that holds none."""
        buffer = int(self.usage.buffers.buffer[row])
        return buffer if buffer >= 0 else None

    def type(self, row: int) -> AllocationType:
        """What the row's allocation is for."""
        return AllocationType(int(self.plan.module.allocations.type[self.usage.buffers.allocation[row]]))

    def sharers(self, row: int) -> Rows:
        """The rows of LogicalBuffers that lie in a row's allocation."""
        allocations, at = self.plan.module.allocations, int(self.usage.buffers.allocation[row])
        held: Rows = allocations.assigned[allocations.assigned_start[at] : allocations.assigned_start[at + 1]]
        return held

    def place(self, row: int) -> tuple[int, int, int]:
        """Where a row lies: allocation, offset and size in bytes."""
        table = self.usage.buffers
        return int(table.allocation[row]), int(table.offset[row]), int(table.size[row])

    def shape(self, row: int) -> Shape | None:
        """The shape of a row's buffer."""
        buffer = self.buffer(row)
        return None if buffer is None else self.plan.module.shapes[self.plan.module.buffers.shape[buffer]]

    def type_name(self, row: int) -> str:
        """The type of a row's elements, such as "f32"; "" where it has no shape."""
        shape = self.shape(row)
        return "" if shape is None else shape.type_name

    def instruction(self, row: int) -> int | None:
        """The row of Instructions that defines a row's buffer."""
        buffer = self.buffer(row)
        instruction = -1 if buffer is None else int(self.plan.module.buffers.instruction[buffer])
        return instruction if instruction >= 0 else None

    def value(self, row: int) -> Value | None:
        """The value that a row's buffer is defined to hold."""
        buffer, instruction = self.buffer(row), self.instruction(row)
        if buffer is None or instruction is None:
            return None
        return Value(instruction, self.plan.module.buffers.shape_index[buffer])

    def carried(self, row: int) -> Value | None:
        """What a row holds; of what a loop carries, seen inside it, the loop's result."""
        value = self.value(row)
        if value is None or self.graph.opcode(value.row) != "parameter":
            return value
        caller = self.graph.callers.get(int(self.plan.module.instructions.computation[value.row]))
        if caller is None or self.graph.opcode(caller) != "while":
            return value
        return Value(caller, value.at)

    def loop(self, row: int) -> str:
        """The words after the name of a value that a loop carries, seen inside it: ", carried by while.4"."""
        value = self.carried(row)
        if value is None or value == self.value(row):
            return ""
        return f", carried by {elided(self.plan.module.instructions.names[value.row], _LONGEST)}"

    def name(self, row: int) -> str:
        """What a sentence calls a row: its instruction."""
        instruction = self.instruction(row)
        if instruction is None:
            return "an allocation"
        return elided(self.plan.module.instructions.names[instruction], _LONGEST)

    def operation(self, row: int) -> str:
        """What a sentence calls what makes a row: the framework's operation, else the instruction."""
        return elided(self.op_name(row), _LONGEST) or self.name(row)

    def shape_words(self, row: int) -> str:
        """A row's type and dimensions in a sentence, "" where it has no shape."""
        shape = self.shape(row)
        return "" if shape is None else elided(shape.text(layout=False), _LONGEST)

    def as_large(self, rows: list[int]) -> str:
        """The words after the first of `rows`, largest first, if others are exactly as large."""
        equal = sum(self.size(row) == self.size(rows[0]) for row in rows)
        return f" (one of {equal} as large)" if equal > 1 else ""

    def op_name(self, row: int) -> str:
        """The framework's name of the operation that makes a row's buffer, "" where it gave none."""
        return metadata_of(self.plan, self.usage, row).op_name

    def source(self, row: int) -> str:
        """The line of code that makes a row's buffer, "" where the file has none."""
        source = source_of(self.plan.module, metadata_of(self.plan, self.usage, row))
        return "" if source is None else source.text()

    def opcode(self, row: int) -> str:
        """The opcode of the instruction that defines a row's buffer, "" where there is none."""
        instruction, table = self.instruction(row), self.plan.module.instructions
        return "" if instruction is None else table.opcodes[table.opcode[instruction]]

    def covered(self, rows: list[int]) -> int:
        """Bytes that rows take which are alive together: the union of their addresses."""
        return covered_bytes(self.plan.module, self.usage.buffers, np.array(rows, np.int64))


def gather(plan: Plan, usage: SpaceUsage, readers: Readers, capacity: Capacity) -> Facts:
    """The facts of one memory space."""
    live = largest_live_rows(usage, usage.headline.peak_point)
    return Facts(plan, usage, readers, capacity, live, Graph(plan.module))


def function_argument(name: str) -> str:
    """The argument of the function that a path such as `params['w']` leads into."""
    found = _NAME.match(name)
    return found[0] if found else name
