"""A buffer assignment's text, with the texts that XLA leaves beside it → `Module`, as its protobuf has it.

A text dump lacks the heap trace: when temporary buffers are live follows from the schedule and XLA's live
ranges. One problem names what is missing, and which file or flag brings it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tensorboard_plugin_memviewer.errors import Damaged, MemviewerError, Problem
from tensorboard_plugin_memviewer.formats.codegen_scoped import with_codegen_scoped
from tensorboard_plugin_memviewer.formats.dump_text import TextAllocation, TextValue, parse_allocations
from tensorboard_plugin_memviewer.formats.hlo_of_text import encode_module
from tensorboard_plugin_memviewer.formats.hlo_text import parse_module
from tensorboard_plugin_memviewer.formats.live_range_text import LiveRangeText, parse_live_ranges
from tensorboard_plugin_memviewer.formats.shape_text import parse_shape
from tensorboard_plugin_memviewer.formats.text_missing import what_is_missing
from tensorboard_plugin_memviewer.formats.text_program import NOTHING, Beside, decode_program
from tensorboard_plugin_memviewer.formats.unpadded import unpadded_sizes
from tensorboard_plugin_memviewer.model.check import check_module
from tensorboard_plugin_memviewer.model.contradictions import contradictions
from tensorboard_plugin_memviewer.model.module import (
    Allocations,
    AllocationType,
    Flags,
    LogicalBuffers,
    Module,
    Rows,
    WrittenRanges,
)
from tensorboard_plugin_memviewer.model.shape import UNKNOWN_SHAPE, Shape


def decode_text_module(text: str, name: str, platform: str | None = None, beside: Beside = NOTHING) -> Module:
    """The module `name` whose buffer assignment is `text`; `module.problems` names what the texts lack.

    Raises Damaged where `text` holds no buffer assignment or claims more memory than can be.
    """
    allocations = parse_allocations(text)
    if not allocations:
        raise Damaged(
            "there is no buffer assignment in it",
            "Open XLA's *after_optimizations-buffer-assignment.txt, or better its *.hlo.pb.",
        )
    live_ranges = parse_live_ranges(beside.live_ranges or text)
    beside = beside._replace(values=beside.values or text)
    tables = _Tables(allocations)
    program = decode_program(name, tables.shape_of_name, beside, live_ranges, platform)
    buffers = tables.buffers(program.module)
    module = replace(
        program.module,
        shapes=tuple(tables.shapes),
        buffers=buffers,
        allocations=_allocation_columns(allocations, tables.row_of_id),
        problems=(
            *what_is_missing(program, beside),
            *program.module.problems,
            *tables.problems,
        ),
        written_ranges=_written(live_ranges, program.module, buffers),
    )
    check_module(module)
    module = _with_codegen(module, beside.codegen)
    # Without the module's own text it is not known which instructions are the program's arguments.
    found = contradictions(module) if program.is_whole else ()
    return replace(module, problems=(*module.problems, *found))


def _with_codegen(module: Module, text: str) -> Module:
    """The module with the scoped memory of its text after code generation."""
    if not text:
        return module
    codegen = parse_module(text)
    try:
        return with_codegen_scoped(module, b"" if codegen is None else encode_module(codegen))
    except MemviewerError as error:
        return replace(module, problems=(*module.problems, error.as_problem()))


def _written(found: LiveRangeText | None, module: Module, buffers: LogicalBuffers) -> WrittenRanges | None:
    if found is None:
        return None
    row_of_name = {name: row for row, name in enumerate(module.instructions.names)}
    points = len(found.sequence)
    start, end = (np.full(len(buffers), -1, np.int64) for _ in range(2))
    names = module.instructions.names
    for row, (instruction, index) in enumerate(
        zip(buffers.instruction.tolist(), buffers.shape_index, strict=True)
    ):
        span = found.ranges.get((names[instruction], index)) if instruction >= 0 else None
        if span is not None and span[0] <= min(span[1], points - 1):
            # Inclusive in the text, where what lives to the end ends at the number of points.
            start[row], end[row] = span[0], min(span[1] + 1, points)
    sequence = np.array([row_of_name.get(name, -1) for name in found.sequence], np.int32)
    return WrittenRanges(sequence, start, end)


class _Tables:
    """Values in the order of their ids, and rows that several of them share: shapes by text."""

    def __init__(self, allocations: list[TextAllocation]) -> None:
        """A value that stands in two allocations keeps its first place."""
        first: dict[int, tuple[int, TextValue]] = {}
        for row, allocation in enumerate(allocations):
            for value in allocation.values:
                first.setdefault(value.id, (row, value))
        self._placed = [first[key] for key in sorted(first)]
        self.row_of_id = {value.id: row for row, (_, value) in enumerate(self._placed)}
        self.shape_of_name: dict[str, str] = {}
        for _, value in self._placed:
            if not value.shape_index or value.name not in self.shape_of_name:
                self.shape_of_name[value.name] = "" if value.shape_index else value.shape
        self.shapes: list[Shape] = []
        self.problems: list[Problem] = []
        self._shape_rows: dict[str, int | None] = {}

    def buffers(self, program: Module) -> LogicalBuffers:
        """One row a value, of the instructions of `program`."""
        self.shapes = [*program.shapes, UNKNOWN_SHAPE]
        row_of_name = {name: row for row, name in enumerate(program.instructions.names)}
        values = [value for _, value in self._placed]
        shape = self._shape_column(values)
        size = np.array([value.size for value in values], np.int64)
        return LogicalBuffers(
            ids=np.array([value.id for value in values], np.int64),
            size=size,
            unpadded=unpadded_sizes(size, shape, self.shapes),
            space=np.array([value.space for value in values], np.int64),
            instruction=np.array([row_of_name.get(value.name, -1) for value in values], np.int32),
            shape=shape,
            shape_index=tuple(value.shape_index for value in values),
            allocation=np.array([row for row, _ in self._placed], np.int32),
            offset=np.array([value.offset for value in values], np.int64),
            hlo_buffer=np.arange(len(values), dtype=np.int32),
        )

    def _shape_column(self, values: list[TextValue]) -> Rows:
        unknown = len(self.shapes) - 1
        rows = [self._shape_row(value.shape) for value in values]
        if unread := rows.count(None):
            message = f"The shapes of {unread} buffers could not be read: their padding is not known."
            self.problems.append(
                Problem("shape_text", message, "Open the *after_optimizations.hlo.pb instead.")
            )
        return np.array([unknown if row is None else row for row in rows], np.int32)

    def _shape_row(self, text: str) -> int | None:
        if text not in self._shape_rows:
            shape = parse_shape(text)
            self._shape_rows[text] = None if shape is None else len(self.shapes)
            if shape is not None:
                self.shapes.append(shape)
        return self._shape_rows[text]


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
