"""XProf's `bufferBlocks`: the rectangles of its allocation timeline, with their colors.

Each heap (an allocation with a trace) is a white block over the whole width, the heaps one above the other,
and in it a block for every buffer of the replayed trace. A buffer of `maxHeap` has the color of its number
there; another that of how many blocks large enough to be seen came before it.
"""

from __future__ import annotations

from tensorboard_plugin_memviewer.xprof_answer.assignment import Assignment
from tensorboard_plugin_memviewer.xprof_answer.palette import COLORS
from tensorboard_plugin_memviewer.xprof_answer.proto_json import Json, int32, present
from tensorboard_plugin_memviewer.xprof_answer.replay import Replay
from tensorboard_plugin_memviewer.xprof_answer.traces import Traces

_HEAP_COLOR = "#ffffff"
_NO_BUFFER = -1
# A block is large enough to be seen when height and width are at least this part of the picture's.
_VISIBLE_PART = 4096


def buffer_blocks(assignment: Assignment, traces: Traces, result: Replay, heap: Json) -> list[Json]:
    """The blocks, heap by heap in order of allocation index, buffers in the order of the assignment.

    `heap` holds the fields maxHeap and so on.
    """
    number = {item.get("logicalBufferId", 0): item["numbered"] for item in heap["maxHeap"]}
    total = sum(assignment.sizes[row] for row in traces.heaps)
    if total == 0:
        return []  # XProf draws no picture without height
    sizes = assignment.module.buffers.size
    blocks: list[Json] = []
    seen, base = 0, 0
    for row in traces.heaps:
        seen += assignment.sizes[row] * _VISIBLE_PART >= total
        blocks.append(_heap_block(assignment, row, base, traces.longest))
        for buffer, offset in assignment.assigned(row):
            if buffer not in result.spans:
                continue
            block = _block(assignment, buffer, base + offset, result.spans[buffer])
            color = COLORS[number.get(block.get("logicalBufferId", 0), seen) % len(COLORS)]
            blocks.append({**block, "category": assignment.group(row), "color": color})
            high, wide = int(sizes[buffer]), result.spans[buffer][1] - result.spans[buffer][0]
            seen += high * _VISIBLE_PART >= total and wide * _VISIBLE_PART >= traces.longest
        base += assignment.sizes[row]
    return blocks


def _heap_block(assignment: Assignment, row: int, base: int, end: int) -> Json:
    group = assignment.group(row)
    return present(
        {
            "logicalBufferId": _NO_BUFFER,
            "name": group,
            "offset": base,
            "size": assignment.sizes[row],
            "endStep": end,
            "category": group,
            "color": _HEAP_COLOR,
        }
    )


def _block(assignment: Assignment, buffer: int, offset: int, span: tuple[int, int]) -> Json:
    columns = assignment.module.buffers
    return present(
        {
            "logicalBufferId": int32(int(columns.ids[buffer])),
            "name": assignment.name_with_index(buffer),
            "offset": offset,
            "size": int(columns.size[buffer]),
            "startStep": span[0],
            "endStep": span[1],
            "tfOpName": assignment.op_name(buffer),
            "sourceInfo": assignment.source(buffer),
            "shapeString": assignment.shape_text(buffer),
            "unpaddedSize": assignment.unpadded(buffer),
        }
    )
