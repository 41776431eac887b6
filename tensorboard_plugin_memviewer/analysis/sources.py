"""Where in the user's code an instruction comes from: file and line, and the whole Python stack.

Older files say file and line in the metadata; newer ones only name a frame of the module's stack frame index.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tensorboard_plugin_memviewer.model.module import Module, OpMetadata, Rows, StackFrame


class Source(NamedTuple):
    """A place in source code; `line` is 1-based, None where only the file is known."""

    file: str
    line: int | None

    def text(self) -> str:
        """`file:line`."""
        return self.file if self.line is None else f"{self.file}:{self.line}"


class Sources(NamedTuple):
    """The sources of a module: that of row m of Module.metadata is `table[row[m]]`. They are distinct, in the
    order in which they are met.
    """

    table: tuple[Source | None, ...]
    row: Rows


def sources_of(module: Module) -> Sources:
    """As source_of, for all of a module's metadata: most of it shares its source with others."""
    numbers: dict[Source | None, int] = {}
    known: dict[tuple[str, int | None, int | None], int] = {}
    rows = []
    for entry in module.metadata:
        said = entry.source_file, entry.source_line, entry.frame
        number = known.get(said)
        if number is None:
            number = known[said] = numbers.setdefault(source_of(module, entry), len(numbers))
        rows.append(number)
    return Sources(tuple(numbers), np.array(rows, np.int32))


def source_of(module: Module, metadata: OpMetadata) -> Source | None:
    """The source of an instruction: what the metadata says, else its innermost frame; None where neither
    says.
    """
    if metadata.source_file:
        return Source(metadata.source_file, metadata.source_line or None)
    row = metadata.frame
    while row is not None:
        frame = module.frames[row]
        if frame.file:
            return Source(frame.file, frame.line or None)
        row = frame.parent
    return None


def stack_of(module: Module, metadata: OpMetadata) -> tuple[StackFrame, ...]:
    """The Python stack of an instruction, innermost frame first; empty where the file has none."""
    stack = []
    row = metadata.frame
    while row is not None:
        frame = module.frames[row]
        stack.append(frame)
        row = frame.parent
    return tuple(stack)
