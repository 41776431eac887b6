"""A saved result shows its own curve and peak, and buffers that add up to it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensorboard_plugin_memviewer.analysis.live_set import live_rows
from tensorboard_plugin_memviewer.analysis.saved.usage import saved_usage
from tensorboard_plugin_memviewer.analysis.sources import source_of, stack_of
from tensorboard_plugin_memviewer.analysis.usage import Plan, SpaceUsage
from tensorboard_plugin_memviewer.errors import MemviewerError
from tensorboard_plugin_memviewer.formats.memory_viewer import decode_saved

DATA = Path(__file__).resolve().parent.parent / "data" / "xprof"
RECORDED = sorted(path.name.removesuffix(".json.gz") for path in DATA.glob("*.json.gz"))
# Buffers that share with one another, where XProf ends the span of the one that it shows too early.
TOO_SHORT_SPANS = ("h100_fsdp8.0", "h100_tf_scan.0")


def _fields(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(gzip.decompress((DATA / f"{name}.json.gz").read_bytes()))
    return found


def _usage(fields: dict[str, Any]) -> tuple[Plan, SpaceUsage]:
    return saved_usage(decode_saved(json.dumps(fields).encode()))


def _live_bytes(usage: SpaceUsage) -> int:
    return int(usage.buffers.size[live_rows(usage, usage.headline.peak_point)].sum())


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_answer(name: str) -> None:
    fields = _fields(name)
    plan, usage = _usage(fields)
    if "peakHeapMib" not in fields:
        assert plan.spaces == ()
        return
    assert plan.spaces == (int(name.rsplit(".", 1)[1]),)
    assert plan.order.axis == "events"
    head = usage.headline
    assert head.peak_bytes == usage.usage.max() == round(fields["peakHeapMib"] * 2**20)
    if "heapSizes" in fields:
        assert usage.usage.tolist() == [round(size * 2**20) for size in fields["heapSizes"][1:]]
        assert head.peak_point == int(np.argmax(usage.usage))
    assert head.allocated_bytes == round(fields.get("totalBufferAllocationMib", 0) * 2**20)
    types = head.argument_bytes + head.output_bytes + head.constant_bytes
    assert types + head.temporary_bytes == head.allocated_bytes
    assert head.temporary_peak_bytes + head.fragmentation_bytes == head.temporary_bytes
    assert (usage.unpadded <= usage.usage).all()
    if name not in TOO_SHORT_SPANS:
        assert _live_bytes(usage) == head.peak_bytes


@pytest.mark.parametrize("name", [name for name in RECORDED if "peakHeapMib" in _fields(name)])
def test_answer_of_an_older_xprof_has_no_addresses(name: str) -> None:
    fields = _fields(name)
    fields.pop("bufferBlocks", None)
    plan, usage = _usage(fields)
    assert _live_bytes(usage) == usage.headline.peak_bytes or name in TOO_SHORT_SPANS
    if "heapSizes" in fields:
        assert "saved no addresses" in plan.problems[-1].message


def test_what_is_known_of_a_buffer() -> None:
    plan, usage = _usage(_fields("v4_mlp.3"))
    module, buffers = plan.module, plan.module.buffers
    row = buffers.ids.tolist().index(591)
    instruction = buffers.instruction[row]
    metadata = module.metadata[module.instructions.metadata[instruction]]
    assert module.instructions.names[instruction] == "fusion"
    assert module.instructions.opcodes[module.instructions.opcode[instruction]] == "fusion"
    assert metadata.op_name == "jit(train_step)/transpose(jvp(dense_4))/dot_general"
    source = source_of(module, metadata)
    assert source is not None and source.text() == "/tmp/corpus/lib.py:96"
    assert [frame.line for frame in stack_of(module, metadata)] == [96, 11, 30, 13, 19, 360]
    assert buffers.unpadded[row] == 2000000
    at = usage.buffers.buffer.tolist().index(row)
    assert (usage.buffers.start[at], usage.buffers.end[at], usage.buffers.offset[at]) == (46, 58, 10960896)
    names = [module.instructions.names[event] for event in plan.order.instruction[:2]]
    assert names == ["copy-start", "copy-start.1"]


def test_arguments_keep_their_aliases() -> None:
    _, usage = _usage(_fields("v5e_mlp_donated.0"))
    head = usage.headline
    assert 0 < head.aliased_bytes < head.argument_bytes


def test_scoped_memory_alone_makes_a_space() -> None:
    fields = {
        "moduleName": "m",
        "maxScopedVmemAllocationMib": 2,
        "maxScopedVmemInstructionName": "fusion.1",
    }
    plan, usage = _usage(fields)
    assert plan.spaces == (1,)
    assert (usage.headline.max_scoped_bytes, usage.headline.required_bytes) == (2 << 20, 2 << 20)


def test_list_at_the_peak_without_anything_else() -> None:
    fields = {
        "moduleName": "m",
        "peakHeapMib": 3,
        "maxHeap": [
            {"numbered": 0, "logicalBufferId": 4, "logicalBufferSizeMib": 2, "groupName": "Parameter"},
            {"numbered": 1, "logicalBufferId": 5, "logicalBufferSizeMib": 1, "groupName": "Temporary"},
        ],
    }
    _, usage = _usage(fields)
    assert (usage.points, usage.headline.argument_bytes, usage.headline.temporary_bytes) == (
        1,
        2 << 20,
        1 << 20,
    )
    assert _live_bytes(usage) == 3 << 20


def _at_peak(shapes: list[str]) -> dict[str, Any]:
    listed = [
        {"numbered": at, "logicalBufferId": at, "logicalBufferSizeMib": 1, "shapeString": shape}
        for at, shape in enumerate(shapes)
    ]
    return {"moduleName": "m", "maxHeap": [{**one, "groupName": "Temporary"} for one in listed]}


def test_memory_space_is_that_of_most_buffers() -> None:
    in_hbm, in_vmem = "f32[8]{0}", "f32[8]{0:S(1)}"
    assert _usage(_at_peak([in_hbm, in_vmem, in_vmem]))[0].spaces == (1,)
    assert _usage(_at_peak([in_vmem, in_hbm]))[0].spaces == (0,)


_SMALL = _fields("v5e_int8_int4.1") | {
    "indefiniteLifetimes": _fields("v5e_int8_int4.0")["indefiniteLifetimes"]
}


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_altered_results_give_a_usage_or_a_typed_error(data: st.DataObject) -> None:
    """Fields taken away, and numbers anywhere changed."""
    fields = json.loads(json.dumps(_SMALL))
    for name in data.draw(st.sets(st.sampled_from(sorted(fields)))):
        del fields[name]
    places = list(_numbers(fields))
    for holder, key in data.draw(st.lists(st.sampled_from(places), max_size=3)) if places else ():
        holder[key] = data.draw(st.integers(-(2**70), 2**70) | st.floats() | st.integers(-2, 20))
    with suppress(MemviewerError):
        plan, usage = _usage(fields)
        assert usage.points == plan.order.points
        head = usage.headline
        assert head.temporary_peak_bytes + head.fragmentation_bytes == head.temporary_bytes


def _numbers(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a number, as its holder and its key there."""
    if isinstance(value, (dict, list)):
        for key, inner in list(value.items() if isinstance(value, dict) else enumerate(value)):
            if isinstance(inner, (int, float)):
                yield value, key
            yield from _numbers(inner)
