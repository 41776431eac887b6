"""Bytes of a program of any kind → `Module`, with the file's name in every error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tensorboard_plugin_memviewer.analysis.lifetimes.shared_values import with_shared_values
from tensorboard_plugin_memviewer.analysis.nameless import without_names
from tensorboard_plugin_memviewer.analysis.saved.usage import saved_usage
from tensorboard_plugin_memviewer.analysis.usage import Plan, SpaceUsage
from tensorboard_plugin_memviewer.errors import MemviewerError, Problem
from tensorboard_plugin_memviewer.formats.codegen_scoped import with_codegen_scoped
from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module
from tensorboard_plugin_memviewer.formats.memory_viewer import decode_saved
from tensorboard_plugin_memviewer.formats.packed_data import plain
from tensorboard_plugin_memviewer.formats.text_module import decode_text_module
from tensorboard_plugin_memviewer.formats.text_program import Beside
from tensorboard_plugin_memviewer.formats.usage_report import checked_against_report
from tensorboard_plugin_memviewer.model.module import Module
from tensorboard_plugin_memviewer.service.program import Program
from tensorboard_plugin_memviewer.service.programs import ProgramFinder
from tensorboard_plugin_memviewer.sessions.filesystem import Changed, File


def decode_program(finder: ProgramFinder, program: Program) -> Module:
    """The module of a program. Raises Damaged, Unsupported or what reading raises, naming the file."""
    try:
        data = plain(finder.read(program))
        if program.kind == "dump_text":
            module = _of_texts(finder, program, data.decode(errors="replace"))
        else:
            module = _with_notice(decode_module(data, program.platform))
        return _with_siblings(finder, program, module)
    except MemviewerError as error:
        error.path = error.path or program.path
        raise


def decode_saved_result(finder: ProgramFinder, program: Program) -> tuple[Plan, SpaceUsage]:
    """The plan and the usage that a saved result holds. Raises as decode_program does."""
    try:
        return saved_usage(decode_saved(finder.read(program)))
    except MemviewerError as error:
        error.path = error.path or program.path
        raise


def _of_texts(finder: ProgramFinder, program: Program, assignment: str) -> Module:
    """The module of a text dump. What cannot be read of the files beside is a problem."""
    problems: list[Problem] = []

    def text(file: File | None) -> str:
        if file is None:
            return ""
        try:
            return plain(finder.read_file(file)).decode(errors="replace")
        except Changed:
            raise
        except MemviewerError as error:
            problems.append(error.as_problem()._replace(path=error.path or file.path))
            return ""

    files = program.texts
    beside = Beside(
        # One after the other, and mostly only the first: each is as large as the module.
        (text(file) for file in files.modules),
        text(files.codegen),
        text(files.values),
        text(files.live_ranges),
    )
    module = with_shared_values(decode_text_module(assignment, program.name, program.platform, beside))
    if "" not in module.instructions.opcodes:
        module = _with_notice(module)
    return replace(module, problems=(*module.problems, *problems))


def _with_notice(module: Module) -> Module:
    """The module with a problem where it has no names: most views have nothing to show then."""
    problem = without_names(module)
    return module if problem is None else replace(module, problems=(*module.problems, problem))


def _with_siblings(finder: ProgramFinder, program: Program, module: Module) -> Module:
    """The module with the facts of its dump's other files: scoped memory, and XLA's own totals."""
    if program.codegen is not None:
        module = _with(finder, program.codegen, with_codegen_scoped, module)
    if program.report is not None:
        module = _with(
            finder,
            program.report,
            lambda found, data: checked_against_report(found, data.decode(errors="replace")),
            module,
        )
    return module


def _with(
    finder: ProgramFinder, file: File, add: Callable[[Module, bytes], Module], module: Module
) -> Module:
    """What `add` makes of a file's bytes; where they cannot be read, the module with a problem."""
    try:
        return add(module, plain(finder.read_file(file)))
    except Changed:
        raise
    except MemviewerError as error:
        problem = error.as_problem()._replace(path=error.path or file.path)
        return replace(module, problems=(*module.problems, problem))
