"""The instructions of a program whose buffer assignment is text, from the best of what lies beside it.

In this order: the text of the module; the instructions in the buffer assignment's own list of
values, in the order of XLA's live ranges; names alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from tensorboard_plugin_memviewer.errors import MemviewerError
from tensorboard_plugin_memviewer.formats import wire
from tensorboard_plugin_memviewer.formats.hlo_line import InstructionText, parse_aliasing, parse_instruction
from tensorboard_plugin_memviewer.formats.hlo_of_text import encode_module
from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module
from tensorboard_plugin_memviewer.formats.hlo_text import (
    ComputationText,
    FrameTables,
    ModuleText,
    parse_module,
)
from tensorboard_plugin_memviewer.formats.live_range_text import LiveRangeText
from tensorboard_plugin_memviewer.model.module import InPlace, Module

_DEFINED_BY = re.compile(r"^ from instruction: ?(.*)$", re.MULTILINE)
_NO_ASSIGNMENT = wire.field(3, b"")


class Beside(NamedTuple):
    """Texts that XLA leaves beside a buffer assignment, "" for what is not there: those of the module, the
    best first; of the module after code generation; of the values and of the live ranges. Older compilers end
    the buffer assignment itself with the last two.
    """

    modules: Iterable[str] = ()
    codegen: str = ""
    values: str = ""
    live_ranges: str = ""


NOTHING = Beside()


@dataclass(frozen=True)
class ProgramText:
    """A module without a plan; whether it is as the module's own text has it; and how many of the
    instructions that the plan names that text lacks.
    """

    module: Module
    is_whole: bool
    lacking: int


def decode_program(
    name: str,
    shape_of_name: Mapping[str, str],
    beside: Beside,
    live_ranges: LiveRangeText | None,
    platform: str | None,
) -> ProgramText:
    """The program `name` with the instructions that its plan names, as far as the texts have them.

    `shape_of_name` has the text of an instruction's shape as the plan has it, "" where it does not.
    """
    sequence = [] if live_ranges is None else live_ranges.sequence
    wanted = {*shape_of_name, *sequence}
    best: ProgramText | None = None
    texts: list[ModuleText] = []
    for text in beside.modules:
        if (module_text := parse_module(text)) is None:
            continue
        texts.append(module_text)
        found = _of_module(module_text, wanted, platform)
        if found is not None and (best is None or found.lacking < best.lacking):
            best = found
        if best is not None and best.lacking == 0:
            return best
    # XLA's own order of instructions is kept where a module's text lacks one of them.
    if best is not None and set(sequence) <= set(best.module.instructions.names):
        return best
    records = [one for text in texts[:1] for part in text.computations for one in part.instructions]
    return _flat(name, shape_of_name, sequence, [*records, *_listed(beside.values)], platform)


def _of_module(text: ModuleText, wanted: set[str], platform: str | None) -> ProgramText | None:
    try:
        module = decode_module(encode_module(text, wanted) + _NO_ASSIGNMENT, platform)
    except (MemviewerError, ValueError):
        return None
    module = replace(module, in_place=tuple(_in_place(text, module)))
    return ProgramText(module, True, len(wanted.difference(module.instructions.names)))


def _in_place(text: ModuleText, module: Module) -> Iterable[InPlace]:
    row_of_name = {name: row for row, name in enumerate(module.instructions.names)}
    for computation in text.computations:
        if any("output_to_operand_aliasing" in line for line in computation.lines):
            for one in computation.instructions:
                row = row_of_name.get(one.name)
                if row is not None and one.aliasing:
                    yield from (InPlace(row, *part) for part in parse_aliasing(one.aliasing))


def _listed(values: str) -> Iterable[InstructionText]:
    """The instructions that a list of values gives as where they are defined."""
    found = (parse_instruction(match[1]) for match in _DEFINED_BY.finditer(values))
    return (one for one in found if one is not None)


def _flat(
    name: str,
    shape_of_name: Mapping[str, str],
    sequence: list[str],
    records: list[InstructionText],
    platform: str | None,
) -> ProgramText:
    """A module whose entry is the sequence of the live ranges; what has no place in it stands apart."""
    of_name: dict[str, InstructionText] = {}
    for one in records:
        of_name.setdefault(one.name, one)
    placed = dict.fromkeys(sequence)
    others = [one for one in shape_of_name if one not in placed]

    def instructions(names: Iterable[str]) -> list[InstructionText]:
        return [of_name.get(one) or InstructionText(one, shape_of_name.get(one, ""), "") for one in names]

    entry, rest = ComputationText("", is_entry=True), ComputationText("(no program point)", is_entry=False)
    entry.instructions, rest.instructions = instructions(placed), instructions(others)
    text = ModuleText(name, bool(sequence), [entry, rest], FrameTables())
    module = decode_module(encode_module(text, others) + _NO_ASSIGNMENT, platform)
    known = {*placed, *others}
    return ProgramText(module, False, sum(one not in of_name for one in known))
