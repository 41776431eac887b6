"""Finds contradictions in a plan: the file was altered, truncated or misread, and its numbers may be wrong.

Checked is what holds without exception in 284 plans of XLA's compilers for TPU, NVIDIA and AMD GPUs and CPU.
A contradiction is a problem beside the numbers, most of which are still right. Knows nothing of lifetimes:
whether buffers overlap in time is not checked here.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tensorboard_plugin_memviewer.errors import Problem
from tensorboard_plugin_memviewer.model.module import EventKind, Flags, Module
from tensorboard_plugin_memviewer.model.space import VMEM
from tensorboard_plugin_memviewer.units import format_bytes

ADVICE = "The numbers may be wrong: the file was altered or its compiler is unknown. Capture or dump again."
# Allocations end where their content ends, to the byte. This much is left to alignments of compilers to come.
_ALIGNMENT = 4096


def contradictions(module: Module) -> tuple[Problem, ...]:
    """One problem for each kind of contradiction in a module's plan."""
    found = (
        *_of_buffers(module),
        *_of_allocations(module),
        *_of_parameters(module),
        *_of_flags(module),
        *_of_traces(module),
    )
    return tuple(Problem("contradiction", text, ADVICE) for text in found)


def counted(count: int, one: str, many: str) -> str:
    """`1 logical buffer lies`, `2 logical buffers lie`."""
    return f"1 {one}" if count == 1 else f"{count} {many}"


def _of_buffers(module: Module) -> Iterator[str]:
    buffers, allocations = module.buffers, module.allocations
    placed = buffers.allocation >= 0
    if (lost := ~placed & (buffers.size > 0)).any():
        many = counted(int(lost.sum()), "logical buffer is", "logical buffers are")
        size = format_bytes(int(buffers.size[lost].sum()))
        yield f"{many} in no allocation ({size}), so no total includes them"
    elsewhere = int((buffers.space[placed] != allocations.space[buffers.allocation[placed]]).sum())
    if elsewhere:
        many = counted(elsewhere, "logical buffer has", "logical buffers have")
        yield f"{many} another memory space than the allocation that holds them"


def _of_allocations(module: Module) -> Iterator[str]:
    buffers, allocations = module.buffers, module.allocations
    if (allocations.index != np.arange(len(allocations))).any():
        yield "the allocations are not numbered from 0 on: some may be missing"
    placed = buffers.allocation >= 0
    end = np.zeros(len(allocations), np.int64)
    np.maximum.at(end, buffers.allocation[placed], (buffers.offset + buffers.size)[placed])
    # VMEM keeps room for the compiler's own use in front of or behind its content.
    room = np.where((allocations.space == VMEM) & (end > 0), 0, allocations.size - end)
    if (wide := room >= _ALIGNMENT).any():
        many = counted(int(wide.sum()), "allocation is", "allocations are")
        yield f"{many} larger than the content ({format_bytes(int(room[wide].sum()))} in all)"


def _of_parameters(module: Module) -> Iterator[str]:
    """Arguments of the program belong in allocations of that kind, each in that of its number and index."""
    buffers, allocations, instructions = module.buffers, module.allocations, module.instructions
    if module.entry is None:
        return
    rows = np.nonzero(_defined_by(module, "parameter", module.entry) & (buffers.allocation >= 0))[0]
    holder = buffers.allocation[rows]
    outside = ~allocations.is_parameter[holder]
    if outside.any():
        many = counted(int(outside.sum()), "argument lies", "arguments lie")
        size = format_bytes(int(buffers.size[rows[outside]].sum()))
        yield f"{many} outside the allocations of arguments ({size})"
    other = 0
    for row, allocation in zip(rows[~outside].tolist(), holder[~outside].tolist(), strict=True):
        number = int(instructions.parameter_number[buffers.instruction[row]])
        place = allocations.parameter_number[allocation], allocations.parameter_shape_index[allocation]
        other += place != (number, buffers.shape_index[row])
    if other:
        yield f"{counted(other, 'argument lies', 'arguments lie')} in the allocation of another argument"


def _of_flags(module: Module) -> Iterator[str]:
    """Constants and the program's result belong in allocations of that kind."""
    buffers, allocations = module.buffers, module.allocations
    placed = buffers.allocation >= 0
    constant = _defined_by(module, "constant", None) & placed
    wrong = int((~allocations.is_constant[buffers.allocation[constant]]).sum())
    if wrong:
        yield f"{counted(wrong, 'constant lies', 'constants lie')} outside the allocations of constants"
    if module.entry is None or module.computations.root[module.entry] < 0:
        return
    result = (buffers.instruction == module.computations.root[module.entry]) & placed
    if (~allocations.live_out[buffers.allocation[result]]).any():
        yield "the program's result lies outside the allocations of outputs"


def _of_traces(module: Module) -> Iterator[str]:
    buffers = module.buffers
    never_freed = elsewhere = 0
    freed_in = np.full(len(buffers), -1)
    for number, trace in enumerate(module.traces):
        known = trace.buffer >= 0
        freed = known & (trace.kind == EventKind.FREE)
        freed_in[trace.buffer[freed]] = number
        held = trace.buffer[known & ~freed]
        never_freed += len(np.unique(held[freed_in[held] != number]))
        shares = np.nonzero(known & (trace.canonical >= 0))[0]
        own, other = trace.buffer[shares], trace.canonical[shares]
        differs = (buffers.offset[own] != buffers.offset[other]) | (
            buffers.allocation[own] != buffers.allocation[other]
        )
        elsewhere += int(differs.sum())
    if never_freed:
        many = counted(never_freed, "buffer is", "buffers are")
        yield f"{many} never freed in the compiler's heap trace: the trace may be truncated"
    if elsewhere:
        many = counted(elsewhere, "buffer shares", "buffers share")
        yield f"{many} an address with a buffer that lies elsewhere"


def _defined_by(module: Module, opcode: str, computation: int | None) -> Flags:
    """Which buffers an instruction of this opcode defines; where given, one of this computation."""
    instructions, rows = module.instructions, module.buffers.instruction
    none: Flags = np.zeros(len(rows), np.bool_)
    is_meant = instructions.has_opcode(opcode)
    if computation is not None:
        is_meant &= instructions.computation == computation
    return np.where(rows >= 0, is_meant[rows], none) if len(is_meant) else none
