"""A module's buffer assignment in one memory space as XProf sees it: which allocations, which shapes, which
words.

Differs from ours (model/module.py, docs/numbers.md) where XProf does: a shape index is followed by its last
step only, sub-byte types without a size in the layout take a byte, an allocation is indefinite by three of
four flags.
"""

from __future__ import annotations

import numpy as np

from tensorboard_plugin_memviewer.analysis.sources import stack_of
from tensorboard_plugin_memviewer.model.module import AllocationType, HeapTrace, Module
from tensorboard_plugin_memviewer.model.op_metadata import OpMetadata
from tensorboard_plugin_memviewer.model.shape import BUFFER, OPAQUE, POINTER_BYTES, Shape
from tensorboard_plugin_memviewer.xprof_answer.proto_json import Json, present


class Assignment:
    """The allocations of memory space `space`: `rows` by their index, `indefinite` those of them that live to
    the end.

    `sizes` holds bytes by row for every allocation. Buffers are named by their row in LogicalBuffers.
    """

    def __init__(self, module: Module, space: int) -> None:
        allocations = module.allocations
        self.module = module
        self.space = space
        self.sizes: list[int] = allocations.size.tolist()
        in_space = (allocations.space == space).nonzero()[0]
        self.rows: list[int] = in_space[np.argsort(allocations.index[in_space], kind="stable")].tolist()
        lasting = allocations.is_parameter | allocations.live_out | allocations.is_constant
        self.indefinite = [row for row in self.rows if lasting[row]]
        self._allocation: list[int] = module.buffers.allocation.tolist()
        self._instruction: list[int] = module.buffers.instruction.tolist()
        self._shapes: dict[tuple[int, int | None], tuple[Shape, str, int]] = {}
        self._sources: dict[int, Json] = {}

    def is_placed(self, buffer: int) -> bool:
        """Whether a buffer is known, lies in an allocation and is defined by a known instruction."""
        return buffer >= 0 and self._allocation[buffer] >= 0 and self._instruction[buffer] >= 0

    def assigned(self, row: int) -> list[tuple[int, int]]:
        """The buffers assigned to an allocation, in file order, each with its offset in bytes."""
        allocations = self.module.allocations
        part = slice(int(allocations.assigned_start[row]), int(allocations.assigned_start[row + 1]))
        pairs = zip(
            allocations.assigned[part].tolist(), allocations.assigned_offset[part].tolist(), strict=True
        )
        return [(buffer, offset) for buffer, offset in pairs if self._instruction[buffer] >= 0]

    def largest(self, row: int) -> int | None:
        """The largest buffer of an allocation, the first among equals; None where none has a byte."""
        sizes = self.module.buffers.size
        found = max((buffer for buffer, _ in self.assigned(row)), key=lambda at: int(sizes[at]), default=None)
        return None if found is None or sizes[found] == 0 else found

    def group(self, row: int) -> str:
        """The allocation's type in words."""
        return AllocationType(int(self.module.allocations.type[row])).label

    def is_reusable(self, row: int) -> bool:
        """Whether other buffers may be put into the allocation."""
        allocations = self.module.allocations
        return not (allocations.is_thread_local[row] or allocations.is_tuple[row])

    def attributes(self, row: int) -> list[str]:
        """The allocation's flags in XProf's words."""
        allocations = self.module.allocations
        words = {
            "entry computation parameter": allocations.is_parameter[row],
            "may-be live out": allocations.live_out[row],
            "reusable": self.is_reusable(row),
        }
        return [word for word, applies in words.items() if applies]

    def unpadded(self, buffer: int) -> int:
        """Bytes that the elements of the buffer's shape need, by XProf's rules."""
        return self._shape(buffer)[2]

    def shape_text(self, buffer: int) -> str:
        """The buffer's shape in XLA's text form."""
        return self._shape(buffer)[1]

    def instruction_name(self, buffer: int) -> str:
        """The name of the instruction that defines the buffer."""
        return self.module.instructions.names[self._instruction[buffer]]

    def name_with_index(self, buffer: int) -> str:
        """The instruction's name, and the shape index where there is one: `fusion{1}`."""
        return self.instruction_name(buffer) + self.module.buffers.index_text(buffer)

    def opcode(self, buffer: int) -> str:
        """The opcode of the instruction that defines the buffer."""
        instructions = self.module.instructions
        return instructions.opcodes[int(instructions.opcode[self._instruction[buffer]])]

    def op_name(self, buffer: int) -> str:
        """The framework's name of the operation, "" where it gave none."""
        return self._metadata(buffer).op_name

    def source(self, buffer: int) -> Json:
        """The SourceInfo of the instruction: file and line, its own or its innermost frame's; the stack."""
        instructions = self.module.instructions
        row = int(instructions.metadata[self._instruction[buffer]])
        if row not in self._sources:
            self._sources[row] = self._source_info(self._metadata(buffer))
        return self._sources[row]

    def event_names(self, trace: HeapTrace) -> list[str]:
        """The name that each event of a trace bears: its buffer's defining instruction, for a FREE too."""
        names = self.module.instructions.names
        rows = [self._instruction[buffer] if buffer >= 0 else -1 for buffer in trace.buffer.tolist()]
        return [names[row] if row >= 0 else "" for row in rows]

    def _metadata(self, buffer: int) -> OpMetadata:
        instructions = self.module.instructions
        return self.module.metadata[int(instructions.metadata[self._instruction[buffer]])]

    def _source_info(self, metadata: OpMetadata) -> Json:
        stack = stack_of(self.module, metadata)
        file, line = metadata.source_file, metadata.source_line
        if not file and stack:
            file, line = stack[0].file, stack[0].line
        return present(
            {
                "fileName": file,
                "lineNumber": (line or 0) if file else 0,
                "stackFrame": "\n".join(f"{frame.file}:{frame.line}:{frame.column}" for frame in stack),
            }
        )

    def _shape(self, buffer: int) -> tuple[Shape, str, int]:
        index = self.module.buffers.shape_index[buffer]
        whole = int(self.module.instructions.shape[self._instruction[buffer]])
        key = (whole, index[-1] if index else None)
        if key not in self._shapes:
            shape = _at_last_step(self.module.shapes[whole], key[1])
            self._shapes[key] = (shape, shape.text(), _unpadded_bytes(shape))
        return self._shapes[key]


def _at_last_step(shape: Shape, step: int | None) -> Shape:
    """What XProf takes: the last step of the index, in the whole shape; the whole where it leads nowhere."""
    elements = shape.tuple_shapes if shape.is_tuple else ()
    return shape if step is None or not 0 <= step < len(elements) else elements[step]


def _unpadded_bytes(shape: Shape) -> int:
    """A tuple is its pointers, an opaque is one; elements take whole bytes unless the layout sizes them."""
    if shape.element_type == OPAQUE:
        return POINTER_BYTES
    if shape.element_type == BUFFER:
        return sum(map(_unpadded_bytes, shape.tuple_shapes))
    layout = shape.layout
    if shape.is_tuple or (layout is not None and layout.element_size_in_bits is not None):
        return shape.unpadded_bytes(POINTER_BYTES) or 0
    return shape.elements * -(-(shape.element_bits or 0) // 8)
