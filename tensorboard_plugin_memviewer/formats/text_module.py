"""A buffer assignment's text → `Module`, as far as the text goes: what lies where, not when it is alive.

Every temporary buffer of such a module is untraced. `problems` says what the text lacks and which flag adds
it.
"""

from __future__ import annotations

import numpy as np

from tensorboard_plugin_memviewer.errors import Damaged, Problem
from tensorboard_plugin_memviewer.formats.dump_text import TextAllocation, TextValue, parse_allocations
from tensorboard_plugin_memviewer.formats.shape_text import parse_shape
from tensorboard_plugin_memviewer.formats.unpadded import unpadded_sizes
from tensorboard_plugin_memviewer.model.check import check_module
from tensorboard_plugin_memviewer.model.module import (
    NO_METADATA,
    Allocations,
    AllocationType,
    Flags,
    Instructions,
    LogicalBuffers,
    Module,
    ScopedMemory,
)
from tensorboard_plugin_memviewer.model.named_only import named_instructions, one_computation
from tensorboard_plugin_memviewer.model.shape import UNKNOWN_SHAPE, Shape

NO_LIFETIMES = Problem(
    "no_lifetimes",
    "This is XLA's text report: it says where each buffer lies, not when it is alive, who reads it or which"
    " line of the program made it. Every temporary buffer is counted as live throughout.",
    "Add --xla_dump_hlo_as_proto to XLA_FLAGS beside --xla_dump_to=DIR and run again: the *.hlo.pb has"
    " it all.",
)


def decode_text_module(text: str, name: str, platform: str | None = None) -> Module:
    """The module `name` whose buffer assignment is `text`; `module.problems` says what such a text lacks.

    Raises Damaged where `text` holds no buffer assignment or claims more memory than can be.
    """
    allocations = parse_allocations(text)
    if not allocations:
        raise Damaged(
            "there is no buffer assignment in it",
            "Open XLA's *after_optimizations-buffer-assignment.txt, or better its *.hlo.pb.",
        )
    tables = _Tables()
    buffers = tables.buffers(allocations)
    module = Module(
        name=name,
        entry=None,
        entry_name="",
        instruction_count=len(tables.names),
        platform=platform,
        computations=one_computation(len(tables.names)),
        instructions=tables.instructions(),
        shapes=tuple(tables.shapes),
        metadata=(NO_METADATA,),
        frames=(),
        scoped=ScopedMemory.of((), {}),
        buffers=buffers,
        allocations=_allocation_columns(allocations, tables.row_of_id),
        traces=(),
        has_schedule=False,
        problems=(NO_LIFETIMES, *tables.problems),
    )
    check_module(module)
    return module


class _Tables:
    """Rows that several values share: instructions by name, shapes by text."""

    def __init__(self) -> None:
        self.names: dict[str, int] = {}
        self.shapes: list[Shape] = [UNKNOWN_SHAPE]
        self.row_of_id: dict[int, int] = {}
        self.problems: list[Problem] = []
        self._shape_of_name: dict[str, int] = {}
        self._shape_rows: dict[str, int] = {}

    def buffers(self, allocations: list[TextAllocation]) -> LogicalBuffers:
        """One row a value. A value that stands in two allocations keeps its first place."""
        placed = [(row, value) for row, allocation in enumerate(allocations) for value in allocation.values]
        first: list[tuple[int, TextValue]] = []
        for row, value in placed:
            if self.row_of_id.setdefault(value.id, len(first)) == len(first):
                first.append((row, value))
        shape = [self._shape_row(value) for _, value in first]
        self._report_unread(shape)
        values = [value for _, value in first]
        size = np.array([value.size for value in values], np.int64)
        return LogicalBuffers(
            ids=np.array([value.id for value in values], np.int64),
            size=size,
            unpadded=unpadded_sizes(size, np.array(shape, np.int32), self.shapes),
            space=np.array([value.space for value in values], np.int64),
            instruction=np.array(
                [self._name_row(value, row) for value, row in zip(values, shape, strict=True)], np.int32
            ),
            shape=np.array(shape, np.int32),
            shape_index=tuple(value.shape_index for value in values),
            allocation=np.array([row for row, _ in first], np.int32),
            offset=np.array([value.offset for value in values], np.int64),
            hlo_buffer=np.arange(len(values), dtype=np.int32),
        )

    def instructions(self) -> Instructions:
        """One row a name. The text says nothing of an instruction but its name and, mostly, its shape."""
        return named_instructions(self.names, [self._shape_of_name.get(name, 0) for name in self.names])

    def _name_row(self, value: TextValue, shape: int) -> int:
        if not value.shape_index:
            self._shape_of_name.setdefault(value.name, shape)
        return self.names.setdefault(value.name, len(self.names))

    def _shape_row(self, value: TextValue) -> int:
        row = self._shape_rows.get(value.shape)
        if row is None:
            shape = parse_shape(value.shape)
            row = 0 if shape is None else len(self.shapes)
            if shape is not None:
                self.shapes.append(shape)
            self._shape_rows[value.shape] = row
        return row

    def _report_unread(self, shape: list[int]) -> None:
        if unread := shape.count(0):
            message = f"The shapes of {unread} buffers could not be read: their padding is not known."
            self.problems.append(
                Problem("shape_text", message, "Open the *after_optimizations.hlo.pb instead.")
            )


def _allocation_columns(allocations: list[TextAllocation], row_of_id: dict[int, int]) -> Allocations:
    values = [value for allocation in allocations for value in allocation.values]
    counts = [len(allocation.values) for allocation in allocations]
    kind = np.array([allocation.type for allocation in allocations], np.int8)

    def flag(name: str) -> Flags:
        return np.array([name in allocation.flags for allocation in allocations], np.bool_)

    return Allocations(
        index=np.array([allocation.index for allocation in allocations], np.int64),
        size=np.array([allocation.size for allocation in allocations], np.int64),
        space=np.array([allocation.space for allocation in allocations], np.int64),
        type=kind,
        live_out=flag("maybe-live-out"),
        is_parameter=kind == AllocationType.PARAMETER,
        is_constant=flag("constant"),
        is_thread_local=flag("thread-local"),
        is_tuple=np.zeros(len(allocations), np.bool_),
        parameter_number=tuple(allocation.parameter for allocation in allocations),
        parameter_shape_index=tuple(allocation.parameter_shape_index for allocation in allocations),
        assigned_start=np.concatenate(([0], np.cumsum(counts))).astype(np.int32),
        assigned=np.array([row_of_id[value.id] for value in values], np.int32),
        assigned_offset=np.array([value.offset for value in values], np.int64),
    )
