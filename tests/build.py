"""Makes a module from a few readable lines, through the same bytes that a compiler would write.

    entry main:
      p = f32[16] parameter()
      a = f32[16] add(p, p)
      r = f32[16] multiply(a, p)
    alloc parameter 64: p:64
    alloc output 64: r:64
    alloc temp 64: a:64@0
    trace: +a -a

- `NAME:` after `entry` or `computation` opens a computation; `unscheduled` before either keeps it out of the
  schedule; `fused NAME:` opens what a fusion runs;
- an instruction is `name = shape opcode(operands)`, then maybe `calls=x,y`, `op="framework/name"`,
  `source="FILE:LINE"` (where there is an `op`), `scoped=SPACE:SIZE`, `index=N` (of a get-tuple-element),
  `number=N` (of a parameter), `target="NAME"` (of a custom-call);
- `alloc FLAGS SIZE [space=N]:` has `NAME[{INDEX}]:SIZE[@OFFSET]` a buffer; flags are parameter, output,
  thread_local, constant, temp, joined by `+`;
- `one: x y z{0}` makes the values named one buffer (XLA's buffer_aliases);
- a trace has `+x` ALLOC, `-x` FREE, `~x=y` x SHARE_WITH y.

Ids are 1, 2, … by instruction; a buffer's id is 100 + its position. Shapes need no layout.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module
from tensorboard_plugin_memviewer.model.module import Module
from tensorboard_plugin_memviewer.model.shape import ELEMENT_TYPES, TUPLE
from tensorboard_plugin_memviewer.protos import memviewer_hlo_pb2 as hlo
from tensorboard_plugin_memviewer.protos import memviewer_shape_pb2 as shapes

_INSTRUCTION = re.compile(r"(\S+) = (\(.*?\)|\S+) ([\w-]+)\((.*?)\)(.*)")
_ALLOC = re.compile(r"alloc (\S+) (\d+)(?: space=(\d+))?:(.*)")
_BUFFER = re.compile(r"([\w.\-]+)(\{[\d,]*\})?:(\d+)(?:@(-?\d+))?")
_NUMBERS = {kind.name: number for number, kind in ELEMENT_TYPES.items()}


def module(text: str) -> Module:
    """The module that the lines describe."""
    return decode_module(hlo_bytes(text))


def hlo_bytes(text: str) -> bytes:
    """The HloProto that the lines describe."""
    builder = _Builder()
    for line in text.strip().splitlines():
        builder.line(line.strip())
    return builder.finish()


def field_bytes(number: int, payload: bytes) -> bytes:
    """One length-delimited field of the wire format."""
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def varint(value: int) -> bytes:
    """An unsigned varint."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


@dataclass
class _Computation:
    name: str
    id: int
    scheduled: bool
    fused: bool
    instructions: list[hlo.Instruction] = field(default_factory=list)


