"""Bytes of a saved Memory Viewer result → `SavedResult`.

XProf's route and its command line answer with JSON, in proto3's names or in the schema's; some save the
message itself. Either may be compressed. Sizes in MiB are doubles there: the bytes are the nearest integer,
which is exact for what XProf writes. Knows nothing of files; the caller adds the file's name to an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from google.protobuf.message import DecodeError

from tensorboard_plugin_memviewer.errors import Damaged, Unsupported
from tensorboard_plugin_memviewer.formats.packed_data import unpacked
from tensorboard_plugin_memviewer.formats.saved_fields import ADVICE, Fields, json_fields, message_fields
from tensorboard_plugin_memviewer.formats.shape_text import parse_shape
from tensorboard_plugin_memviewer.model.module import AllocationType, Ints
from tensorboard_plugin_memviewer.model.saved import SavedAllocation, SavedBuffer, SavedResult, SavedSource
from tensorboard_plugin_memviewer.model.shape import Shape
from tensorboard_plugin_memviewer.protos import memviewer_saved_pb2 as pb

# The largest real result is 40 MB; what expands beyond this is a bomb.
_MOST_UNPACKED = 1 << 30
_MIB = 1 << 20
_MOST_BYTES = 1 << 60
_NO_BUFFER = -1
# A result of any kind has at least one of these.
_TELLING = ("module_name", "heap_sizes", "max_heap", "peak_heap_mib", "indefinite_lifetimes")

# XProf's own samples hold a program with its plan under the name of a saved result.
_HLO_PROTO_KEYS = {"hloModule", "hlo_module", "bufferAssignment", "buffer_assignment"}

_NAME_WITH_INDEX = re.compile(r"(.*)\{(\d{1,9}(?:,\d{1,9})*)\}", re.DOTALL)
_FRAME = re.compile(r"(.*):(\d{1,9}):(\d{1,9})")


def decode_saved(data: bytes) -> SavedResult:
    """The result in `data`, which is JSON, compressed JSON or a serialized PreprocessResult.

    Raises Damaged where it is none of these, or holds what cannot be; Unsupported for an HloProto as JSON.
    """
    data = unpacked(data, _MOST_UNPACKED)
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{":
        found = _json(data)
        if isinstance(found, dict) and not _HLO_PROTO_KEYS.isdisjoint(found):
            raise Unsupported(
                "it is an HloProto written as JSON, which is not read",
                "Open the HloProto itself (*.hlo_proto.pb), or the capture (*.xplane.pb) that it came from.",
            )
        fields = json_fields(found)
    else:
        fields = message_fields(_message(data))
    if not any(fields.has(name) for name in _TELLING):
        raise Damaged("there is no result of the Memory Viewer in it", ADVICE)
    return _result(fields)


def _json(data: bytes) -> object:
    try:
        return json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise Damaged(f"its JSON cannot be read ({error})", ADVICE) from error


def _message(data: bytes) -> pb.Result:
    try:
        return pb.Result.FromString(data)
    except (DecodeError, RecursionError) as error:
        raise Damaged("it is neither JSON nor a message of the Memory Viewer", ADVICE) from error


def _result(fields: Fields) -> SavedResult:
    heap, unpadded = _curve(fields, "heap_sizes"), _curve(fields, "unpadded_heap_sizes")
    if heap is not None and unpadded is not None and len(heap) != len(unpadded):
        raise Damaged("its heap sizes and unpadded heap sizes differ in number", ADVICE)
    names = tuple(_texts(fields, "hlo_instruction_names")) or None
    spans = {
        key: _span(span.integer("start"), span.integer("limit"), heap)
        for key, span in fields.by_integer("logical_buffer_spans")
    }
    return SavedResult(
        module_name=fields.text("module_name"),
        entry_name=fields.text("entry_computation_name"),
        heap=heap,
        unpadded_heap=unpadded,
        event_names=None if names is None or heap is None else _for_events(names, len(heap) - 1),
        alive_at_peak=tuple(_heap_object(found, spans) for found in fields.messages("max_heap")),
        spans=spans,
        indefinite=tuple(_lifetime(found) for found in fields.messages("indefinite_lifetimes")),
        heaps=_heaps(fields, heap) if fields.has("buffer_blocks") else None,
        peak_bytes=_mib(fields, "peak_heap_mib"),
        peak_unpadded_bytes=_mib(fields, "peak_unpadded_heap_mib"),
        peak_event=_peak_event(fields, heap),
        argument_bytes=_mib(fields, "entry_computation_parameters_mib"),
        allocated_bytes=_mib(fields, "total_buffer_allocation_mib"),
        indefinite_bytes=_mib(fields, "indefinite_buffer_allocation_mib"),
        max_scoped_bytes=_mib(fields, "max_scoped_vmem_allocation_mib"),
        max_scoped_instruction=fields.text("max_scoped_vmem_instruction_name") or None,
    )


def _curve(fields: Fields, name: str) -> Ints | None:
    values = fields.values(name)
    if not values:
        return None
    try:
        mib = np.array(values)
    except ValueError as error:
        raise Damaged(f"its field {name!r} holds other things than numbers", ADVICE) from error
    if mib.ndim != 1 or mib.dtype.kind not in "iuf" or not ((mib >= 0) & (mib <= _MOST_BYTES / _MIB)).all():
        raise Damaged(f"its field {name!r} holds other things than sizes", ADVICE)
    sizes: Ints = np.rint(mib.astype(np.float64) * _MIB).astype(np.int64)
    sizes.setflags(write=False)
    return sizes


def _texts(fields: Fields, name: str) -> list[str]:
    values = fields.values(name)
    if not all(isinstance(value, str) for value in values):
        raise Damaged(f"its field {name!r} holds other things than text", ADVICE)
    return values


def _for_events(names: tuple[str, ...], events: int) -> tuple[str, ...]:
    """XProf writes a name more than there are events, an empty one."""
    return (*names, *[""] * (events - len(names)))[:events]


def _peak_event(fields: Fields, heap: Ints | None) -> int | None:
    """Absent where it is the first event, and where there are none."""
    if heap is None or len(heap) < 2:
        return None
    position = fields.integer("peak_heap_size_position")
    if not 0 <= position < len(heap) - 1:
        raise Damaged(f"its peak is at event {position} of {len(heap) - 1}", ADVICE)
    return position


def _mib(fields: Fields, name: str) -> int | None:
    return _bytes(fields.number(name) * _MIB) if fields.has(name) else None


def _bytes(size: float) -> int:
    if not 0 <= size <= _MOST_BYTES:
        raise Damaged(f"it claims a size of {size} bytes", ADVICE)
    return round(size)


def _span(start: int, limit: int, heap: Ints | None) -> tuple[int, int]:
    """`limit` is the event of the FREE, or the last one where there is none: the heap falls there or not."""
    if not 0 <= start <= limit < 1 << 31:
        raise Damaged(f"a buffer lives from event {start} to event {limit}", ADVICE)
    freed = heap is not None and limit < len(heap) - 1 and heap[limit + 1] < heap[limit]
    return start, limit if freed and limit > start else limit + 1


def _heap_object(fields: Fields, spans: dict[int, tuple[int, int]]) -> SavedBuffer:
    key = fields.integer("logical_buffer_id")
    named = fields.text("instruction_name")
    instruction, index = _split_name(named)
    return SavedBuffer(
        id=None if key == _NO_BUFFER and not named else key,
        label=fields.text("label"),
        instruction=instruction,
        shape_index=index,
        size=_mib(fields, "logical_buffer_size_mib") or 0,
        unpadded=_mib(fields, "unpadded_shape_mib"),
        shape_text=fields.text("shape_string"),
        shape=_shape(fields.text("shape_string")),
        opcode=fields.text("op_code"),
        op_name=fields.text("tf_op_name"),
        group=fields.text("group_name"),
        source=_source(fields),
        span=spans.get(key),
        offset=None,
    )


def _heaps(fields: Fields, heap: Ints | None) -> tuple[SavedAllocation, ...]:
    """A block without a buffer opens a heap; its buffers' blocks follow, with offsets from the first heap."""
    opened: list[tuple[Fields, list[Fields]]] = []
    for block in fields.messages("buffer_blocks"):
        if block.integer("logical_buffer_id") == _NO_BUFFER:
            opened.append((block, []))
        elif opened:
            opened[-1][1].append(block)
    return tuple(
        SavedAllocation(
            index=None,
            size=_bytes(block.number("size")),
            group=block.text("category"),
            live_out=False,
            buffers=tuple(_block(found, _bytes(block.number("offset")), heap) for found in blocks),
        )
        for block, blocks in opened
    )


