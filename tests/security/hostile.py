"""A capture in which every text is one of tests/data/hostile_names.json."""

from __future__ import annotations

import json
from pathlib import Path

from tensorboard_plugin_memviewer.protos import memviewer_hlo_pb2 as hlo
from tests.build import field_bytes, shape_bytes, varint
from tools.pack_demo import packed

NAMES: list[str] = json.loads((Path(__file__).parents[1] / "data" / "hostile_names.json").read_text())
MODULE = "</script><b>\x1b[31m=1+1"
RUN = "<i>run</i> \u202e,"


def capture() -> bytes:
    """An XSpace whose one program defines a temporary buffer by an instruction of each name."""
    plan = hlo.BufferAssignment()
    heap = plan.buffer_allocations.add(index=0, size=64 * len(NAMES))
    trace = plan.heap_simulator_traces.add()
    body = b""
    schedule = hlo.Schedule()
    for number, name in enumerate(NAMES, start=1):
        metadata = hlo.OpMetadata(op_name=f"jit(f)/{name}", source_file=name, source_line=number)
        instruction = hlo.Instruction(
            id=number,
            name=name,
            opcode=name,
            shape=shape_bytes("f32[16]"),
            metadata=metadata.SerializeToString(),
            custom_call_target=name,
        )
        body += field_bytes(2, instruction.SerializeToString())
        schedule.sequences[1].instruction_ids.append(number)
        plan.logical_buffers.add(id=number, size=64).defined_at.instruction_id = number
        heap.assigned.add(logical_buffer_id=number, offset=64 * (number - 1), size=64)
        trace.events.add(kind=0, buffer_id=number)
    computation = hlo.Computation(name=NAMES[0], id=1, root_id=1).SerializeToString() + body
    head = field_bytes(1, MODULE.encode()) + field_bytes(2, NAMES[0].encode())
    module = head + field_bytes(3, computation) + varint(6 << 3) + varint(1)
    module += field_bytes(7, schedule.SerializeToString())
    program = field_bytes(1, module) + field_bytes(3, plan.SerializeToString())
    return packed("host<0>", [(f"{MODULE}(7)", program)])


def write(logdir: Path) -> Path:
    """The capture as the only run of a logdir."""
    path = logdir / "plugins" / "profile" / RUN.replace("/", "_") / "host0.xplane.pb"
    path.parent.mkdir(parents=True)
    path.write_bytes(capture())
    return path
