"""Every invariant of a `Module`, in one place and run once where a module is made; readers trust them.

A violation is a bug of the reader that made the module, except where a damaged file can cause it: those are
typed.
"""

from __future__ import annotations

import numpy as np

from tensorboard_plugin_memviewer.errors import Damaged
from tensorboard_plugin_memviewer.model.module import EventKind, Ints, Module, Rows

# Sums of sizes stay exact in int64 far beyond any device: a file that claims more is damaged.
MAX_BYTES = 1 << 60
MOST_SPACES = 32

_ADVICE = "The file is altered: capture the profile or dump again."


def check_module(module: Module) -> None:
    """Raises Damaged where sizes make no sense, AssertionError where columns do not fit together."""
    _check_columns(module)
    _check_rows(module)
    _check_sizes(module)
    _check_spaces(module)


def _check_columns(module: Module) -> None:
    instructions, buffers, allocations = module.instructions, module.buffers, module.allocations
    for column in (instructions.names, instructions.opcode, instructions.shape, instructions.computation):
        assert len(column) == len(instructions)
    for sized in (buffers.size, buffers.unpadded, buffers.instruction, buffers.shape, buffers.allocation):
        assert len(sized) == len(buffers)
    assert len(buffers.hlo_buffer) == len(buffers)
    assert len(buffers.shape_index) == len(buffers.offset) == len(buffers)
    assert len(allocations.type) == len(allocations.parameter_number) == len(allocations)
    assert len(allocations.assigned_start) == len(allocations) + 1
    assert len(allocations.assigned) == len(allocations.assigned_offset)
    assert len(module.computations.first) == len(module.computations) + 1


def _check_rows(module: Module) -> None:
    instructions, buffers = module.instructions, module.buffers
    _within(instructions.opcode, 0, len(instructions.opcodes))
    _within(instructions.shape, 0, len(module.shapes))
    _within(instructions.metadata, 0, len(module.metadata))
    _within(instructions.operands, 0, len(instructions))
    _within(instructions.called, 0, len(module.computations))
    _within(buffers.instruction, -1, len(instructions))
    _within(buffers.shape, 0, len(module.shapes))
    _within(buffers.allocation, -1, len(module.allocations))
    _within(buffers.hlo_buffer, 0, len(buffers))
    _within(module.allocations.assigned, 0, len(buffers))
    _within(module.scoped.instruction, 0, len(instructions))
    if (written := module.written_ranges) is not None:
        assert len(written.start) == len(written.end) == len(buffers)
        _within(written.sequence, -1, len(instructions))
        _within(written.start, -1, len(written.sequence) + 1)
        _within(written.end, -1, len(written.sequence) + 1)
    for trace in module.traces:
        _within(trace.buffer, -1, len(buffers))
        _within(trace.canonical, -1, len(buffers))
        _within(trace.kind, EventKind.ALLOC, EventKind.SHARE_WITH + 1)


def _within(column: Rows | Ints | np.ndarray[tuple[int], np.dtype[np.int8]], low: int, high: int) -> None:
    assert not len(column) or (column.min() >= low and column.max() < high)


def _check_sizes(module: Module) -> None:
    buffers, allocations, scoped = module.buffers, module.allocations, module.scoped
    total = sum(allocations.size.tolist()) + sum(scoped.size.tolist())
    if total > MAX_BYTES:
        raise Damaged(f"its allocations claim {total} bytes, more than any device has", _ADVICE)
    claimed = sum(buffers.size.tolist())
    if claimed > MAX_BYTES:
        raise Damaged(f"its logical buffers claim {claimed} bytes, more than any device has", _ADVICE)


def _check_spaces(module: Module) -> None:
    """Each memory space is a column of the program's length; real chips have nine."""
    count = len(np.union1d(module.allocations.space, module.scoped.space))
    if count > MOST_SPACES:
        raise Damaged(f"it claims to use {count} memory spaces", _ADVICE)
