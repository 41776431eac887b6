"""Small files that claim or ask for without end: a typed error or an answer, soon and in little memory."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tensorboard_plugin_memviewer.protos import memviewer_hlo_pb2 as hlo
from tensorboard_plugin_memviewer.protos import memviewer_shape_pb2 as shapes
from tests.build import field_bytes, hlo_bytes, shape_bytes, varint
from tests.patience import PROGRAM_S
from tests.small_parent import from_small_parent

SECONDS, BYTES = 30, 512 << 20
F32, TUPLE = 11, 13

# A process of its own, so that its memory is its own: every answer about the module, or a typed error.
ANSWERS = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, ({SECONDS}, {SECONDS}))
from tests.reliability.bomb_answers import answers
answers(open(sys.argv[1], "rb").read())
"""

Bomb = Callable[[], bytes]


def _module(instructions: list[hlo.Instruction], assignment: hlo.BufferAssignment) -> bytes:
    """One scheduled computation."""
    body = b"".join(field_bytes(2, i.SerializeToString()) for i in instructions)
    root = instructions[-1].id
    computation = hlo.Computation(name="main", id=1, root_id=root).SerializeToString() + body
    schedule = hlo.Schedule()
    schedule.sequences[1].instruction_ids.extend(i.id for i in instructions)
    head = field_bytes(1, b"bomb") + field_bytes(2, b"main") + field_bytes(3, computation)
    module = head + varint(6 << 3) + varint(1) + field_bytes(7, schedule.SerializeToString())
    return field_bytes(1, module) + field_bytes(3, assignment.SerializeToString())


def _plan(count: int, size: int = 64, spaces: int = 1, index: tuple[int, ...] = ()) -> hlo.BufferAssignment:
    """`count` buffers, defined by instructions 1, 2, …, all in Temporary allocations, one a memory space."""
    plan = hlo.BufferAssignment()
    held = [plan.buffer_allocations.add(index=s, size=size * count, color=s) for s in range(spaces)]
    trace = plan.heap_simulator_traces.add()
    for number in range(1, count + 1):
        buffer = plan.logical_buffers.add(id=number, size=size, color=number % spaces)
        buffer.defined_at.instruction_id = number
        buffer.defined_at.shape_index.extend(index)
        held[number % spaces].assigned.add(logical_buffer_id=number, offset=number * 8, size=size)
        trace.events.add(kind=0, buffer_id=number)
    return plan


def _instruction(
    number: int, opcode: str = "add", operands: tuple[int, ...] = (), **more: object
) -> hlo.Instruction:
    values = {"shape": shape_bytes("f32[16]"), "name": f"i{number}", **more}
    return hlo.Instruction(id=number, opcode=opcode, operand_ids=operands, **values)  # type: ignore[arg-type]


def nested_shape(depth: int = 20_000) -> bytes:
    shape = b""
    for _ in range(depth):
        shape = varint(2 << 3) + varint(TUPLE) + field_bytes(4, shape)
    return _module([_instruction(1, shape=shape)], _plan(1))


def many_dimensions() -> bytes:
    shape = shapes.Shape(element_type=F32, dimensions=[2**62] * 50_000)
    shape.layout.minor_to_major.extend(range(50_000))
    return _module([_instruction(1, shape=shape.SerializeToString())], _plan(1))


def tiles_without_end() -> bytes:
    shape = shapes.Shape(element_type=F32, dimensions=[3] * 8)
    shape.layout.minor_to_major.extend(range(8))
    for _ in range(5000):
        shape.layout.tiles.add().dimensions.extend([3] * 8)
    return _module([_instruction(1, shape=shape.SerializeToString())], _plan(1))


def tuples_of_tuples() -> bytes:
    """Forty tuples, each of the one before twice: 2**40 leaves."""
    tuples = [_instruction(n, "tuple", (n - 1, n - 1)) for n in range(2, 42)]
    return _module([_instruction(1), *tuples, _instruction(42, "custom-call", (41,))], _plan(1))


def wide_tuple_read_by_all() -> bytes:
    leaves = [_instruction(n) for n in range(1, 4001)]
    wide = _instruction(4001, "tuple", tuple(range(1, 4001)))
    readers = [_instruction(n, "custom-call", (4001,)) for n in range(4002, 9000)]
    return _module([*leaves, wide, *readers], _plan(4000))


