"""A saved result of XProf's Memory Viewer → a `Module` with what the result names, and when its buffers live.

Such a module has no operands, computations, schedule or traces. Where the result has no addresses (XProf
before 2.24), its temporaries are laid one behind the other, and `problems` says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from tensorboard_plugin_memviewer.analysis.replay import Spans, SpanSource
from tensorboard_plugin_memviewer.analysis.saved.tables import SavedTables
from tensorboard_plugin_memviewer.errors import Problem
from tensorboard_plugin_memviewer.model.check import check_module
from tensorboard_plugin_memviewer.model.module import (
    Allocations,
    AllocationType,
    Module,
    Rows,
    ScopedMemory,
)
from tensorboard_plugin_memviewer.model.named_only import one_computation
from tensorboard_plugin_memviewer.model.saved import SavedAllocation, SavedBuffer, SavedResult
from tensorboard_plugin_memviewer.model.space import HBM, VMEM

_TYPES = {kind.label: kind for kind in AllocationType}
# XProf's own id for what is no one buffer.
_GATHERED_ID = -1
_TEMPORARY = AllocationType.TEMPORARY.label
_ADVICE = "Open the capture (*.xplane.pb) or the module that it came from."

XPROFS_NUMBERS = Problem(
    "saved_result",
    "This result was saved by XProf and has XProf's numbers: shared addresses are counted for each buffer,"
    " the points are heap events, and readers are missing.",
    _ADVICE,
)
_NO_ADDRESSES = Problem(
    "saved_result",
    "The version of XProf that saved this result saved no addresses, and only the buffers alive at the peak:"
    " they are shown one after another.",
    _ADVICE,
)


@dataclass(frozen=True, slots=True)
class SavedModule:
    """The module, the memory space of the result (by its shapes), and the row of each event's instruction."""

    module: Module
    space: int
    spans: Spans
    event_instruction: Rows


def saved_module(result: SavedResult) -> SavedModule:
    """The module of a result. Raises Damaged where its sizes are more than any device has."""
    details = {buffer.id: buffer for buffer in result.alive_at_peak if buffer.id is not None}
    allocations = [_with_details(found, details) for found in _allocations(result)]
    space = _space(allocations, result)
    tables = SavedTables()
    placed = _first_by_id(
        (row, buffer) for row, allocation in enumerate(allocations) for buffer in allocation.buffers
    )
    buffers = tables.buffers(placed, space)
    names = result.event_names or ("",) * (result.events or 0)
    event_instruction = np.array([tables.instruction_row(name) for name in names], np.int32)
    scoped = _scoped(result, tables)
    module = Module(
        name=result.module_name,
        entry=None,
        entry_name=result.entry_name,
        instruction_count=len(tables.names),
        platform=None,
        computations=one_computation(len(tables.names)),
        instructions=tables.instructions(),
        shapes=tuple(tables.shapes),
        metadata=tuple(tables.metadata),
        frames=tuple(tables.frames),
        scoped=scoped,
        buffers=buffers,
        allocations=_allocation_columns(allocations, placed, space),
        traces=(),
        has_schedule=False,
        problems=(XPROFS_NUMBERS,)
        if result.heaps is not None or not result.events
        else (XPROFS_NUMBERS, _NO_ADDRESSES),
    )
    check_module(module)
    return SavedModule(module, space, _spans(result, placed, module), event_instruction)


def _allocations(result: SavedResult) -> list[SavedAllocation]:
    heaps = _stacked(result) if result.heaps is None else list(result.heaps)
    return _lasting(result) + heaps


def _lasting(result: SavedResult) -> list[SavedAllocation]:
    """The indefinite allocations: as saved, else one for each listed buffer that is not Temporary."""
    if result.indefinite:
        return list(result.indefinite)
    listed = [buffer for buffer in result.alive_at_peak if buffer.group not in ("", _TEMPORARY)]
    return [SavedAllocation(None, buffer.size, buffer.group, False, (buffer,)) for buffer in listed]


def _stacked(result: SavedResult) -> list[SavedAllocation]:
    """One allocation with the temporaries alive at the peak, one behind the other, the small ones as one."""
    offset = 0
    buffers = []
    for buffer in (*_listed_temporaries(result), *_gathered(result)):
        buffers.append(replace(buffer, offset=offset))
        offset += buffer.size
    reserved = (result.allocated_bytes or 0) - (result.indefinite_bytes or 0)
    size = max(reserved, offset)
    return [SavedAllocation(None, size, _TEMPORARY, False, tuple(buffers))] if size else []


def _listed_temporaries(result: SavedResult) -> list[SavedBuffer]:
    return [buffer for buffer in result.alive_at_peak if buffer.group == _TEMPORARY]


