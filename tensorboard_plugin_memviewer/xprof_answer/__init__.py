"""The answer of XProf 2.24.2's Memory Viewer for a module and a memory space, field for field.

Scripts written for XProf keep working, and users can compare. The numbers here are XProf's: a number that
docs/numbers.md calls wrong is wrong here too, on purpose. The rules were found by
giving XProf modules and reading its answers; tests compare with recorded answers and with the XProf that is
installed. Nothing else in the package may take a number from here.

`allocationTimeline`, a picture that XProf draws as SVG when asked to, is not part of it.
"""

from __future__ import annotations

from tensorboard_plugin_memviewer.model.module import Module
from tensorboard_plugin_memviewer.model.space import VMEM
from tensorboard_plugin_memviewer.xprof_answer.assignment import Assignment
from tensorboard_plugin_memviewer.xprof_answer.blocks import buffer_blocks
from tensorboard_plugin_memviewer.xprof_answer.heap_objects import max_heap_fields
from tensorboard_plugin_memviewer.xprof_answer.proto_json import Json, int32, mib, present
from tensorboard_plugin_memviewer.xprof_answer.replay import Replay, replay, without_trace
from tensorboard_plugin_memviewer.xprof_answer.traces import Traces

__all__ = ["xprof_answer"]


def xprof_answer(module: Module, space: int) -> Json:
    """XProf's PreprocessResult for memory space `space`, as the JSON form of proto3: defaults are absent,
    64-bit integers are strings, sizes in MiB are numbers of full precision. `logicalBufferSpans` is a map
    without order.

    Raises Unsupported where XProf refuses the module's heap traces instead of answering.
    """
    assignment = Assignment(module, space)
    traces = Traces(assignment)
    chosen = traces.chosen
    start = _always_live(assignment)
    result = without_trace(start) if chosen is None else replay(assignment, chosen, start)
    heap = max_heap_fields(assignment, result.live_at_peak)
    return present(
        {
            "heapSizes": [mib(size) for size in result.heap],
            "unpaddedHeapSizes": [mib(size) for size in result.unpadded],
            **heap,
            "logicalBufferSpans": _spans(assignment, result),
            "moduleName": module.name,
            "entryComputationName": module.entry_name,
            "peakHeapMib": mib(result.peak_bytes),
            "peakUnpaddedHeapMib": mib(result.peak_unpadded),
            "peakHeapSizePosition": result.peak_position,
            **_allocation_totals(assignment),
            "indefiniteLifetimes": [_lifetime(assignment, row) for row in assignment.indefinite],
            "hloInstructionNames": [] if chosen is None else [*assignment.event_names(chosen), ""],
            **(_scoped(module) if space == VMEM else {}),
            "bufferBlocks": buffer_blocks(assignment, traces, result, heap),
        }
    )


def _always_live(assignment: Assignment) -> int:
    """Bytes of the indefinite allocations before the first event. One without a buffer is not counted."""
    rows = [row for row in assignment.indefinite if assignment.largest(row) is not None]
    return sum(assignment.sizes[row] for row in rows)


def _spans(assignment: Assignment, result: Replay) -> Json:
    ids = assignment.module.buffers.ids
    return {
        str(int32(int(ids[row]))): present({"start": start, "limit": limit})
        for row, (start, limit) in result.spans.items()
    }


def _allocation_totals(assignment: Assignment) -> Json:
    """Sums over the allocations of the space. Thread-local memory is in nonReusableMib alone."""
    allocations, sizes = assignment.module.allocations, assignment.sizes

    def total(rows: list[int]) -> float:
        return mib(sum(sizes[row] for row in rows))

    rows = assignment.rows
    return {
        "entryComputationParametersMib": total([row for row in rows if allocations.is_parameter[row]]),
        "nonReusableMib": total([row for row in rows if not assignment.is_reusable(row)]),
        "maybeLiveOutMib": total([row for row in rows if allocations.live_out[row]]),
        "totalBufferAllocationMib": total([row for row in rows if not allocations.is_thread_local[row]]),
        "indefiniteBufferAllocationMib": total(
            [row for row in assignment.indefinite if not allocations.is_thread_local[row]]
        ),
    }


def _lifetime(assignment: Assignment, row: int) -> Json:
    """An allocation that lives from begin to end, with every buffer in it."""
    buffers = [buffer for buffer, _ in assignment.assigned(row)]
    shapes = {assignment.shape_text(buffer) for buffer in buffers}
    return present(
        {
            "id": _int64(int(assignment.module.allocations.index[row])),
            "sizeMib": mib(assignment.sizes[row]),
            "attributes": assignment.attributes(row),
            "logicalBuffers": [_logical_buffer(assignment, buffer) for buffer in buffers],
            "commonShape": shapes.pop() if len(shapes) == 1 else "",
        }
    )


def _logical_buffer(assignment: Assignment, buffer: int) -> Json:
    columns = assignment.module.buffers
    return present(
        {
            "id": _int64(int(columns.ids[buffer])),
            "shape": assignment.shape_text(buffer),
            "sizeMib": mib(int(columns.size[buffer])),
            "hloName": assignment.instruction_name(buffer),
            "shapeIndex": [str(step) for step in columns.shape_index[buffer]],
        }
    )


def _int64(value: int) -> str:
    """64-bit integers are strings in proto3's JSON; the default is absent."""
    return str(value) if value else ""


def _scoped(module: Module) -> Json:
    """The largest single configuration of scoped VMEM, and the first instruction that has it."""
    largest = module.scoped.largest.get(VMEM)
    if largest is None:
        return {}
    size, name = largest
    return {"maxScopedVmemAllocationMib": mib(size), "maxScopedVmemInstructionName": name}