def far_shape_index() -> bytes:
    return _module([_instruction(n) for n in range(1, 3001)], _plan(3000, index=(1_000_000,)))


def deep_shape_index() -> bytes:
    return _module([_instruction(1)], _plan(1, index=(0,) * 100_000))


def thousands_of_spaces() -> bytes:
    return _module([_instruction(n) for n in range(1, 5001)], _plan(5000, spaces=5000))


def sizes_that_overflow() -> bytes:
    plan = _plan(64)
    for buffer in plan.logical_buffers:
        buffer.size = 2**59
    return _module([_instruction(n) for n in range(1, 65)], plan)


def negative_everything() -> bytes:
    plan = _plan(3, size=-1)
    plan.buffer_allocations[0].size = -(2**63)
    plan.buffer_allocations[0].assigned[0].offset = -(2**63)
    plan.buffer_allocations[0].assigned[1].offset = 2**63 - 1
    shape = shapes.Shape(element_type=F32, dimensions=[-1, -(2**63), 5])
    return _module([_instruction(n, shape=shape.SerializeToString()) for n in (1, 2, 3)], plan)


def all_share_addresses() -> bytes:
    plan = _plan(20_000)
    for place in plan.buffer_allocations[0].assigned:
        place.offset = 0
    for number in range(1, 20_001):
        plan.heap_simulator_traces[0].events.add(kind=1, buffer_id=number)
    return _module([_instruction(n) for n in range(1, 20_001)], plan)


def frames_in_a_ring() -> bytes:
    frames = hlo.StackFrameIndex()
    for number in range(1, 20_001):
        frames.stack_frames.add(file_location_id=1, parent_frame_id=number % 20_000 + 1)
    metadata = [
        hlo.OpMetadata(op_name=f"f{n}", stack_frame_id=n).SerializeToString() for n in range(1, 20_001)
    ]
    data = _module([_instruction(n, metadata=metadata[n - 1]) for n in range(1, 20_001)], _plan(20_000))
    return data + field_bytes(1, field_bytes(17, frames.SerializeToString()))


def calls_itself() -> bytes:
    return hlo_bytes("""
        entry main:
          p = f32[16] parameter()
          a = f32[16] call(p) calls=main,main
          w = f32[16] while(a) calls=main,main
        alloc temp 64: a:64@0
        trace: +a
    """)


def names_without_end() -> bytes:
    metadata = hlo.OpMetadata(op_name="jit(" * 200_000 + "/" * 200_000).SerializeToString()
    config = b'{"used_scoped_memory_configs":' + b"[" * 100_000
    odd = b'{"used_scoped_memory_configs":[{"memory_space":1e999,"size":-1}]}'
    first = _instruction(1, metadata=metadata, backend_config=config, name="a" * 1_000_000)
    return _module([first, _instruction(2, backend_config=odd)], _plan(1))


BOMBS: list[Bomb] = [
    nested_shape,
    many_dimensions,
    tiles_without_end,
    tuples_of_tuples,
    wide_tuple_read_by_all,
    far_shape_index,
    deep_shape_index,
    thousands_of_spaces,
    sizes_that_overflow,
    negative_everything,
    all_share_addresses,
    frames_in_a_ring,
    calls_itself,
    names_without_end,
]


@pytest.mark.skipif(sys.platform == "win32", reason="the limits are those of Unix")
@pytest.mark.slow
def test_bounded_time_and_memory(tmp_path: Path) -> None:
    for bomb in BOMBS:
        (tmp_path / bomb.__name__).write_bytes(bomb())
    root = Path(__file__).parents[2]
    for bomb in BOMBS:
        command = [sys.executable, "-c", ANSWERS, str(tmp_path / bomb.__name__)]
        done = subprocess.run(
            from_small_parent(command),
            cwd=root,
            capture_output=True,
            text=True,
            timeout=PROGRAM_S,
            check=False,
        )
        assert done.returncode == 0, f"{bomb.__name__}\n{done.stderr[-3000:]}"
        assert int(done.stdout) < BYTES, bomb.__name__


@pytest.mark.skipif(sys.platform == "win32", reason="the limits are those of Unix")
def test_the_children_of_this_process_can_be_limited() -> None:
    """What the test above relies on: a process beyond its time is ended."""
    endless = "import resource; resource.setrlimit(resource.RLIMIT_CPU, (1, 1))\nwhile True: pass"
    assert subprocess.run([sys.executable, "-c", endless], check=False).returncode != 0