def _block(fields: Fields, base: int, heap: Ints | None) -> SavedBuffer:
    instruction, index = _split_name(fields.text("name"))
    return SavedBuffer(
        id=fields.integer("logical_buffer_id"),
        label="",
        instruction=instruction,
        shape_index=index,
        size=_bytes(fields.number("size")),
        unpadded=_bytes(fields.number("unpadded_size")) if fields.has("unpadded_size") else None,
        shape_text=fields.text("shape_string"),
        shape=_shape(fields.text("shape_string")),
        opcode="",
        op_name=fields.text("tf_op_name"),
        group=fields.text("category"),
        source=_source(fields),
        span=_span(fields.integer("start_step"), fields.integer("end_step"), heap),
        offset=_bytes(fields.number("offset")) - base,
    )


def _lifetime(fields: Fields) -> SavedAllocation:
    attributes = _texts(fields, "attributes")
    live_out = "may-be live out" in attributes
    kind = AllocationType.OUTPUT if live_out else AllocationType.CONSTANT
    if "entry computation parameter" in attributes:
        kind = AllocationType.PARAMETER
    return SavedAllocation(
        index=fields.integer("id"),
        size=_mib(fields, "size_mib") or 0,
        group=kind.label,
        live_out=live_out,
        buffers=tuple(_logical_buffer(found, kind.label) for found in fields.messages("logical_buffers")),
    )


