"""XLA's text of a module → its parts: computations with their lines, and the tables of stack frames.

Instructions are read only where they are asked for: most lines are of fused computations, which hold nothing
of the memory plan.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from tensorboard_plugin_memviewer.formats.hlo_line import InstructionText, parse_instruction, unescaped

_MODULE = re.compile(r"HloModule ([^\s,]{1,4096})", re.ASCII)
_SCHEDULED = re.compile(r", is_scheduled=true\b", re.ASCII)
_COMPUTATION = re.compile(r"(ENTRY )?%?([^\s%({]{1,4096}) [({]", re.ASCII)
_THREAD = re.compile(r', execution_thread="([^"]{1,256})"', re.ASCII)
_DEFINED = re.compile(r"\s+(?:ROOT )?%?([^\s=%]{1,4096}) = ", re.ASCII)
_NAME_ROW = re.compile(r'\d{1,9} "(.*)"\s*', re.DOTALL | re.ASCII)
_NUMBERS_ROW = re.compile(r"\d{1,9} \{(.*)\}\s*", re.DOTALL | re.ASCII)
_NUMBER = re.compile(r"\b(\w{1,64})=(\d{1,9})\b", re.ASCII)
_TABLES = ("FileNames", "FunctionNames", "FileLocations", "StackFrames")


@dataclass
class ComputationText:
    """A computation: its name, and the lines of its instructions in the text's order, which is the schedule
    where the module is scheduled. `thread` is the execution thread, "" for the device's own.
    """

    name: str
    is_entry: bool
    thread: str = ""
    lines: list[str] = field(default_factory=list)

    @cached_property
    def instructions(self) -> list[InstructionText]:
        """Its instructions; lines that hold none are left out."""
        return [found for line in self.lines if (found := parse_instruction(line)) is not None]

    def names(self) -> set[str]:
        """The names of its instructions, without reading more of them."""
        if not self.lines:
            return {one.name for one in self.instructions}
        return {match[1] for line in self.lines if (match := _DEFINED.match(line)) is not None}


@dataclass
class FrameTables:
    """The tables that `stack_frame_id` refers to: rows are numbered from 1."""

    file_names: list[str] = field(default_factory=list)
    function_names: list[str] = field(default_factory=list)
    file_locations: list[dict[str, int]] = field(default_factory=list)
    stack_frames: list[dict[str, int]] = field(default_factory=list)


@dataclass
class ModuleText:
    """A module's text, cut into its computations."""

    name: str
    is_scheduled: bool
    computations: list[ComputationText]
    frames: FrameTables

    @property
    def entry(self) -> ComputationText | None:
        """The computation that the program begins with."""
        return next((one for one in self.computations if one.is_entry), None)


def parse_module(text: str) -> ModuleText | None:
    """The module in `text`; None where it is no text of one."""
    lines = text.split("\n")
    head = _MODULE.match(lines[0])
    if head is None:
        return None
    computations: list[ComputationText] = []
    frames = FrameTables()
    current: ComputationText | None = None
    table = ""
    for line in lines[1:]:
        if current is not None:
            if line.startswith("}"):
                thread = _THREAD.search(line)
                current.thread = thread[1] if thread is not None else ""
                current = None
            else:
                current.lines.append(line)
        elif line in _TABLES:
            table = line
        elif table and line:
            _add_row(frames, table, line)
        elif not line:
            table = ""
        elif line.rstrip().endswith("{") and (start := _COMPUTATION.match(line)) is not None:
            current = ComputationText(start[2], start[1] is not None)
            computations.append(current)
    return ModuleText(head[1], _SCHEDULED.search(lines[0]) is not None, computations, frames)


def _add_row(frames: FrameTables, table: str, line: str) -> None:
    if table in ("FileNames", "FunctionNames"):
        match = _NAME_ROW.fullmatch(line)
        names = frames.file_names if table == "FileNames" else frames.function_names
        names.append("" if match is None else unescaped(match[1]))
        return
    match = _NUMBERS_ROW.fullmatch(line)
    row = {} if match is None else {key: int(value) for key, value in _NUMBER.findall(match[1])}
    (frames.file_locations if table == "FileLocations" else frames.stack_frames).append(row)
