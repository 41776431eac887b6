"""A module's text → the bytes of the HloProto that holds the same module, without a buffer assignment.

So the text is read into the same columns as a dump's protobuf, by the same code. Ids are made up: the text
has names only. Of computations that are neither decoded nor run by a fusion, only the number of instructions
and scoped memory are kept.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final

from tensorboard_plugin_memviewer.formats import wire
from tensorboard_plugin_memviewer.formats.hlo_line import (
    InstructionText,
    config_json,
    parse_instruction,
    parse_metadata,
)
from tensorboard_plugin_memviewer.formats.hlo_text import ComputationText, FrameTables, ModuleText
from tensorboard_plugin_memviewer.formats.shape_proto import encode_shape
from tensorboard_plugin_memviewer.formats.shape_text import parse_shape
from tensorboard_plugin_memviewer.protos import memviewer_hlo_pb2 as pb

_HLO_MODULE: Final = 1
_NAME, _ENTRY_NAME, _COMPUTATION, _SCHEDULE, _FRAMES = 1, 2, 3, 7, 17
_SCOPED: Final = "used_scoped_memory_configs"
_NO_SCOPED = re.compile(r'used_scoped_memory_configs\\?":\s?\[\]')


def encode_module(module: ModuleText, wanted: Collection[str] = ()) -> bytes:
    """The HloProto of a module.

    Decoded computations are those that the entry reaches other than by fusions, and those that define an
    instruction named in `wanted`.
    """
    encoder = _Encoder(module)
    decoded = _decoded(module, frozenset(wanted))
    fused = {
        name
        for computation in module.computations
        if computation.name in decoded
        for one in computation.instructions
        if one.opcode == "fusion"
        for name in one.calls
    }
    for computation in module.computations:
        if computation.name in decoded:
            encoder.add(computation)
        elif computation.name in fused:
            encoder.add_fused(computation)
        else:
            encoder.skip(computation)
    return wire.field(_HLO_MODULE, encoder.module_bytes())


def _decoded(module: ModuleText, wanted: frozenset[str]) -> set[str]:
    by_name = {computation.name: computation for computation in module.computations}
    found: set[str] = set()
    defined: set[str] = set()

    def reach(first: Iterable[str]) -> None:
        ahead = [name for name in first if name in by_name and name not in found]
        while ahead:
            computation = by_name[ahead.pop()]
            if computation.name in found:
                continue
            found.add(computation.name)
            defined.update(one.name for one in computation.instructions)
            for one in computation.instructions:
                if one.opcode != "fusion":
                    ahead += [name for name in one.calls if name in by_name and name not in found]

    if module.entry is not None:
        reach([module.entry.name])
    if wanted - defined:
        lacking = wanted - defined
        reach([name for name, one in by_name.items() if name not in found and lacking & one.names()])
    return found


class _Encoder:
    """Numbers computations in their order and instructions as they are added."""

    def __init__(self, module: ModuleText) -> None:
        self._module = module
        self._computation_ids = {one.name: number for number, one in enumerate(module.computations, 1)}
        self._next_id = 1
        self._fields: list[bytes] = []
        self._schedule = pb.Schedule()
        self._shapes: dict[str, bytes] = {}
        self._metadata: dict[str, bytes] = {"": b""}

    def add(self, computation: ComputationText) -> None:
        """A computation with all its instructions, which are its schedule if the module has one."""
        first = self._next_id
        found = computation.instructions
        self._next_id += len(found)
        ids = {one.name: first + at for at, one in enumerate(found)}
        number = self._computation_ids[computation.name]
        message = pb.Computation(name=computation.name, id=number)
        for one, key in zip(found, range(first, self._next_id), strict=True):
            message.instructions.append(self._instruction(one, key, ids))
            if one.is_root:
                message.root_id = key
        self._fields.append(wire.field(_COMPUTATION, message.SerializeToString()))
        if self._module.is_scheduled:
            self._schedule.sequences[number].instruction_ids.extend(range(first, self._next_id))

    def add_fused(self, computation: ComputationText) -> None:
        """What a fusion runs: its instructions without shapes, which make no buffers."""
        found = computation.instructions
        ids = {one.name: key for key, one in enumerate(found, 1)}
        message = pb.Computation(
            name=computation.name, id=self._computation_ids[computation.name], is_fusion=True
        )
        for one in found:
            key = ids[one.name]
            instruction = pb.Instruction(
                name=one.name,
                opcode=one.opcode,
                metadata=self._metadata_bytes(one.metadata),
                parameter_number=one.parameter_number,
                id=key,
                operand_ids=[ids.get(name, 0) for name in one.operands],
                backend_config=_scoped_config(one),
            )
            message.instructions.append(instruction.SerializeToString())
            if one.is_root:
                message.root_id = key
        self._fields.append(wire.field(_COMPUTATION, message.SerializeToString()))

    def skip(self, computation: ComputationText) -> None:
        """A computation of which only the number of instructions counts, and its scoped memory."""
        message = pb.Computation(
            name=computation.name, id=self._computation_ids[computation.name], is_fusion=True
        )
        message.instructions.extend(_only_scoped(line) for line in computation.lines if line.strip())
        self._fields.append(wire.field(_COMPUTATION, message.SerializeToString()))

    def module_bytes(self) -> bytes:
        """The HloModuleProto of all that was added."""
        entry = self._module.entry
        head = wire.field(_NAME, self._module.name.encode(errors="replace"))
        if entry is not None:
            head += wire.field(_ENTRY_NAME, entry.name.encode(errors="replace"))
        if self._module.is_scheduled:
            head += wire.field(_SCHEDULE, self._schedule.SerializeToString())
        return head + wire.field(_FRAMES, _frames(self._module.frames)) + b"".join(self._fields)

    def _instruction(self, one: InstructionText, key: int, ids: dict[str, int]) -> bytes:
        return pb.Instruction(
            name=one.name,
            opcode=one.opcode,
            shape=self._shape(one.shape),
            metadata=self._metadata_bytes(one.metadata),
            parameter_number=one.parameter_number,
            fusion_kind=one.fusion_kind,
            tuple_index=one.tuple_index,
            custom_call_target=one.custom_call_target,
            id=key,
            # What the text does not define stays an id that nothing has.
            operand_ids=[ids.get(name, 0) for name in one.operands],
            called_computation_ids=[self._computation_ids.get(name, 0) for name in one.calls],
            backend_config=_scoped_config(one),
        ).SerializeToString()

    def _shape(self, text: str) -> bytes:
        found = self._shapes.get(text)
        if found is None:
            found = self._shapes[text] = _shape_bytes(text)
        return found

    def _metadata_bytes(self, text: str) -> bytes:
        found = self._metadata.get(text)
        if found is None:
            message = pb.OpMetadata(**parse_metadata(text)._asdict())
            found = self._metadata[text] = message.SerializeToString()
        return found


def _shape_bytes(text: str) -> bytes:
    """The ShapeProto of a shape's text; of one that cannot be read or written, of an unknown shape."""
    shape = parse_shape(text)
    try:
        return b"" if shape is None else encode_shape(shape)
    except ValueError:  # a number that no compiler writes
        return b""


def _scoped_config(one: InstructionText) -> bytes:
    return config_json(one.config).encode(errors="replace") if _SCOPED in one.config else b""


def _only_scoped(line: str) -> bytes:
    if _SCOPED not in line or _NO_SCOPED.search(line) is not None:
        return b""
    found = parse_instruction(line)
    if found is None:
        return b""
    return pb.Instruction(name=found.name, backend_config=_scoped_config(found)).SerializeToString()


def _frames(tables: FrameTables) -> bytes:
    # XLA writes the number of a frame's parent one higher than its protobuf has it, so that none is 1.
    shift = 1 if all(frame.get("parent_frame_id") for frame in tables.stack_frames) else 0
    index = pb.StackFrameIndex(file_names=tables.file_names, function_names=tables.function_names)
    for row in tables.file_locations:
        index.file_locations.add(
            file_name_id=row.get("file_name_id", 0),
            function_name_id=row.get("function_name_id", 0),
            line=row.get("line", 0),
            column=row.get("column", 0),
        )
    for row in tables.stack_frames:
        index.stack_frames.add(
            file_location_id=row.get("file_location_id", 0),
            parent_frame_id=row.get("parent_frame_id", 0) - shift,
        )
    return index.SerializeToString()
