"""The records of the `usage` answer: everything about one memory space, as columns. The page computes every
point, group and card from it without asking again.

Columns refer to rows of the answer's own tables, numbered from 0. Where a table has an entry 0 for "none",
its description states that. `usage_payload.py` and `module_payload.py` write them.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from tensorboard_plugin_memviewer.analysis.lifetimes.readers import HandoverKind
from tensorboard_plugin_memviewer.wire.columns import Column
from tensorboard_plugin_memviewer.wire.headline import Headline
from tensorboard_plugin_memviewer.wire.names import Axis, Direction, Platform, SpaceNames
from tensorboard_plugin_memviewer.wire.problems import Problem

LoopKind = Literal["call", "while", "condition", "conditional", "async"]


class Strings(TypedDict):
    """The texts that columns refer to."""

    names: list[str]
    opcodes: list[str]
    op_names: list[str]
    """The framework's names of operations; row 0 is "": none."""
    scopes: list[str]
    """The user's scopes, `train_step/while/attn`; row 0 is "": none."""
    files: list[str]
    functions: list[str]
    dtypes: list[str]
    computations: list[str]
    shapes: list[str]


class Instructions(TypedDict):
    """Instructions that points or buffers refer to."""

    name: Column
    """Rows of strings.names."""
    opcode: Column
    """Rows of strings.opcodes."""
    op_name: Column
    """Rows of strings.op_names."""
    source: Column
    """Rows of sources, 0 for none."""
    frame: Column
    """Rows of frames, 0 for none."""
    computation: Column
    """Rows of strings.computations."""


class Order(TypedDict):
    """By program point."""

    instruction: Column
    """Rows of instructions; null where none is known, on axis "events"."""
    phase: Column
    """Rows of phases."""
    loop: Column
    """Rows of loops, 0 for none."""


class Phase(TypedDict):
    """A part of the user's program."""

    label: str
    scope: str
    direction: Direction
    remat: bool
    """Whether it computes values again."""


class Loop(TypedDict):
    """A called computation's stretch of program points `[start, end)`."""

    name: str
    kind: LoopKind
    """ "while" is the body of a loop."""
    start: int
    end: int
    parent: int
    """A row of loops, 0 for none."""


class Source(TypedDict):
    """A line of code."""

    file: int
    """A row of strings.files."""
    line: int | None
    framework: bool
    """Whether it is a library's, because no line of the user's own is known."""


class Frame(TypedDict):
    """A frame of a Python stack."""

    file: int
    """A row of strings.files."""
    line: int
    column: int
    function: int
    """A row of strings.functions."""
    parent: int
    """The row of its caller in frames, 0 for none."""


class Shapes(TypedDict):
    """Parallel to strings.shapes. The explanation is for buffers whose size is `stored_bytes`."""

    dtype: Column
    """Rows of strings.dtypes."""
    elements: Column
    unpadded_bytes: Column
    stored_bytes: list[int | None]
    stored: list[str | None]
    """The stored dimensions, `784 × 128`."""
    factor: list[float | None]
    """Stored bytes over unpadded bytes."""
    worst: list[str | None]
    """What costs most; null where nothing is padded."""


class Allocations(TypedDict):
    """The allocations of the memory space."""

    index: Column
    """The compiler's index."""
    bytes: Column
    type: Column
    """Rows of types."""
    aliased: Column
    """1 where an output reuses the memory of an argument."""
    live_out: Column
    parameter: list[int | None]
    """The parameter of the program that it holds."""


class ShapeIndexes(TypedDict):
    """Which element of its instruction's tuple a buffer is: `{1}`, "" where it is no tuple."""

    strings: list[str]
    index: Column
    """Rows of strings."""


class HandoverKinds(TypedDict):
    """How memory goes on."""

    strings: list[HandoverKind]
    index: Column
    """Rows of strings."""


class Handovers(TypedDict):
    """Buffers whose memory goes on as another's: into a loop, round it and out of it, through branches."""

    source: Column
    """Rows of buffers."""
    target: Column
    """Rows of buffers."""
    instruction: Column
    """Rows of instructions: the loop, conditional or call."""
    kind: HandoverKinds


class Buffers(TypedDict):
    """One row per span, in program order: a buffer that is allocated again has several rows with one id.

    `id`, `instruction` and `shape` are null for an allocation that holds no buffer.
    """

    id: Column
    instruction: Column
    """Rows of instructions: the one that defines it."""
    shape_index: ShapeIndexes
    shape: Column
    """Rows of strings.shapes."""
    bytes: Column
    """As stored, padding included."""
    unpadded_bytes: Column
    allocation: Column
    """Rows of allocations."""
    offset: Column
    """The first byte within the allocation."""
    start: Column
    end: Column
    """Alive at the program points `[start, end)`."""
    known_by: Column
    """Where start and end come from: 0 the heap trace, or an allocation that is held for the whole run; 1 the
    readers in the schedule; 2 nothing, so that the buffer counts at every point.
    """
    represents: Column
    """1 for the rows that make up the live set."""
    readers_offset: Column
    """The points that read row i are readers[readers_offset[i] : readers_offset[i + 1]]."""
    readers: Column
    handovers: Handovers


class SharedBytes(TypedDict):
    """What of the sizes does not count, so that those of the live set add up to usage without scoped memory.

    Live buffers may share addresses. Each counts once: for the row that began first, among equals the lower.
    """

    row: Column
    """Rows of buffers. Several stretches of a row at one point add up."""
    start: Column
    end: Column
    """At the program points `[start, end)` …"""
    bytes: Column
    """… so many bytes of the row do not count for it."""


class GroupingEntry(TypedDict):
    """A way to group buffers: names as a prefix tree with the root as node 0, paths, and a path per row."""

    by: str
    word: str
    labels: list[str]
    parent: Column
    """By node the one above it, which has a smaller number."""
    label: Column
    """By node a row of labels."""
    path_scope: Column
    """By path the scope that it begins with: rows of strings.scopes."""
    path_node: Column
    """By path the node below that scope."""
    path: Column
    """By row of buffers its path."""


class UsageAnswer(SpaceNames):
    """Everything about one memory space of a module."""

    platform: Platform | None
    device: str | None
    """As the devices of the capture name their type."""
    problems: list[Problem]
    headline: Headline
    axis: Axis
    points: int
    """The number of program points."""
    usage: Column
    """Bytes in use by program point, scoped memory included."""
    unpadded: Column
    """The same without padding."""
    scoped: Column
    """Scoped memory of the instruction by program point, in bytes."""
    peaks: list[int]
    """The first points of the local peaks, highest first, at most 64."""
    strings: Strings
    instructions: Instructions
    op_scope: Column
    """Parallel to strings.op_names: rows of strings.scopes."""
    order: Order
    phases: list[Phase]
    loops: list[Loop | None]
    """Row 0 is null: none."""
    sources: list[Source | None]
    """The innermost lines of the user's own code. Row 0 is null: none."""
    frames: list[Frame | None]
    """Row 0 is null: none."""
    shapes: Shapes
    types: list[str]
    """The types of allocations, in the order of their numbers."""
    groupings: list[GroupingEntry]
    """The default one first."""
    allocations: Allocations
    buffers: Buffers
    shared: SharedBytes | None
    """null where it is not known whose the bytes of every point are."""
