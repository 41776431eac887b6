"""XProf's list of what is alive at the peak (`maxHeap`), and the same list by size.

Device memory lists its indefinite allocations first, each by its largest buffer; other spaces list none of
theirs. What is smaller than 16 KiB is one object at the end.
"""

from __future__ import annotations

from tensorboard_plugin_memviewer.model.space import HBM
from tensorboard_plugin_memviewer.xprof_answer.assignment import Assignment
from tensorboard_plugin_memviewer.xprof_answer.introsort import sorted_as_std_sort
from tensorboard_plugin_memviewer.xprof_answer.proto_json import Json, int32, mib, present

_SMALL_BYTES = 16 * 1024
_NO_BUFFER = -1


def max_heap_fields(assignment: Assignment, live_at_peak: list[int]) -> Json:
    """The fields maxHeap, maxHeapBySize and the two that map the one to the other."""
    allocation: list[int] = assignment.module.buffers.allocation.tolist()
    listed = [(buffer, assignment.group(allocation[buffer])) for buffer in live_at_peak]
    if assignment.space == HBM:
        listed = _indefinite(assignment) + listed
    sizes: list[int] = assignment.module.buffers.size.tolist()
    large = [(buffer, group) for buffer, group in listed if sizes[buffer] >= _SMALL_BYTES]
    bytes_listed = [sizes[buffer] for buffer, _ in large]
    objects = [_object(assignment, number, buffer, group) for number, (buffer, group) in enumerate(large)]
    small = sum(sizes[buffer] for buffer, _ in listed) - sum(bytes_listed)
    if small:
        objects.append(_small_object(len(objects), small))
        bytes_listed.append(small)
    order = sorted_as_std_sort([-size for size in bytes_listed])
    return {
        "maxHeap": objects,
        "maxHeapBySize": [objects[number] for number in order],
        "maxHeapToBySize": _inverse(order),
        "bySizeToMaxHeap": order,
    }


def _indefinite(assignment: Assignment) -> list[tuple[int, str]]:
    largest = [(row, assignment.largest(row)) for row in assignment.indefinite]
    return [(buffer, assignment.group(row)) for row, buffer in largest if buffer is not None]


def _object(assignment: Assignment, number: int, buffer: int, group: str) -> Json:
    name, shape, op_name = (
        assignment.instruction_name(buffer),
        assignment.shape_text(buffer),
        assignment.op_name(buffer),
    )
    columns = assignment.module.buffers
    return _numbered(
        number,
        {
            "label": f"{name}: {shape} # {op_name}",
            "logicalBufferId": int32(int(columns.ids[buffer])),
            "logicalBufferSizeMib": mib(int(columns.size[buffer])),
            "unpaddedShapeMib": mib(assignment.unpadded(buffer)),
            "instructionName": assignment.name_with_index(buffer),
            "shapeString": shape,
            "tfOpName": op_name,
            "groupName": group,
            "opCode": assignment.opcode(buffer),
            "sourceInfo": assignment.source(buffer),
        },
    )


def _small_object(number: int, size: int) -> Json:
    return _numbered(
        number,
        {
            "label": f"small (<{_SMALL_BYTES} bytes)",
            "logicalBufferId": _NO_BUFFER,
            "logicalBufferSizeMib": mib(size),
        },
    )


def _numbered(number: int, fields: Json) -> Json:
    """The number is one of a oneof, so it is there also when it is 0."""
    return {"numbered": number, **present(fields)}


def _inverse(order: list[int]) -> list[int]:
    result = [0] * len(order)
    for position, number in enumerate(order):
        result[number] = position
    return result
