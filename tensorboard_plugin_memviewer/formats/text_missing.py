"""The information that a text dump lacks compared with its protobuf, as one problem for the user."""

from __future__ import annotations

from collections.abc import Iterator

from tensorboard_plugin_memviewer.errors import DUMP_FLAGS, Problem
from tensorboard_plugin_memviewer.formats.text_program import Beside, ProgramText

_PROTO = f"{DUMP_FLAGS} writes all of it: run again with it and open the *after_optimizations.hlo.pb."


def what_is_missing(program: ProgramText, beside: Beside) -> Iterator[Problem]:
    """One problem that names all that is missing; another where the texts do not fit each other."""
    missing = list(_missing(program, beside))
    files = list(dict.fromkeys(file for _, file in missing if file))
    advice = _PROTO
    if files:
        them = "them" if len(files) > 1 else "it"
        advice = f"If XLA wrote {' and '.join(files)}, keep {them} beside this file. {advice}"
    code = "text_report" if program.module.has_schedule else "no_lifetimes"
    yield Problem(
        code, f"This plan was read from XLA's text. Missing: {'; '.join(m for m, _ in missing)}.", advice
    )
    if program.is_whole and program.lacking:
        yield Problem(
            "module_text",
            f"The text of the module lacks {program.lacking} of the instructions that the plan names.",
            "The two may be of different compilations: dump again into an empty folder.",
        )


def _missing(program: ProgramText, beside: Beside) -> Iterator[tuple[str, str]]:
    """What is missing, and the file of a text dump that has it ("" where none does)."""
    module = program.module
    if not module.has_schedule:
        yield (
            "lifetimes and readers, so every temporary buffer counts at every point",
            "*after_optimizations.txt",
        )
    if not program.is_whole:
        yield from _missing_of_instructions(program)
    if not beside.codegen and module.platform in ("tpu", None):
        yield "the scoped memory that kernels reserve, in peak and required bytes", "*after_codegen.txt"
    if module.has_schedule:
        yield "the compiler's heap trace, so lifetimes follow from the schedule", ""


def _missing_of_instructions(program: ProgramText) -> Iterator[tuple[str, str]]:
    """What only the text of the module tells. Lists of values describe the instructions that define one."""
    module, file = program.module, "*after_optimizations.txt"
    if program.lacking:
        of = f"{program.lacking} of {len(module.instructions)} instructions"
        yield f"the operation, operands, op_name and source line of {of}", file
    if module.has_schedule:
        yield "which loop or call an instruction is part of", file
    if not program.lacking and not any(entry.source_file for entry in module.metadata):
        yield "source lines", file
