"""Bytes of an `xla.HloProto` → `Module`.

Fields are hopped over, not parsed as a whole: fused computations hold most of the bytes of a module and
nothing of its memory plan, so only scheduled computations are decoded, and of fused ones the ends (fused.py).
Shapes and metadata repeat; each distinct byte string is decoded once. Knows nothing of files; the caller adds
the file's name to an error.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from google.protobuf.message import DecodeError

from tensorboard_plugin_memviewer.errors import DUMP_FLAGS, Damaged, Problem, Unsupported
from tensorboard_plugin_memviewer.formats import wire
from tensorboard_plugin_memviewer.formats.buffer_assignment import decode_buffer_assignment
from tensorboard_plugin_memviewer.formats.compiler_age import has_late_async_values
from tensorboard_plugin_memviewer.formats.fused import FusedTable
from tensorboard_plugin_memviewer.formats.instructions import InstructionTable, decode_frames
from tensorboard_plugin_memviewer.model.check import check_module
from tensorboard_plugin_memviewer.model.contradictions import contradictions
from tensorboard_plugin_memviewer.model.module import Computations, Module, Rows
from tensorboard_plugin_memviewer.model.shape import Shape
from tensorboard_plugin_memviewer.model.space import TPU_ONLY
from tensorboard_plugin_memviewer.protos import memviewer_hlo_pb2 as pb

_HLO_MODULE = 1
_BUFFER_ASSIGNMENT = 3
# Of HloModuleProto.
_NAME, _ENTRY_NAME, _COMPUTATIONS, _ENTRY_ID, _SCHEDULE, _STACK_FRAMES = 1, 2, 3, 6, 7, 17

NO_PLAN_ADVICE = (
    "Capture again with a jaxlib or TensorFlow that records HLO (jax.profiler does), or dump the module with "
    f"{DUMP_FLAGS} and open its *after_optimizations.hlo.pb."
)


def decode_module(data: wire.Buffer, platform: str | None = None) -> Module:
    """The module in the serialized HloProto `data`.

    `platform` ("tpu", "gpu", "cpu") is what the caller knows of it; where None it is guessed from tiled
    layouts. Raises Damaged where `data` is no HloProto, Unsupported where it holds no buffer assignment.
    """
    parts = _top_level(data)
    module_span = parts.get(_HLO_MODULE)
    if module_span is None:
        raise Damaged(
            "there is no HLO module in it",
            "Check that it is an XLA HloProto: *.hlo_proto.pb, or *after_optimizations.hlo.pb of a dump.",
        )
    try:
        head = _read_head(data, *module_span)
        if _BUFFER_ASSIGNMENT not in parts:
            raise Unsupported(f"module {head.name!r} has no buffer assignment", NO_PLAN_ADVICE)
        start, end = parts[_BUFFER_ASSIGNMENT]
        assignment = pb.BufferAssignment.FromString(bytes(data[start:end]))
        return _assemble(data, head, assignment, platform)
    except (DecodeError, OverflowError, RecursionError) as error:
        raise Damaged(
            f"the module cannot be decoded ({error})", "The file is cut short or altered: capture it again."
        ) from error


@dataclass(slots=True)
class _Head:
    """The fields of HloModuleProto beside its computations, which stay spans of the data."""

    name: str = ""
    entry_name: str = ""
    entry_id: int | None = None
    schedule: dict[int, list[int]] | None = None
    computations: list[tuple[int, int]] | None = None
    frame_index: pb.StackFrameIndex | None = None


def _top_level(data: wire.Buffer) -> dict[int, tuple[int, int]]:
    return {number: (a, b) for number, kind, a, b in wire.fields(data) if kind == wire.BYTES}


def _read_head(data: wire.Buffer, start: int, end: int) -> _Head:
    head = _Head(computations=[])
    assert head.computations is not None
    for number, kind, a, b in wire.fields(data, start, end):
        if number == _COMPUTATIONS and kind == wire.BYTES:
            head.computations.append((a, b))
        elif number == _NAME and kind == wire.BYTES:
            head.name = wire.text(data, a, b)
        elif number == _ENTRY_NAME and kind == wire.BYTES:
            head.entry_name = wire.text(data, a, b)
        elif number == _ENTRY_ID and kind == wire.VARINT:
            head.entry_id = wire.signed(a)
        elif number == _SCHEDULE and kind == wire.BYTES:
            schedule = pb.Schedule.FromString(bytes(data[a:b]))
            head.schedule = {key: list(value.instruction_ids) for key, value in schedule.sequences.items()}
        elif number == _STACK_FRAMES and kind == wire.BYTES:
            head.frame_index = pb.StackFrameIndex.FromString(bytes(data[a:b]))
    return head


def _assemble(
    data: wire.Buffer, head: _Head, assignment: pb.BufferAssignment, platform: str | None
) -> Module:
    problems: list[Problem] = []
    frames = decode_frames(head.frame_index, problems)
    table = InstructionTable(len(frames))
    fused = FusedTable()
    heads = _decode_computations(data, head, table, fused)
    ids = [head.id for head, _ in heads]
    if head.schedule and len(set(ids)) < len(ids):
        raise Damaged(
            "two computations have the same id", "The file is altered: capture the profile or dump again."
        )
    instructions, shapes, metadata, scoped = table.finish(ids, problems)
    computations = _computations(heads, head, table, problems)
    buffers, allocations, traces = decode_buffer_assignment(assignment, instructions, shapes, problems)
    module = Module(
        name=head.name,
        entry=_entry_row(computations, head),
        entry_name=head.entry_name,
        instruction_count=table.instruction_count,
        platform=platform,
        computations=computations,
        instructions=instructions,
        shapes=tuple(shapes),
        metadata=metadata,
        frames=frames,
        scoped=scoped,
        buffers=buffers,
        allocations=allocations,
        traces=traces,
        has_schedule=bool(head.schedule),
        problems=tuple(problems),
        late_async_values=has_late_async_values(data, head.computations or (), instructions),
        fused=fused.finish(table.fusions, len(frames)),
    )
    if module.platform is None:
        module = replace(module, platform=guess_platform(module))
    check_module(module)
    return replace(module, problems=(*module.problems, *contradictions(module)))


def _decode_computations(
    data: wire.Buffer, head: _Head, table: InstructionTable, fused: FusedTable
) -> list[tuple[pb.Computation, int]]:
    """Decodes what can hold a part of the plan into `table`; gives them emptied, with their first rows. Of
    fused computations, `fused` takes what makes their results.

    With a schedule that is what the schedule lists and the entry; without one, all that is not fused.
    """
    decoded: list[tuple[pb.Computation, int]] = []
    for start, end in head.computations or ():
        whole = bytes(data[start:end])
        computation = pb.Computation.FromString(whole)
        if head.schedule:
            wanted = computation.id in head.schedule or computation.id == head.entry_id
        else:
            wanted = not computation.is_fusion
        if wanted:
            decoded.append((computation, table.row_count))
            table.add_computation(computation.instructions, len(decoded) - 1)
            computation.ClearField("instructions")
        else:
            table.skip_computation(computation.instructions, whole)
            if computation.is_fusion:
                fused.add(computation, whole)
    return decoded


def _computations(
    heads: list[tuple[pb.Computation, int]], head: _Head, table: InstructionTable, problems: list[Problem]
) -> Computations:
    sequences: list[Rows | None] = []
    for computation, _ in heads:
        ids = (head.schedule or {}).get(computation.id)
        if ids is None:
            sequences.append(None)
            continue
        rows = [table.row_of_id[i] for i in ids if i in table.row_of_id]
        if len(rows) < len(ids):
            problems.append(
                Problem(
                    "schedule",
                    f"the schedule of {computation.name!r} names {len(ids) - len(rows)} unknown instructions",
                    "Those program points are missing; the rest of the order is shown.",
                )
            )
        sequences.append(np.array(rows, np.int32))
    return Computations(
        ids=tuple(computation.id for computation, _ in heads),
        names=tuple(computation.name for computation, _ in heads),
        first=(*(first for _, first in heads), table.row_count),
        root=tuple(table.row_of_id.get(computation.root_id, -1) for computation, _ in heads),
        sequence=tuple(sequences),
    )


def _entry_row(computations: Computations, head: _Head) -> int | None:
    if head.entry_id in computations.ids:
        return computations.ids.index(head.entry_id)
    if head.entry_name in computations.names:
        return computations.names.index(head.entry_name)
    return None


def guess_platform(module: Module) -> str | None:
    """ "tpu" where a layout is tiled or a space is used that only TPUs have; else unknown.

    XLA writes tiles such as T(8,128) for TPU only.
    """
    if any(_is_tiled(shape) for shape in module.shapes):
        return "tpu"
    spaces = set(np.unique(module.allocations.space).tolist()) | set(np.unique(module.scoped.space).tolist())
    return "tpu" if spaces & TPU_ONLY else None


def _is_tiled(shape: Shape) -> bool:
    if shape.layout is not None and shape.layout.tiles:
        return True
    return any(_is_tiled(element) for element in shape.tuple_shapes)
