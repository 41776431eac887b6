"""A program in this process → `LoadedModule`, without a file in a logdir.

Takes bytes from a runtime; the callers know which runtime, and how to get them.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

from tensorboard_plugin_memviewer.errors import MemviewerError, Problem
from tensorboard_plugin_memviewer.formats.compiled_parts import (
    MemorySums,
    module_bytes,
    same_module,
    with_assignment,
    with_sums,
)
from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module
from tensorboard_plugin_memviewer.model.module import Module
from tensorboard_plugin_memviewer.service.loaded import LoadedModule
from tensorboard_plugin_memviewer.service.programs import ProgramFinder

__all__ = ["MemorySums", "from_assignment", "from_capture", "from_sums"]

_WHOLE = (
    "Give the lowered program to memviewer.from_lowered instead: it compiles with a dump, which is complete."
)
_NO_LIFETIMES = Problem(
    "no_lifetimes",
    "the runtime does not report the lifetimes of temporaries: each is shown as alive throughout",
    _WHOLE,
)
_SUMS_ONLY = Problem(
    "sums_only",
    "the runtime reports only totals of arguments, outputs and temporaries, not buffers",
    _WHOLE,
)


def from_capture(logdir: str, module: bytes) -> LoadedModule | None:
    """The program of a capture below `logdir` whose HloModuleProto is `module`, None where none is."""
    finder = ProgramFinder(logdir)
    for run in finder.listing().runs:
        for program in finder.programs(run.name, None)[0]:
            try:
                data = finder.read(program)
                if same_module(module_bytes(data), module):
                    return _loaded(data, decode_module(data, program.platform))
            except MemviewerError:
                continue  # Another program, without a plan: not the one that is looked for.
    return None


def from_assignment(module: bytes, assignment: bytes, platform: str | None) -> LoadedModule:
    """The module and its serialized BufferAssignmentProto, which some runtimes hand out without heap traces.

    Raises Damaged, Unsupported.
    """
    data = with_assignment(module, assignment)
    found = decode_module(data, platform)
    return _loaded(data, found if found.traces else _with_problem(found, _NO_LIFETIMES))


def from_sums(module: bytes, device: MemorySums, host: MemorySums, platform: str | None) -> LoadedModule:
    """The module and no more than sums of what it needs. Raises Damaged."""
    data = with_sums(module, device, host)
    return _loaded(data, _with_problem(decode_module(data, platform), _SUMS_ONLY))


def _with_problem(module: Module, problem: Problem) -> Module:
    return replace(module, problems=(*module.problems, problem))


def _loaded(data: bytes, module: Module) -> LoadedModule:
    return LoadedModule(module, hashlib.blake2b(data, digest_size=16).hexdigest())
