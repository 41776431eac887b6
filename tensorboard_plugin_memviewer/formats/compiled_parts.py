"""The information that a compiled program gives about itself → HloProto bytes, as in a file.

A runtime hands out the scheduled module, and of its plan a buffer assignment (without the heap's events) or
no more than sums. A sum becomes one buffer, of an instruction that says so by its name; nothing else is made
up. Knows nothing of any framework.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from google.protobuf.message import DecodeError

from tensorboard_plugin_memviewer.errors import Damaged
from tensorboard_plugin_memviewer.formats import wire
from tensorboard_plugin_memviewer.model.space import HBM, HOST
from tensorboard_plugin_memviewer.protos import memviewer_hlo_pb2 as pb
from tensorboard_plugin_memviewer.protos import memviewer_shape_pb2 as shape_pb

_HLO_MODULE: Final = 1
_BUFFER_ASSIGNMENT: Final = 3
_COMPUTATION: Final = 3
_SCHEDULE: Final = 7
_UINT8: Final = 6
# Ids of real modules are small, or a computation's number above 32 bits.
_FIRST_FREE_ID: Final = 1 << 62


@dataclass(frozen=True, slots=True)
class MemorySums:
    """Bytes that a compiled program needs in one memory, all together. `outputs` has those that reuse
    arguments, `alias` says how much that is.
    """

    arguments: int
    outputs: int
    alias: int
    temporaries: int


def with_assignment(module: bytes, assignment: bytes) -> bytes:
    """The HloProto of a serialized HloModuleProto and BufferAssignmentProto."""
    return wire.field(_HLO_MODULE, module) + wire.field(_BUFFER_ASSIGNMENT, assignment)


def with_sums(module: bytes, device: MemorySums, host: MemorySums) -> bytes:
    """The HloProto of a serialized HloModuleProto, with one buffer for each sum that is not 0.

    Raises Damaged where `module` is no HloModuleProto.
    """
    plan = pb.BufferAssignment()
    extra = pb.Computation(name="sums of the compiled program", id=_FIRST_FREE_ID)
    for space, sums, where in ((HBM, device, ""), (HOST, host, " on the host")):
        for name, size, flags in _lines(sums):
            if size > 0:
                _add(plan, extra, f"(all {name}{where})", (space, size), flags)
    try:
        schedule = _schedule(module)
    except DecodeError as error:
        raise Damaged(f"the module cannot be decoded ({error})", "Compile the program again.") from error
    appended = wire.field(_COMPUTATION, extra.SerializeToString())
    if schedule.sequences:
        # Only what the schedule lists is looked at.
        schedule.sequences[extra.id].instruction_ids.extend([])
        appended += wire.field(_SCHEDULE, schedule.SerializeToString())
    return with_assignment(module + appended, plan.SerializeToString())


def same_module(one: bytes, other: bytes) -> bool:
    """Whether two serialized HloModuleProtos hold the same computations.

    Not whether they are the same bytes: maps, such as the schedule, are written in any order.
    """
    return _computations(one) == _computations(other)


def module_bytes(hlo_proto: bytes) -> bytes:
    """The HloModuleProto in a serialized HloProto; empty where there is none."""
    for number, kind, start, end in wire.fields(hlo_proto):
        if number == _HLO_MODULE and kind == wire.BYTES:
            return hlo_proto[start:end]
    return b""


def _computations(module: bytes) -> list[bytes]:
    fields = wire.fields(module)
    return [module[a:b] for number, kind, a, b in fields if number == _COMPUTATION and kind == wire.BYTES]


def _schedule(module: bytes) -> pb.Schedule:
    schedule = pb.Schedule()
    for number, kind, start, end in wire.fields(module):
        if number == _SCHEDULE and kind == wire.BYTES:
            schedule.MergeFromString(module[start:end])
    return schedule


def _lines(sums: MemorySums) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """What a sum stands for, its bytes, and the flags of its allocation."""
    argument, output = "is_entry_computation_parameter", "maybe_live_out"
    yield "arguments that are kept", sums.arguments - sums.alias, (argument,)
    yield "donated arguments", sums.alias, (argument, output)
    yield "outputs", sums.outputs - sums.alias, (output,)
    yield "temporaries", sums.temporaries, ()


def _add(
    plan: pb.BufferAssignment,
    computation: pb.Computation,
    name: str,
    place: tuple[int, int],
    flags: tuple[str, ...],
) -> None:
    """A buffer of its own instruction in an allocation of its own; `place` is memory space and bytes."""
    space, size = place
    number = len(plan.buffer_allocations)
    shape = shape_pb.Shape(element_type=_UINT8, dimensions=[size]).SerializeToString()
    instruction = pb.Instruction(name=name, opcode="sum", shape=shape, id=_FIRST_FREE_ID + number)
    computation.instructions.append(instruction.SerializeToString())
    buffer = plan.logical_buffers.add(id=number, size=size, color=space)
    buffer.defined_at.instruction_id = instruction.id
    allocation = plan.buffer_allocations.add(index=number, size=size, color=space)
    for flag in flags:
        setattr(allocation, flag, True)
    allocation.assigned.add(logical_buffer_id=number, size=size)
