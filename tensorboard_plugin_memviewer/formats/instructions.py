"""Instructions of the wire → columns, with shapes, metadata, stack frames and scoped memory.

One pass over the scheduled computations. References (operands, called computations) are ids in the file, of
instructions that may come later, so they are turned into rows at the end.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np

from tensorboard_plugin_memviewer.errors import Problem
from tensorboard_plugin_memviewer.formats.shape_proto import decode_shape
from tensorboard_plugin_memviewer.model.module import Instructions, Rows, ScopedMemory, StackFrame
from tensorboard_plugin_memviewer.model.op_metadata import NO_METADATA, OpMetadata
from tensorboard_plugin_memviewer.model.shape import Shape
from tensorboard_plugin_memviewer.protos import memviewer_hlo_pb2 as pb

_SCOPED_KEY = "used_scoped_memory_configs"
_SCOPED_BYTES = _SCOPED_KEY.encode()


# Decoded messages are large: only about so many exist at a time.
_AT_ONCE = 4096

_Key = TypeVar("_Key", str, bytes)


class InstructionTable:
    """Columns that grow while computations are added; `finish` freezes them."""

    def __init__(self, frame_count: int) -> None:
        self._frame_count = frame_count
        self.row_of_id: dict[int, int] = {}
        self.instruction_count = 0
        # The computation that a fusion runs, by the fusion's row: its id, for fused ones are not decoded.
        self.fusions: dict[int, int] = {}
        self._names: list[str] = []
        self._opcode: list[int] = []
        self._opcodes: dict[str, int] = {}
        self._shape: list[int] = []
        self._shapes: dict[bytes, int] = {}
        self._metadata: list[int] = []
        self._metadata_rows: dict[bytes, int] = {b"": 0}
        self._computation: list[int] = []
        self._operand_start: list[int] = [0]
        self._operand_ids: list[int] = []
        self._called_start: list[int] = [0]
        self._called_ids: list[int] = []
        self._parameter_number: list[int] = []
        self._tuple_index: list[int] = []
        self._fusion_kind: dict[int, str] = {}
        self._custom_call_target: dict[int, str] = {}
        self._scoped: list[tuple[int, int, int, int]] = []
        self._largest_scoped: dict[int, tuple[int, str]] = {}
        self._scoped_texts: dict[bytes, list[tuple[int, int, int]]] = {}
        self._bad_configs = 0
        self._pending: list[pb.Instruction] = []

    @property
    def row_count(self) -> int:
        """Instructions decoded so far."""
        return len(self._computation)

    def add_computation(self, instructions: Sequence[bytes], computation: int) -> None:
        """Decodes serialized instructions; `computation` is the row of the computation that they are of."""
        parse = pb.Instruction.FromString
        for start in range(0, len(instructions), _AT_ONCE):
            found = [parse(data) for data in instructions[start : start + _AT_ONCE]]
            self._pending += found
            self._computation += [computation] * len(found)
            if len(self._pending) >= _AT_ONCE:
                self._flush()

    def skip_computation(self, instructions: Sequence[bytes], whole: bytes) -> None:
        """Counts the instructions of a computation that is not decoded; sees what its bytes, `whole`, say of
        scoped memory.
        """
        self.instruction_count += len(instructions)
        if _SCOPED_BYTES not in whole:
            return
        # In the order of the file: the first of equal configurations is named.
        self._flush()
        for data in instructions:
            if _SCOPED_BYTES in data:
                self._scoped_configs(pb.Instruction.FromString(data))

    def _flush(self) -> None:
        """Column by column: a loop over the fields of each instruction takes half as long again."""
        found, self._pending = self._pending, []
        first = len(self._names)
        self.instruction_count += len(found)
        self.row_of_id.update((one.id, row) for row, one in enumerate(found, first))
        self._names += [one.name for one in found]
        self._opcode += _numbered(self._opcodes, [one.opcode for one in found])
        self._shape += _numbered(self._shapes, [one.shape for one in found])
        self._metadata += _numbered(self._metadata_rows, [one.metadata for one in found])
        self._parameter_number += [one.parameter_number for one in found]
        self._tuple_index += [one.tuple_index for one in found]
        for one in found:
            self._operand_ids += one.operand_ids[:]
            self._operand_start.append(len(self._operand_ids))
        for row, one in enumerate(found, first):
            if called := one.called_computation_ids:
                self._called_ids += called[:]
                if one.opcode == "fusion":
                    self.fusions[row] = called[0]
            self._called_start.append(len(self._called_ids))
        self._fusion_kind.update(
            (r, one.fusion_kind) for r, one in enumerate(found, first) if one.fusion_kind
        )
        targets = ((row, one.custom_call_target) for row, one in enumerate(found, first))
        self._custom_call_target.update((row, target) for row, target in targets if target)
        for row, one in enumerate(found, first):
            if _SCOPED_BYTES in one.backend_config:
                self._scoped += [(row, *config) for config in self._scoped_configs(one)]

    def _scoped_configs(self, instruction: pb.Instruction) -> Iterable[tuple[int, int, int]]:
        try:
            configs = self._configs_of(instruction.backend_config)
        except (ValueError, TypeError, AttributeError, OverflowError, RecursionError):
            self._bad_configs += 1
            return ()
        for space, _, size in configs:
            if size > self._largest_scoped.get(space, (0, ""))[0]:
                self._largest_scoped[space] = (size, instruction.name)
        return configs

    def _configs_of(self, config: bytes) -> list[tuple[int, int, int]]:
        """Texts repeat: each is read once."""
        found = self._scoped_texts.get(config)
        if found is None:
            found = self._scoped_texts[config] = scoped_configs(config)
        return found

    def finish(
        self, computation_ids: list[int], problems: list[Problem]
    ) -> tuple[Instructions, list[Shape], tuple[OpMetadata, ...], ScopedMemory]:
        """The frozen columns, and the tables they index. `computation_ids` are those of the added
        computations.
        """
        self._flush()
        if self._bad_configs:
            problems.append(
                Problem(
                    "scoped_memory",
                    f"the scoped memory of {self._bad_configs} instructions cannot be read",
                    "It is left out of the usage.",
                )
            )
        instructions = self._instructions({key: row for row, key in enumerate(computation_ids)})
        shapes = [decode_shape(data) for data in self._shapes]
        metadata = tuple(decode_metadata(data, self._frame_count) for data in self._metadata_rows)
        return instructions, shapes, metadata, ScopedMemory.of(self._scoped, self._largest_scoped)

    def _instructions(self, computation_rows: dict[int, int]) -> Instructions:
        operand_start, operands = _rows(self._operand_start, self._operand_ids, self.row_of_id)
        called_start, called = _rows(self._called_start, self._called_ids, computation_rows)
        return Instructions(
            ids=np.fromiter(self.row_of_id, np.int64)
            if len(self.row_of_id) == self.row_count
            else self._ids(),
            names=tuple(self._names),
            opcode=np.array(self._opcode, np.int32),
            opcodes=tuple(self._opcodes),
            shape=np.array(self._shape, np.int32),
            metadata=np.array(self._metadata, np.int32),
            computation=np.array(self._computation, np.int32),
            operand_start=operand_start,
            operands=operands,
            called_start=called_start,
            called=called,
            parameter_number=np.array(self._parameter_number, np.int64),
            tuple_index=np.array(self._tuple_index, np.int64),
            fusion_kind=self._fusion_kind,
            custom_call_target=self._custom_call_target,
        )

    def _ids(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """Ids by row where the file gives one id to several instructions: the last one owns it."""
        ids = np.full(self.row_count, -1, np.int64)
        for key, row in self.row_of_id.items():
            ids[row] = key
        return ids


def _numbered(numbers: dict[_Key, int], keys: list[_Key]) -> list[int]:
    """The number of each key in a table that grows by the new ones."""
    return [numbers.setdefault(key, len(numbers)) for key in keys]


def _rows(starts: list[int], ids: list[int], row_of_id: dict[int, int]) -> tuple[Rows, Rows]:
    """Compressed rows of references; those that name nothing decoded are dropped."""
    rows = np.fromiter((row_of_id.get(key, -1) for key in ids), np.int32, len(ids))
    known = rows >= 0
    kept_before = np.concatenate(([0], np.cumsum(known))).astype(np.int32)
    return kept_before[np.array(starts, np.int64)], rows[known]


def scoped_configs(config: bytes) -> list[tuple[int, int, int]]:
    """`(memory space, offset, size in bytes)` of each scoped memory configuration in a backend_config's JSON.

    Numbers stand there as numbers or as decimal strings; a field at its default may be missing. Raises
    ValueError, TypeError, AttributeError or OverflowError where the text has another form.
    """
    found = json.loads(config).get(_SCOPED_KEY) or []
    configs = []
    for entry in found:
        space, offset, size = (int(entry.get(key) or 0) for key in ("memory_space", "offset", "size"))
        if not (0 <= space < 1 << 31 and 0 <= size < 1 << 62 and abs(offset) < 1 << 62):
            raise ValueError("a scoped memory configuration is out of range")
        configs.append((space, offset, size))
    return configs


def decode_metadata(data: bytes, frame_count: int) -> OpMetadata:
    """An OpMetadata of the wire. A stack frame that the module's index lacks is dropped."""
    if not data:
        return NO_METADATA
    message = pb.OpMetadata.FromString(data)
    frame = message.stack_frame_id - 1  # 1-based on the wire, 0 is none
    return OpMetadata(
        op_name=message.op_name,
        source_file=message.source_file,
        source_line=message.source_line if message.source_file else None,
        frame=frame if 0 <= frame < frame_count else None,
    )


