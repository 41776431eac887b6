"""Grows a real program: its entry computation runs several times over, each time with buffers of its own.

The passes take the same addresses, as the steps of an unrolled loop do. What else a compiler wrote stays:
fusions and loop bodies are called by every pass, parameters and constants are there once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from google.protobuf.message import Message

from tensorboard_plugin_memviewer.formats.wire import BYTES, fields
from tensorboard_plugin_memviewer.protos import memviewer_hlo_pb2 as pb
from tools.wire_writer import field

_ONCE = ("parameter", "constant")
_M = TypeVar("_M", bound=Message)


@dataclass(frozen=True, slots=True)
class _Entry:
    """What a pass makes anew, and how far the numbers of one pass lie from those of the next."""

    names: frozenset[str]
    instructions: frozenset[int]
    buffers: frozenset[int]
    apart: int


def repeated(hlo_proto: bytes, passes: int) -> bytes:
    """The HloProto with its entry computation `passes` times over."""
    top = _fields(hlo_proto)
    module = _fields(next(data for number, data in top if number == 1))
    assignment = pb.BufferAssignment.FromString(next(data for number, data in top if number == 3))
    name = next(data for number, data in module if number == 2)
    computation = next(
        one
        for number, data in module
        if number == 3
        for one in (pb.Computation.FromString(data),)
        if one.name.encode() == name
    )
    entry = _entry(computation, assignment)
    _repeat_buffers(assignment, entry, passes)
    schedule = pb.Schedule.FromString(next(data for number, data in module if number == 7))
    order = list(schedule.sequences[computation.id].instruction_ids)
    schedule.sequences[computation.id].instruction_ids.extend(
        one + turn * entry.apart for turn in range(1, passes) for one in order if one in entry.instructions
    )
    _repeat_instructions(computation, entry, passes)
    parts = [
        field(3, computation.SerializeToString()) if number == 3 and _is(data, computation) else whole
        for number, data, whole in _wholes(module)
        if number != 7
    ]
    grown = b"".join(parts) + field(7, schedule.SerializeToString())
    return field(1, grown) + field(3, assignment.SerializeToString())


def _entry(computation: pb.Computation, assignment: pb.BufferAssignment) -> _Entry:
    known = [pb.Instruction.FromString(data) for data in computation.instructions]
    anew = [one for one in known if one.opcode not in _ONCE]
    ids = frozenset(one.id for one in anew)
    names = frozenset(one.name for one in anew)
    at_name = {one.name: one.id for one in anew}
    buffers = frozenset(
        one.id
        for one in assignment.logical_buffers
        if one.defined_at.instruction_id in ids or one.defined_at.instruction_name in at_name
    )
    largest = max([*(one.id for one in known), *(one.id for one in assignment.logical_buffers)])
    return _Entry(names, ids, buffers, 1 << largest.bit_length())


def _repeat_instructions(computation: pb.Computation, entry: _Entry, passes: int) -> None:
    known = list(computation.instructions)
    for turn in range(1, passes):
        for data in known:
            one = pb.Instruction.FromString(data)
            if one.id not in entry.instructions:
                continue
            one.id += turn * entry.apart
            one.name = _named(one.name, turn)
            for at, operand in enumerate(one.operand_ids):
                if operand in entry.instructions:
                    one.operand_ids[at] = operand + turn * entry.apart
            computation.instructions.append(one.SerializeToString())


def _repeat_buffers(assignment: pb.BufferAssignment, entry: _Entry, passes: int) -> None:
    buffers = [one for one in assignment.logical_buffers if one.id in entry.buffers]
    for turn in range(1, passes):
        for one in buffers:
            made = _copy(one)
            made.id += turn * entry.apart
            made.defined_at.instruction_name = _named(one.defined_at.instruction_name, turn)
            if one.defined_at.instruction_id:
                made.defined_at.instruction_id += turn * entry.apart
            assignment.logical_buffers.append(made)
    for allocation in assignment.buffer_allocations:
        known = list(allocation.assigned)
        for turn in range(1, passes):
            for place in known:
                if place.logical_buffer_id in entry.buffers:
                    again = _copy(place)
                    again.logical_buffer_id += turn * entry.apart
                    allocation.assigned.append(again)
    for trace in assignment.heap_simulator_traces:
        events = list(trace.events)
        for turn in range(1, passes):
            trace.events.extend(_again(event, entry, turn) for event in events)


def _again(event: pb.HeapSimulatorTrace.Event, entry: _Entry, turn: int) -> pb.HeapSimulatorTrace.Event:
    made = _copy(event)
    if event.buffer_id in entry.buffers:
        made.buffer_id += turn * entry.apart
    if event.share_with_canonical_id in entry.buffers:
        made.share_with_canonical_id += turn * entry.apart
    if event.instruction_name in entry.names:
        made.instruction_name = _named(event.instruction_name, turn)
    return made


def _named(name: str, turn: int) -> str:
    return f"{name}.pass{turn}"


def _copy(message: _M) -> _M:
    made = type(message)()
    made.CopyFrom(message)
    return made


def _is(data: bytes, computation: pb.Computation) -> bool:
    return bool(pb.Computation.FromString(data).id == computation.id)


def _fields(message: bytes) -> list[tuple[int, bytes]]:
    """The fields with a length, by number."""
    return [(number, message[a:b]) for number, kind, a, b in fields(message) if kind == BYTES]


def _wholes(parts: list[tuple[int, bytes]]) -> list[tuple[int, bytes, bytes]]:
    return [(number, data, field(number, data)) for number, data in parts]
