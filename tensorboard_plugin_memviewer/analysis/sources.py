"""The origin of an instruction in the user's code: file and line, and the whole Python stack.

Older files have the innermost file and line in the metadata; newer ones only name a frame of the module's
stack frame index. That line is often a library's: the stack leads from there to the user's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from tensorboard_plugin_memviewer.analysis.user_code import Standing, standing_of
from tensorboard_plugin_memviewer.model.module import Module, Rows, StackFrame
from tensorboard_plugin_memviewer.model.op_metadata import OpMetadata

FRAMEWORK_CODE: Final = "framework code"


class Source(NamedTuple):
    """A place in source code; `line` is 1-based, None where only the file is known. `framework` is whether no
    line of the user's is known, so that the place is one in a library.
    """

    file: str
    line: int | None
    framework: bool = False

    def text(self) -> str:
        """`file:line`, after `framework code: ` where it is no line of the user's."""
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{FRAMEWORK_CODE}: {place}" if self.framework else place


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
    """The user's line that made an instruction: the innermost one outside of libraries. Where there is none,
    the innermost line, marked as framework code; None where the file has no line at all.
    """
    best: Source | None = None
    least = Standing.FRAMEWORK
    for place in _places(module, metadata):
        standing = standing_of(place.file)
        if standing is Standing.USER:
            return place
        if best is None or standing < least:
            best, least = place, standing
    if best is None or least is not Standing.FRAMEWORK:
        return best
    return best._replace(framework=True)


def library_of(module: Module, metadata: OpMetadata) -> Source | None:
    """The innermost line where it is not `source_of`'s: that of the library which the user's line calls."""
    innermost, source = next(_places(module, metadata), None), source_of(module, metadata)
    return None if innermost is None or source is None or innermost[:2] == source[:2] else innermost


def _places(module: Module, metadata: OpMetadata) -> Iterator[Source]:
    """The lines that an instruction comes from, innermost first; the first may come twice."""
    if metadata.source_file:
        yield Source(metadata.source_file, metadata.source_line or None)
    row = metadata.frame
    while row is not None:
        frame = module.frames[row]
        if frame.file:
            yield Source(frame.file, frame.line or None)
        row = frame.parent


def stack_of(module: Module, metadata: OpMetadata) -> tuple[StackFrame, ...]:
    """The Python stack of an instruction, innermost frame first; empty where the file has none."""
    stack = []
    row = metadata.frame
    while row is not None:
        frame = module.frames[row]
        stack.append(frame)
        row = frame.parent
    return tuple(stack)
