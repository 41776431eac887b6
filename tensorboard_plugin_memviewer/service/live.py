"""A program that lives in this process → `LoadedModule`: no file of a logdir is needed.

Takes bytes that a runtime hands out; which runtime, and how, the callers know.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
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
from tensorboard_plugin_memviewer.service.loaded import LoadedModule
from tensorboard_plugin_memviewer.service.programs import ProgramFinder

__all__ = ["MemorySums", "from_assignment", "from_capture", "from_sums"]

_WHOLE = "Give the lowered program to memviewer.from_lowered instead: it compiles with a dump, which has all."
_NO_LIFETIMES = Problem(
    "no_lifetimes",
    "the runtime does not say when temporaries live: each is shown as if it lived throughout",
    _WHOLE,
)
_SUMS_ONLY = Problem(
    "sums_only",
    "the runtime gives only sums of arguments, outputs and temporaries, no buffers",
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
                    return LoadedModule(decode_module(data, program.platform), _fingerprint(data))
            except MemviewerError:
                continue  # Another program, without a plan: not the one that is looked for.
    return None


def from_assignment(module: bytes, assignment: bytes, platform: str | None) -> LoadedModule:
    """The module and its serialized BufferAssignmentProto. Raises Damaged, Unsupported."""
    return _loaded(with_assignment(module, assignment), platform, (_NO_LIFETIMES,))


def from_sums(module: bytes, device: MemorySums, host: MemorySums, platform: str | None) -> LoadedModule:
    """The module and no more than sums of what it needs. Raises Damaged."""
    return _loaded(with_sums(module, device, host), platform, (_SUMS_ONLY,))


def _loaded(data: bytes, platform: str | None, problems: Sequence[Problem]) -> LoadedModule:
    module = decode_module(data, platform)
    module = replace(module, problems=(*module.problems, *problems))
    return LoadedModule(module, _fingerprint(data))


def _fingerprint(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()
