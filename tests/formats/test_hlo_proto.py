"""Reading HloProto: what is damaged or odd gives a typed error or a problem, never anything else."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensorboard_plugin_memviewer.analysis.usage import plan, space_usage
from tensorboard_plugin_memviewer.errors import Damaged, MemviewerError, Unsupported
from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module
from tensorboard_plugin_memviewer.formats.instructions import scoped_configs
from tensorboard_plugin_memviewer.protos import memviewer_hlo_pb2 as hlo
from tests.build import field_bytes, hlo_bytes, module, varint

DATA = Path(__file__).resolve().parent.parent / "data"
TEXT = """
computation body:
  x = f32[4] parameter()
  y = f32[4] add(x, x) op="jit(f)/body/add"
entry main:
  p = f32[4] parameter()
  w = (f32[4],s32[]) custom-call(p) scoped=1:64
  c = f32[4] call(p) calls=body
alloc parameter 16: p:16
alloc temp 48: w:16@0 w{0}:16@16 y:16@32
trace: +w +w{0} -w -w{0}
"""


def everything(data: bytes) -> None:
    """Reads a module and computes all its spaces."""
    found = plan(decode_module(data))
    for space in found.spaces[:16]:
        space_usage(found, space)


def test_a_small_module() -> None:
    found = module(TEXT)
    assert (found.name, found.entry_name) == ("built", "main")
    assert found.instructions.names == ("x", "y", "p", "w", "c")
    assert found.computations.names == ("body", "main")
    assert found.metadata[found.instructions.metadata[1]].op_name == "jit(f)/body/add"
    assert found.scoped.size.tolist() == [64]
    assert [found.shapes[row].text() for row in found.buffers.shape] == [
        "f32[4]",
        "(f32[4], s32[])",
        "f32[4]",
        "f32[4]",
    ]
    assert found.buffers.unpadded.tolist() == [16, 16, 16, 16]
    assert found.problems == ()


def test_no_buffer_assignment_is_not_the_same_as_damaged() -> None:
    path = DATA / "damaged" / "nobuf_v5e_mlp.hlo_proto.pb"
    with pytest.raises(Unsupported, match="no buffer assignment") as error:
        decode_module(path.read_bytes())
    assert "xla_dump_to" in error.value.advice


def test_cut_short() -> None:
    with pytest.raises(Damaged):
        decode_module((DATA / "damaged" / "truncated_v5e_mlp.hlo_proto.pb").read_bytes())


def test_another_message_or_nothing() -> None:
    for data in (b"", field_bytes(2, b"x"), b"not a protocol buffer at all"):
        with pytest.raises(Damaged):
            decode_module(data)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200))
def test_random_bytes_give_a_typed_error(data: bytes) -> None:
    with pytest.raises(MemviewerError):
        everything(data)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_altered_modules_give_an_answer_or_a_typed_error(data: st.DataObject) -> None:
    whole = bytearray(hlo_bytes(TEXT))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(whole) - 1))
        whole[at] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(len(whole) // 2, len(whole)))
    with contextlib.suppress(MemviewerError):
        everything(bytes(whole[:cut]))


def old_file(names_only: bool) -> bytes:
    """A buffer assignment as before 2022: the defining instruction is named."""
    whole = hlo_bytes("entry main:\n  p = f32[4] parameter()\n  a = f32[4] add(p, p)")
    assignment = hlo.BufferAssignment()
    buffer = assignment.logical_buffers.add(id=0, size=16)
    buffer.defined_at.instruction_name = "a"
    if not names_only:
        buffer.defined_at.instruction_id = 2
    allocation = assignment.buffer_allocations.add(size=16)
    allocation.assigned.add(logical_buffer_id=0, size=16)
    trace = assignment.heap_simulator_traces.add()
    trace.events.add(buffer_id=0)
    return whole[: whole.rindex(field_bytes(3, b"")[:1])] + field_bytes(3, assignment.SerializeToString())


@pytest.mark.parametrize("names_only", [True, False])
def test_instruction_by_name_and_a_buffer_with_id_zero(names_only: bool) -> None:
    found = decode_module(old_file(names_only))
    assert found.buffers.ids.tolist() == [0]
    assert found.instructions.names[found.buffers.instruction[0]] == "a"
    assert space_usage(plan(found), 0).usage.tolist() == [0, 16]


def test_unknown_fields_are_passed_over() -> None:
    extra = field_bytes(900, b"later") + varint(901 << 3) + varint(5)
    assert decode_module(hlo_bytes(TEXT) + extra).name == "built"


def test_two_buffers_with_one_id() -> None:
    assignment = hlo.BufferAssignment()
    for _ in range(2):
        assignment.logical_buffers.add(id=5, size=1)
    data = field_bytes(1, field_bytes(1, b"m")) + field_bytes(3, assignment.SerializeToString())
    with pytest.raises(Damaged, match="same id"):
        decode_module(data)


def test_two_computations_with_one_id() -> None:
    """Each would have the whole schedule of the other: many of them, more than there is memory for."""
    computation = field_bytes(3, hlo.Computation(name="c", id=7).SerializeToString())
    schedule = hlo.Schedule()
    schedule.sequences[7].instruction_ids.append(1)
    parts = field_bytes(1, b"m") + computation * 2 + field_bytes(7, schedule.SerializeToString())
    data = field_bytes(1, parts) + field_bytes(3, b"")
    with pytest.raises(Damaged, match="two computations have the same id"):
        decode_module(data)


@pytest.mark.parametrize("claim", ["buffer_allocations", "logical_buffers"])
def test_absurd_sizes_are_refused(claim: str) -> None:
    """An exbibyte is the most, in sum."""

    def module_of(*sizes: int) -> bytes:
        assignment = hlo.BufferAssignment()
        for number, size in enumerate(sizes):
            getattr(assignment, claim).add(
                **{"id" if claim == "logical_buffers" else "index": number, "size": size}
            )
        return field_bytes(1, field_bytes(1, b"m")) + field_bytes(3, assignment.SerializeToString())

    decode_module(module_of(1 << 59, 1 << 59))
    for sizes in ((1 << 62,), (1 << 59, 1 << 59, 1)):
        with pytest.raises(Damaged, match="more than any device"):
            decode_module(module_of(*sizes))


def test_negative_sizes_and_dangling_references_are_reported() -> None:
    assignment = hlo.BufferAssignment()
    assignment.logical_buffers.add(id=1, size=-5)
    allocation = assignment.buffer_allocations.add(size=-7)
    allocation.assigned.add(logical_buffer_id=99)
    data = field_bytes(1, field_bytes(1, b"m")) + field_bytes(3, assignment.SerializeToString())
    text = " ".join(problem.message for problem in decode_module(data).problems)
    assert "logical buffer has a negative size" in text
    assert "allocation has a negative size" in text
    assert "unknown logical buffer" in text
    assert "unknown instruction" in text


def test_stack_frames_that_go_in_circles_end() -> None:
    index = hlo.StackFrameIndex(file_names=["f.py"], function_names=["g"])
    index.file_locations.add(file_name_id=1, function_name_id=1, line=3)
    for outer in (2, 1, 3):
        index.stack_frames.add(file_location_id=1, parent_frame_id=outer)
    body = field_bytes(1, b"m") + field_bytes(17, index.SerializeToString())
    found = decode_module(field_bytes(1, body) + field_bytes(3, b""))
    assert "stack frames" in found.problems[0].message
    for row in range(len(found.frames)):
        parents = [row]
        while (parent := found.frames[parents[-1]].parent) is not None:
            parents.append(parent)
            assert len(parents) <= len(found.frames)


def test_scoped_configs_as_numbers_and_as_text() -> None:
    texts = b'{"memory_space":"1","offset":"0","size":"12"}'
    numbers = b'{"memory_space":4,"size":7}'
    config = b'{"used_scoped_memory_configs":[' + texts + b"," + numbers + b"]}"
    assert scoped_configs(config) == [(1, 0, 12), (4, 0, 7)]
    for broken in (
        b"{",
        b'{"used_scoped_memory_configs":[{"size":-1}]}',
        b'{"used_scoped_memory_configs":[3]}',
        b"[]",
    ):
        with pytest.raises((ValueError, TypeError, AttributeError)):
            scoped_configs(broken)
