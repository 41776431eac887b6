"""Rows that the buffers of a saved result share: instructions by name; shapes, metadata, frames by content.

Knows nothing of allocations beyond the row that a buffer is given with.
"""

from __future__ import annotations

import numpy as np

from tensorboard_plugin_memviewer.model.module import Instructions, LogicalBuffers, StackFrame
from tensorboard_plugin_memviewer.model.named_only import named_instructions
from tensorboard_plugin_memviewer.model.op_metadata import NO_METADATA, OpMetadata
from tensorboard_plugin_memviewer.model.saved import SavedBuffer, SavedSource
from tensorboard_plugin_memviewer.model.shape import POINTER_BYTES, Shape


class SavedTables:
    """Instructions by name, shapes by text, metadata and frames by content: a row each, once."""

    def __init__(self) -> None:
        self.names: dict[str, int] = {}
        self.shapes: list[Shape] = [Shape(0)]
        self.metadata: list[OpMetadata] = [NO_METADATA]
        self.frames: list[StackFrame] = []
        self._opcode: dict[int, str] = {}
        self._shape_of: dict[int, int] = {}
        self._metadata_of: dict[int, int] = {}
        self._shape_rows: dict[Shape, int] = {}
        self._metadata_rows: dict[tuple[str, SavedSource | None], int] = {("", None): 0}
        self._frame_rows: dict[tuple[tuple[str, int, int], ...], int] = {}

    def instruction_row(self, name: str) -> int:
        """The row of the instruction of that name, -1 for none."""
        return self.names.setdefault(name, len(self.names)) if name else -1

    def buffers(self, placed: list[tuple[int, SavedBuffer]], space: int) -> LogicalBuffers:
        """One row a buffer."""
        found = [buffer for _, buffer in placed]
        size = np.array([buffer.size for buffer in found], np.int64)
        unpadded = np.array([_unpadded(buffer) for buffer in found], np.int64)
        return LogicalBuffers(
            ids=np.array([buffer.id for buffer in found], np.int64),
            size=size,
            unpadded=np.minimum(size, unpadded),
            space=np.full(len(found), space, np.int64),
            instruction=np.array([self._defining(buffer) for buffer in found], np.int32),
            shape=np.array([self._shape_row(buffer.shape) for buffer in found], np.int32),
            shape_index=tuple(buffer.shape_index for buffer in found),
            allocation=np.array([row for row, _ in placed], np.int32),
            offset=np.array([buffer.offset or 0 for buffer in found], np.int64),
            hlo_buffer=np.arange(len(found), dtype=np.int32),
        )

    def instructions(self) -> Instructions:
        """One row a name."""
        rows = range(len(self.names))
        return named_instructions(
            self.names,
            shape=[self._shape_of.get(row, 0) for row in rows],
            opcode=[self._opcode.get(row, "") for row in rows],
            metadata=[self._metadata_of.get(row, 0) for row in rows],
        )

    def _defining(self, buffer: SavedBuffer) -> int:
        row = self.instruction_row(buffer.instruction)
        if buffer.opcode:
            self._opcode.setdefault(row, buffer.opcode)
        if not buffer.shape_index:
            self._shape_of.setdefault(row, self._shape_row(buffer.shape))
        if buffer.op_name or buffer.source is not None:
            self._metadata_of.setdefault(row, self._metadata_row(buffer.op_name, buffer.source))
        return row

    def _shape_row(self, shape: Shape | None) -> int:
        if shape is None:
            return 0
        row = self._shape_rows.setdefault(shape, len(self.shapes))
        if row == len(self.shapes):
            self.shapes.append(shape)
        return row

    def _metadata_row(self, op_name: str, source: SavedSource | None) -> int:
        row = self._metadata_rows.setdefault((op_name, source), len(self.metadata))
        if row == len(self.metadata):
            file, line = (source.file, source.line) if source is not None else ("", None)
            frame = self._frame_row(source.stack) if source is not None else None
            self.metadata.append(OpMetadata(op_name, file, line, frame))
        return row

    def _frame_row(self, stack: tuple[tuple[str, int, int], ...]) -> int | None:
        """The row of the innermost frame; frames further out are shared by the stacks that end alike."""
        parent: int | None = None
        for depth in range(len(stack) - 1, -1, -1):
            file, line, column = stack[depth]
            row = self._frame_rows.setdefault(stack[depth:], len(self.frames))
            if row == len(self.frames):
                self.frames.append(StackFrame(file, "", line, column, parent))
            parent = row
        return parent


def _unpadded(buffer: SavedBuffer) -> int:
    """As saved, else what the shape's elements need; of an unknown shape the size as stored."""
    if buffer.unpadded is not None:
        return buffer.unpadded
    needed = None if buffer.shape is None else buffer.shape.unpadded_bytes(POINTER_BYTES)
    return buffer.size if needed is None else min(needed, buffer.size)
