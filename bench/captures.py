"""Makes what is measured: captures of any size around real programs, and programs of any size.

Knows the wire format only; nothing of the product is used, so that what it reads owes it nothing.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from pathlib import Path

from tools.pack_demo import metadata_plane
from tools.wire_writer import field, message

MIB = 2**20
_PLANE_MIB = 64
_KINDS = 4000


def write_capture(
    path: Path, programs: Iterable[tuple[str, bytes]], mib: int, *, metadata_last: bool
) -> None:
    """An XSpace with `mib` MiB of trace planes before or after the plane of its programs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    metadata = field(1, metadata_plane(programs))
    with path.open("wb") as file:
        if not metadata_last:
            file.write(metadata)
        for plane in _trace_planes(mib):
            file.write(plane)
        if metadata_last:
            file.write(metadata)
        file.write(field(4, "host0"))


def _trace_planes(mib: int) -> Iterator[bytes]:
    """Planes as of devices: a line of events a MiB, and what the kinds of events are called."""
    events = _events(random.Random(0))
    kinds = b"".join(_kind(kind) for kind in range(1, _KINDS))
    for device, start in enumerate(range(0, mib, _PLANE_MIB)):
        lines = range(1, min(_PLANE_MIB, mib - start) + 1)
        body = b"".join(field(3, message((1, line), (2, f"XLA Ops {line}")) + events) for line in lines)
        yield field(1, message((1, device + 2), (2, f"/device:TPU:{device}")) + body + kinds)


def _events(chance: random.Random) -> bytes:
    """One MiB of events with times and a statistic each."""
    made = bytearray()
    while len(made) < MIB:
        statistic = message((1, 2), (3, chance.getrandbits(40)))
        event = message((1, chance.randrange(1, _KINDS)), (2, len(made) * 1000), (3, 900), (4, statistic))
        made += field(4, event)
    return bytes(made)


def _kind(kind: int) -> bytes:
    name = f"%fusion.{kind} = bf16[1024,1024]{{1,0:T(8,128)(2,1)}} fusion(%p0, %p1), kind=kLoop"
    return field(4, message((1, kind), (2, message((1, kind), (2, name), (4, f"fusion.{kind}")))))


def grown_module(buffers: int) -> bytes:
    """An HloProto of a chain of `buffers` fused dots; one in four is kept until its mirror image in it.

    Two events a buffer, and four instructions: a fusion in the schedule, and three in what it calls. So are
    the largest modules of GPUs and TPUs.
    """
    frees = _frees(buffers)
    entry = [field(2, _instruction(1, "p0", "parameter", ()))]
    fused: list[bytes] = []
    order: list[int] = [1]
    events: list[bytes] = []
    for buffer in range(buffers):
        number = _fusion(buffer)
        called = buffer + 2
        instruction = _instruction(number, f"fusion.{number}", "fusion", (order[-1],))
        entry.append(field(2, instruction + field(38, called)))
        order.append(number)
        fused.append(field(3, _fused(called, number)))
        events.append(_event(0, buffer, f"fusion.{number}"))
        events += [_event(1, freed, f"fusion.{_fusion(freed)}") for freed in frees.get(buffer, ())]
    main = message((1, "main"), (5, 1), (6, order[-1])) + b"".join(entry)
    ids = b"".join(field(1, number) for number in order)
    schedule = field(1, message((1, 1), (2, ids)))
    module = message((1, "jit_grown"), (2, "main"), (5, 1), (6, 1), (7, schedule))
    plan = _assignment(buffers, events, "fusion", 0)
    return message((1, module + b"".join(fused) + field(3, main)), (3, plan))