def _logical_buffer(fields: Fields, group: str) -> SavedBuffer:
    steps = fields.values("shape_index")
    return SavedBuffer(
        id=fields.integer("id"),
        label="",
        instruction=fields.text("hlo_name"),
        shape_index=tuple(int(step) for step in steps if re.fullmatch(r"\d{1,9}", str(step))),
        size=_mib(fields, "size_mib") or 0,
        unpadded=None,
        shape_text=fields.text("shape"),
        shape=_shape(fields.text("shape")),
        opcode="",
        op_name="",
        group=group,
        source=None,
        span=None,
        offset=None,
    )


def _split_name(name: str) -> tuple[str, tuple[int, ...]]:
    """`fusion.1` and (0, 2) of `fusion.1{0,2}`."""
    found = _NAME_WITH_INDEX.fullmatch(name)
    if found is None:
        return name, ()
    return found.group(1), tuple(int(step) for step in found.group(2).split(","))


@lru_cache(maxsize=1 << 14)
def _shape(text: str) -> Shape | None:
    return parse_shape(text) if text else None


def _source(fields: Fields) -> SavedSource | None:
    found = fields.message("source_info")
    if found is None:
        return None
    file, stack = found.text("file_name"), _stack(found.text("stack_frame").splitlines())
    if not file and not stack:
        return None
    return SavedSource(file, found.integer("line_number") if found.has("line_number") else None, stack)


def _stack(lines: Sequence[str]) -> tuple[tuple[str, int, int], ...]:
    frames = (_FRAME.fullmatch(line) for line in lines)
    return tuple((frame.group(1), int(frame.group(2)), int(frame.group(3))) for frame in frames if frame)