class _Builder:
    def __init__(self) -> None:
        self._computations: list[_Computation] = []
        self._entry: _Computation | None = None
        self._instructions: dict[str, hlo.Instruction] = {}
        self._calls: list[tuple[hlo.Instruction, list[str]]] = []
        self._assignment = hlo.BufferAssignment()
        self._buffers: dict[str, int] = {}

    def line(self, line: str) -> None:
        if not line or line.startswith("#"):
            return
        if re.fullmatch(r"(unscheduled )?(entry|computation|fused) \S+:", line):
            self._open(line)
        elif line.startswith("alloc "):
            self._allocate(line)
        elif line.startswith("one:"):
            self._alias(line.removeprefix("one:").split())
        elif line.startswith("trace:"):
            self._trace(line.removeprefix("trace:").split())
        else:
            self._instruct(line)

    def _open(self, line: str) -> None:
        *words, name = line[:-1].split()
        scheduled = "unscheduled" not in words and "fused" not in words
        computation = _Computation(name, len(self._computations) + 1, scheduled, "fused" in words)
        self._computations.append(computation)
        if "entry" in words:
            self._entry = computation

    def _instruct(self, line: str) -> None:
        found = _INSTRUCTION.fullmatch(line)
        assert found, line
        name, shape, opcode, operands, rest = found.groups()
        instruction = hlo.Instruction(name=name, opcode=opcode, id=len(self._instructions) + 1)
        instruction.shape = shape_bytes(shape)
        instruction.operand_ids.extend(
            self._instructions[operand.strip()].id for operand in operands.split(",") if operand.strip()
        )
        self._attributes(instruction, dict(re.findall(r'(\w+)=("[^"]*"|\S+)', rest)))
        self._instructions[name] = instruction
        self._computations[-1].instructions.append(instruction)

    def _attributes(self, instruction: hlo.Instruction, attributes: dict[str, str]) -> None:
        if "calls" in attributes:
            self._calls.append((instruction, attributes["calls"].split(",")))
        if "op" in attributes:
            file, _, line = attributes.get("source", "").strip('"').rpartition(":")
            metadata = hlo.OpMetadata(op_name=attributes["op"].strip('"'), source_file=file)
            metadata.source_line = int(line or 0)
            instruction.metadata = metadata.SerializeToString()
        if "scoped" in attributes:
            space, size = attributes["scoped"].split(":")
            instruction.backend_config = (
                f'{{"used_scoped_memory_configs":[{{"memory_space":"{space}","size":"{size}"}}]}}'.encode()
            )
        instruction.custom_call_target = attributes.get("target", "").strip('"')
        instruction.tuple_index = int(attributes.get("index", 0))
        instruction.parameter_number = int(attributes.get("number", 0))

    def _allocate(self, line: str) -> None:
        found = _ALLOC.fullmatch(line)
        assert found, line
        flags, size, space, buffers = found.groups()
        allocation = self._assignment.buffer_allocations.add(
            index=len(self._assignment.buffer_allocations), size=int(size), color=int(space or 0)
        )
        for flag in flags.split("+"):
            attribute = {
                "parameter": "is_entry_computation_parameter",
                "output": "maybe_live_out",
                "thread_local": "is_thread_local",
                "constant": "is_constant",
            }.get(flag)
            if attribute is not None:
                setattr(allocation, attribute, True)
        for name, index, bytes_, offset in _BUFFER.findall(buffers):
            buffer = self._buffer(name, index, int(bytes_), int(space or 0))
            allocation.assigned.add(logical_buffer_id=buffer, offset=int(offset or 0), size=int(bytes_))

    def _buffer(self, name: str, index: str, size: int, space: int) -> int:
        key = 100 + len(self._buffers)
        self._buffers[name + index] = key
        buffer = self._assignment.logical_buffers.add(id=key, size=size, color=space)
        buffer.defined_at.instruction_id = self._instructions[name].id
        buffer.defined_at.shape_index.extend(int(step) for step in index.strip("{}").split(",") if step)
        return key

    def _alias(self, names: list[str]) -> None:
        for name in names[1:]:
            instruction, _, index = name.partition("{")
            alias = self._assignment.buffer_aliases.add(source_buffer_id=self._buffers[names[0]])
            alias.location.instruction_id = self._instructions[instruction].id
            alias.location.shape_index.extend(int(step) for step in index.strip("}").split(",") if step)

    def _trace(self, events: list[str]) -> None:
        trace = self._assignment.heap_simulator_traces.add()
        for text in events:
            kind = "+-~".index(text[0])
            name, _, canonical = text[1:].partition("=")
            event = trace.events.add(kind=hlo.HeapSimulatorTrace.Event.Kind.Name(kind))
            event.buffer_id = self._buffers.get(name, 999_999)
            if name in self._buffers:
                event.instruction_name = name.partition("{")[0]
            if canonical:
                event.share_with_canonical_id = self._buffers[canonical]

    def finish(self) -> bytes:
        ids = {computation.name: computation.id for computation in self._computations}
        for instruction, names in self._calls:
            instruction.called_computation_ids.extend(ids[name] for name in names)
        entry = self._entry or self._computations[-1]
        parts = [field_bytes(1, b"built"), field_bytes(2, entry.name.encode())]
        schedule = hlo.Schedule()
        for computation in self._computations:
            parts.append(field_bytes(3, self._computation_bytes(computation)))
            if computation.scheduled:
                rows = schedule.sequences[computation.id]
                rows.instruction_ids.extend(instruction.id for instruction in computation.instructions)
        parts.append(varint(5 << 3) + varint(7))
        parts.append(varint(6 << 3) + varint(entry.id))
        parts.append(field_bytes(7, schedule.SerializeToString()))
        return field_bytes(1, b"".join(parts)) + field_bytes(3, self._assignment.SerializeToString())

    def _computation_bytes(self, computation: _Computation) -> bytes:
        root = computation.instructions[-1].id if computation.instructions else 0
        head = hlo.Computation(
            name=computation.name, id=computation.id, root_id=root, is_fusion=computation.fused
        )
        body = b"".join(field_bytes(2, i.SerializeToString()) for i in computation.instructions)
        return head.SerializeToString() + body


def shape_bytes(text: str) -> bytes:
    """The ShapeProto of `f32[2,3]`, or of a tuple `(f32[2],(s32[],f32[2]))`."""
    return _shape(text).SerializeToString()


def _shape(text: str) -> shapes.Shape:
    if text.startswith("("):
        return shapes.Shape(element_type=TUPLE, tuple_shapes=[_shape(element) for element in _elements(text)])
    kind, _, dimensions = text.partition("[")
    sizes = [int(size) for size in dimensions.rstrip("]").split(",") if size]
    return shapes.Shape(element_type=_NUMBERS[kind], dimensions=sizes)


def _elements(text: str) -> list[str]:
    """The texts between the commas of a tuple that are in no inner brackets."""
    elements, depth = [""], 0
    for character in text[1:-1]:
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            elements.append("")
        else:
            elements[-1] += character
    return [stripped for element in elements if (stripped := element.strip())]
