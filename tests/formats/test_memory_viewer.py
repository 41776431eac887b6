"""Saved results: the same from JSON of both spellings, gzipped, and the message; else a typed error."""

from __future__ import annotations

import dataclasses
import gzip
import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tensorboard_plugin_memviewer.errors import Damaged, MemviewerError, Unsupported
from tensorboard_plugin_memviewer.formats.memory_viewer import decode_saved
from tensorboard_plugin_memviewer.model.saved import SavedResult
from tensorboard_plugin_memviewer.protos import memviewer_saved_pb2 as pb

DATA = Path(__file__).resolve().parent.parent / "data" / "xprof"


def _recorded(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(gzip.decompress((DATA / f"{name}.json.gz").read_bytes()))
    return found


def _saved(fields: dict[str, Any]) -> SavedResult:
    return decode_saved(json.dumps(fields).encode())


def _plain(result: SavedResult) -> dict[str, Any]:
    """The record with lists for arrays, which compare as a whole."""
    values = {field.name: getattr(result, field.name) for field in dataclasses.fields(result)}
    return {name: v.tolist() if isinstance(v, np.ndarray) else v for name, v in values.items()}


def _snake(value: Any) -> Any:
    if isinstance(value, list):
        return [_snake(entry) for entry in value]
    if isinstance(value, dict):
        return {re.sub("(?<=[a-z])([A-Z])", r"_\1", key).lower(): _snake(v) for key, v in value.items()}
    return value


def _message(message: Any, fields: dict[str, Any]) -> Any:
    """The fields of a JSON answer set in a message one by one."""
    for name, value in _snake(fields).items():
        field = message.DESCRIPTOR.fields_by_name.get(name)
        if field is None:
            continue
        if name == "logical_buffer_spans":
            for key, span in value.items():
                _message(message.logical_buffer_spans[int(key)], span)
        elif isinstance(value, dict):
            _message(getattr(message, name), value)
            getattr(message, name).SetInParent()
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            for entry in value:
                _message(getattr(message, name).add(), entry)
        elif isinstance(value, list):
            getattr(message, name).extend(map(int, value) if name == "shape_index" else value)
        else:
            setattr(message, name, int(value) if field.cpp_type in (1, 2) else value)
    return message


@pytest.mark.parametrize(
    "name", ["v5e_tf_scan.0", "v4_mlp.3", "h100_fsdp8.0", "v5e_tf_scan.1", "v5e_scalar.0"]
)
def test_every_form_says_the_same(name: str) -> None:
    fields = _recorded(name)
    expected = _plain(decode_saved((DATA / f"{name}.json.gz").read_bytes()))
    assert _plain(_saved(fields)) == expected
    assert _plain(_saved(_snake(fields))) == expected
    assert _plain(decode_saved(_message(pb.Result(), fields).SerializeToString())) == expected


def test_what_a_result_holds() -> None:
    result = _saved(_recorded("v4_mlp.3"))
    assert (result.module_name, result.entry_name) == ("jit_train_step", "main.15")
    assert result.heap is not None and result.events == 110
    assert result.heap[:3].tolist() == [0, 1605632, 3653632]
    assert (result.peak_bytes, result.peak_event, result.heap[47]) == (21487616, 46, 21487616)
    assert result.allocated_bytes == 19515392
    assert (result.indefinite_bytes, result.max_scoped_bytes) == (None, None)
    assert result.event_names is not None and result.event_names[:2] == ("copy-start", "copy-start.1")
    first, *_, small = result.alive_at_peak
    assert (first.id, first.instruction, first.shape_index) == (456, "copy-start", (0,))
    assert (first.size, first.unpadded, first.opcode, first.group) == (
        1605632,
        1554000,
        "copy-start",
        "Temporary",
    )
    assert first.shape is not None and first.shape.text() == first.shape_text
    assert (small.id, small.size, small.span) == (None, 8192, None)
    assert result.spans[424] == (3, 75)
    assert result.heaps is not None
    (heap,) = result.heaps
    assert (heap.size, heap.group, len(heap.buffers)) == (19515392, "Temporary", 55)
    block = next(buffer for buffer in heap.buffers if buffer.id == 591)
    assert (block.offset, block.size, block.span) == (10960896, 2048000, (46, 58))
    assert block.source is not None
    assert (block.source.file, block.source.line) == ("/tmp/corpus/lib.py", 96)
    assert block.source.stack[0] == ("/tmp/corpus/lib.py", 96, 16)


def test_indefinite_allocations() -> None:
    result = _saved(_recorded("v4_mlp.0"))
    first, *_, constant = result.indefinite
    assert (first.index, first.size, first.group, first.live_out) == (1, 2048000, "Parameter", True)
    assert [buffer.id for buffer in first.buffers] == [440, 558]
    assert constant.group == "Constant"
    assert result.heap is None and result.heaps is None and result.peak_event is None


def test_a_buffer_never_freed_lives_beyond_the_last_event() -> None:
    fields = {
        "moduleName": "m",
        "heapSizes": [0, 1, 3],
        "logicalBufferSpans": {"1": {"limit": 1}, "2": {"start": 1, "limit": 1}},
    }
    assert _saved(fields).spans == {1: (0, 2), 2: (1, 2)}
    assert _saved({**fields, "heapSizes": [0, 1, 0]}).spans[1] == (0, 1)


def test_scoped_memory() -> None:
    fields = {"moduleName": "m", "maxScopedVmemAllocationMib": 1.5, "maxScopedVmemInstructionName": "f"}
    result = _saved(fields)
    assert (result.max_scoped_bytes, result.max_scoped_instruction) == (1572864, "f")
    assert result.allocated_bytes is None


DAMAGED = [
    b"",
    b"{",
    b"{}",
    b"[]",
    b"\xff\xfe",
    b"\x1f\x8b\x08",
    b'{"moduleName": 1}',
    b'{"moduleName": "m", "heapSizes": [1, "2"]}',
    b'{"moduleName": "m", "heapSizes": [[1], [2]]}',
    b'{"moduleName": "m", "heapSizes": [1, NaN]}',
    b'{"moduleName": "m", "heapSizes": [1, -2]}',
    b'{"moduleName": "m", "heapSizes": {"a": 1}}',
    b'{"moduleName": "m", "heapSizes": [1, 2], "unpaddedHeapSizes": [1]}',
    b'{"moduleName": "m", "heapSizes": [1, 2], "peakHeapSizePosition": 7}',
    b'{"moduleName": "m", "peakHeapMib": 1e300}',
    b'{"moduleName": "m", "peakHeapMib": "NaN"}',
    b'{"moduleName": "m", "maxHeap": [3]}',
    b'{"moduleName": "m", "logicalBufferSpans": {"x": {}}}',
    b'{"moduleName": "m", "logicalBufferSpans": {"1": {"start": 5, "limit": 2}}}',
    b'{"moduleName": "m", "hloInstructionNames": [5]}',
    b'{"moduleName": "m", "maxHeap": ' + b"[" * 100_000 + b"}",
]


@pytest.mark.parametrize("data", DAMAGED, ids=range(len(DAMAGED)))
def test_damaged(data: bytes) -> None:
    with pytest.raises(Damaged) as caught:
        decode_saved(data)
    assert caught.value.advice


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
_NAMES = st.sampled_from(sorted({*pb.Result.DESCRIPTOR.fields_by_name, *_recorded("v5e_tf_scan.0")}))


@given(
    st.binary(max_size=200) | st.dictionaries(_NAMES, _JSON, max_size=6).map(lambda d: json.dumps(d).encode())
)
@example(b'{"maxHeap": [{"sourceInfo": {"fileName": "f", "stackFrame": "a:1:2\\nb"}}]}')
@settings(max_examples=300, deadline=None)
def test_any_bytes_give_a_result_or_a_typed_error(data: bytes) -> None:
    with suppress(MemviewerError):
        decode_saved(data)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_damaged_message_gives_a_result_or_a_typed_error(data: st.DataObject) -> None:
    whole = _message(pb.Result(), _recorded("v4_mlp.0")).SerializeToString()
    at, byte = data.draw(st.integers(0, len(whole) - 1)), data.draw(st.integers(0, 255))
    broken = whole[:at] + bytes([byte]) + whole[at + 1 :]
    for candidate in (broken, whole[:at]):
        with suppress(MemviewerError):
            decode_saved(candidate)


@pytest.mark.parametrize(
    "text", ['{"hloModule": {"name": "f"}}', '{"buffer_assignment": {}, "hlo_module": {}}']
)
def test_an_hlo_proto_as_json_is_named(text: str) -> None:
    with pytest.raises(Unsupported, match="an HloProto written as JSON") as raised:
        decode_saved(text.encode())
    assert "hlo_proto.pb" in raised.value.advice