def _gathered(result: SavedResult) -> list[SavedBuffer]:
    """What XProf gathers under one label, less the small indefinite allocations in it: they are counted."""
    lasting = _lasting(result)
    listed = sum(buffer.size for buffer in _listed_temporaries(result))
    room = max((result.peak_bytes or 0) - sum(found.size for found in lasting) - listed, 0)
    gathered = [buffer for buffer in result.alive_at_peak if buffer.id is None]
    return [
        replace(
            buffer, id=_GATHERED_ID, instruction=buffer.label, group=_TEMPORARY, size=min(buffer.size, room)
        )
        for buffer in gathered[:1]
        if room
    ]


def _with_details(allocation: SavedAllocation, details: dict[int, SavedBuffer]) -> SavedAllocation:
    """The buffers with what only the list at the peak says of them."""
    buffers = []
    for buffer in allocation.buffers:
        known = None if buffer.id is None else details.get(buffer.id)
        if known is not None:
            buffer = replace(  # noqa: PLW2901 - the same buffer, better known
                buffer,
                unpadded=known.unpadded if buffer.unpadded is None else buffer.unpadded,
                opcode=buffer.opcode or known.opcode,
                op_name=buffer.op_name or known.op_name,
                source=buffer.source or known.source,
            )
        buffers.append(buffer)
    return replace(allocation, buffers=tuple(buffers))


def _space(allocations: list[SavedAllocation], result: SavedResult) -> int:
    """The result does not say its memory space; the layouts of its buffers do, outside device memory."""
    shapes = (buffer.shape for allocation in allocations for buffer in allocation.buffers)
    layouts = (shape.layout for shape in shapes if shape is not None and shape.layout is not None)
    spaces = Counter(layout.memory_space for layout in layouts)
    if not spaces:
        return HBM if result.max_scoped_bytes is None else VMEM
    # Of spaces that are as frequent the one with the smallest number, HBM first.
    return min(spaces, key=lambda space: (-spaces[space], space))


def _first_by_id(found: Iterable[tuple[int, SavedBuffer]]) -> list[tuple[int, SavedBuffer]]:
    """Buffers with the row of their allocation, each id once."""
    seen: dict[int | None, tuple[int, SavedBuffer]] = {}
    for row, buffer in found:
        seen.setdefault(buffer.id, (row, buffer))
    return list(seen.values())


def _allocation_columns(
    allocations: list[SavedAllocation], placed: list[tuple[int, SavedBuffer]], space: int
) -> Allocations:
    kind = np.array([_TYPES.get(found.group, AllocationType.TEMPORARY) for found in allocations], np.int8)
    owner = np.array([row for row, _ in placed], np.int64)
    counts = np.bincount(owner, minlength=len(allocations)) if len(allocations) else np.zeros(0, np.int64)
    count = len(allocations)
    # An index that was not saved is the next after the saved ones.
    saved = [found.index for found in allocations if found.index is not None]
    unsaved = iter(range(max(saved, default=-1) + 1, max(saved, default=-1) + 1 + count))
    return Allocations(
        index=np.array([next(unsaved) if a.index is None else a.index for a in allocations], np.int64),
        size=np.array([found.size for found in allocations], np.int64),
        space=np.full(count, space, np.int64),
        type=kind,
        live_out=np.array([found.live_out for found in allocations], np.bool_),
        is_parameter=kind == AllocationType.PARAMETER,
        is_constant=kind == AllocationType.CONSTANT,
        is_thread_local=kind == AllocationType.THREAD_LOCAL,
        is_tuple=np.zeros(count, np.bool_),
        parameter_number=(None,) * count,
        parameter_shape_index=((),) * count,
        assigned_start=np.concatenate(([0], np.cumsum(counts))).astype(np.int32),
        assigned=np.argsort(owner, kind="stable").astype(np.int32),
        assigned_offset=np.array([buffer.offset or 0 for _, buffer in placed], np.int64),
    )


def _scoped(result: SavedResult, tables: SavedTables) -> ScopedMemory:
    """The largest scoped memory, where it was saved: of the others nothing is known."""
    size, name = result.max_scoped_bytes, result.max_scoped_instruction
    if size is None or name is None:
        return ScopedMemory.of((), {})
    return ScopedMemory.of([(tables.instruction_row(name), VMEM, 0, size)], {VMEM: (size, name)})


def _spans(result: SavedResult, placed: list[tuple[int, SavedBuffer]], module: Module) -> Spans:
    """The spans of temporaries; of one without, the event of the peak."""
    points = max(result.events or 0, 1)
    peak = result.peak_event or 0
    rows, starts, ends = [], [], []
    for at, (allocation, buffer) in enumerate(placed):
        if module.allocations.type[allocation] == AllocationType.TEMPORARY:
            start, end = buffer.span or result.spans.get(buffer.id or 0) or (peak, peak + 1)
            rows.append(at)
            starts.append(min(start, points - 1))
            ends.append(min(end, points))
    return Spans(
        buffer=np.array(rows, np.int32),
        start=np.array(starts, np.int64),
        end=np.array(ends, np.int64),
        source=np.full(len(rows), SpanSource.TRACED, np.int8),
    )