def decode_frames(index: pb.StackFrameIndex | None, problems: list[Problem]) -> tuple[StackFrame, ...]:
    """The stack frames of a module. References out of range read as empty; a frame that is its own ancestor
    is cut off.
    """
    if index is None:
        return ()
    files, functions, locations = index.file_names, index.function_names, index.file_locations
    frames = []
    broken = 0
    for row, frame in enumerate(index.stack_frames):
        known = 0 < frame.file_location_id <= len(locations)
        location = locations[frame.file_location_id - 1] if known else None
        parent: int | None = frame.parent_frame_id - 1
        if not 0 <= (parent or 0) < len(index.stack_frames):
            parent = None
        broken += not known
        frames.append(
            StackFrame(
                file=_name(files, location.file_name_id if location else 0),
                function=_name(functions, location.function_name_id if location else 0),
                line=location.line if location else 0,
                column=location.column if location else 0,
                parent=None if parent is None or parent == row else parent,
            )
        )
    return _without_cycles(frames, broken, problems)


def _name(names: Iterable[str] | object, key: int) -> str:
    return names[key - 1] if 0 < key <= len(names) else ""  # type: ignore[arg-type,index]


def _without_cycles(frames: list[StackFrame], broken: int, problems: list[Problem]) -> tuple[StackFrame, ...]:
    """Cuts the parent link that closes a cycle, so that every walk outwards ends."""
    done = [False] * len(frames)
    for first in range(len(frames)):
        row: int | None = first
        on_path: set[int] = set()
        previous = first
        while row is not None and not done[row]:
            if row in on_path:
                old = frames[previous]
                frames[previous] = StackFrame(old.file, old.function, old.line, old.column, None)
                broken += 1
                break
            on_path.add(row)
            previous, row = row, frames[row].parent
        for visited in on_path:
            done[visited] = True
    if broken:
        problems.append(
            Problem("stack_frames", f"{broken} stack frames are damaged", "Some source stacks are cut short.")
        )
    return tuple(frames)