def long_chain(buffers: int) -> bytes:
    """The same with all four instructions of a buffer in the schedule: four points a buffer, none fused."""
    frees = _frees(buffers)
    instructions = [_instruction(1, "p0", "parameter", ())]
    order: list[int] = [1]
    events: list[bytes] = []
    for buffer in range(buffers):
        for step, opcode in enumerate(("reshape", "transpose", "bitcast", "dot")):
            number = _fusion(buffer) + step
            instructions.append(_instruction(number, f"{opcode}.{number}", opcode, (number - 1,)))
            order.append(number)
        events.append(_event(0, buffer, f"dot.{order[-1]}"))
        events += [_event(1, freed, f"dot.{_fusion(freed) + 3}") for freed in frees.get(buffer, ())]
    body = b"".join(field(2, instruction) for instruction in instructions)
    computation = message((1, "main"), (5, 1), (6, order[-1])) + body
    ids = b"".join(field(1, number) for number in order)
    schedule = field(1, message((1, 1), (2, ids)))
    module = message((1, "jit_chain"), (2, "main"), (3, computation), (5, 1), (6, 1), (7, schedule))
    return message((1, module), (3, _assignment(buffers, events, "dot", 3)))


def _fusion(buffer: int) -> int:
    """The number of the fusion that defines a buffer; its three inner instructions come after it."""
    return 2 + 4 * buffer


def _fused(computation: int, fusion: int) -> bytes:
    body = b""
    for step, opcode in enumerate(("parameter", "bitcast", "dot"), start=1):
        number = fusion + step
        operands = (number - 1,) if step > 1 else ()
        body += field(2, _instruction(number, f"{opcode}.{number}", opcode, operands))
    return message((1, f"fused_computation.{fusion}"), (5, computation), (6, fusion + 3)) + body


def _frees(buffers: int) -> dict[int, list[int]]:
    """Buffer → the buffers freed once it is there."""
    freed: dict[int, list[int]] = {}
    for buffer in range(buffers):
        kept = buffer % 4 == 0 and buffer < buffers // 2
        freed.setdefault(buffers - 1 - buffer if kept else min(buffer + 1, buffers - 1), []).append(buffer)
    return freed


def _shape() -> bytes:
    layout = message((1, bytes([1, 0])), (6, field(1, bytes([8, 0x80, 1]))))
    return message((2, 11), (3, bytes([0x80, 2, 0x80, 2])), (5, layout))


def _instruction(number: int, name: str, opcode: str, operands: tuple[int, ...]) -> bytes:
    scope = f"jit(train_step)/layer_{number // 400}/dot_general"
    metadata = message((2, scope), (3, "/train.py"), (4, 1 + number % 300))
    head = message((1, name), (2, opcode), (3, _shape()), (7, metadata), (35, number))
    return head + b"".join(field(36, operand) for operand in operands)


def _event(kind: int, buffer: int, instruction: str) -> bytes:
    number: tuple[tuple[int, int], ...] = ((1, kind),) if kind else ()
    return field(1, message(*number, (2, buffer + 1), (3, "main"), (4, instruction)))


def _assignment(buffers: int, events: list[bytes], opcode: str, step: int) -> bytes:
    """The plan; each buffer is defined by its instruction number `step`, of that opcode."""
    size = 256 * 256 * 4
    slots, used = _slots(buffers)
    logical, assigned = bytearray(), bytearray()
    for buffer, slot in enumerate(slots):
        number = _fusion(buffer) + step
        defined_at = message((2, f"{opcode}.{number}"), (4, number))
        logical += field(1, message((1, buffer + 1), (2, size), (3, defined_at)))
        assigned += field(9, message((1, buffer + 1), (2, slot * size), (3, size)))
    allocation = message((1, 0), (2, size * used)) + bytes(assigned)
    return bytes(logical) + field(3, allocation) + field(4, b"".join(events))


def _slots(buffers: int) -> tuple[list[int], int]:
    """Where each buffer lies, in buffers, and how many lie side by side: freed places are taken again."""
    frees = _frees(buffers)
    slots: list[int] = []
    free: list[int] = []
    used = 0
    for buffer in range(buffers):
        if not free:
            free.append(used)
            used += 1
        slots.append(free.pop())
        free += [slots[freed] for freed in frees.get(buffer, ())]
    return slots, used
