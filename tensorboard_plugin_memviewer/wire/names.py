"""What names a module and a memory space in every answer about one, and the words that several records use.

Sizes are integer bytes, spans are half-open, absent is None, ids of 64 bits are text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from tensorboard_plugin_memviewer.wire import VERSION
from tensorboard_plugin_memviewer.wire.problems import Versioned

if TYPE_CHECKING:
    from tensorboard_plugin_memviewer.service.program import Program

Axis = Literal["schedule", "events"]
"""What a program point is: a scheduled instruction, or an event of the compiler's heap trace."""

Platform = Literal["tpu", "gpu", "cpu"]

Direction = Literal["forward", "backward", "none"]


class ModuleNames(Versioned):
    """What names a module, in every answer about one."""

    run: str
    """Empty for a program that comes from no file (`memviewer.from_compiled`)."""
    host: str | None
    """The host asked for; None where none was, or where the file names have none."""
    module: str
    """Its key, unique within the run: `jit_f(123)`."""
    name: str
    program_id: str | None
    """As the capture has it."""


class SpaceNames(ModuleNames):
    """What names a memory space of a module."""

    space: str
    """The name of the memory space, "HBM"."""
    memory_space: int
    """Its number in XLA, 0 for HBM."""


def module_names(run: str, host: str | None, module: str, name: str, program_id: int | None) -> ModuleNames:
    """The names of a module as fields of an answer."""
    return {
        "version": VERSION,
        "run": run,
        "host": host,
        "module": module,
        "name": name,
        "program_id": id_text(program_id),
    }


def names_of(program: Program, host: str | None) -> ModuleNames:
    """The names of a program of a logdir. `host` is that asked for."""
    return module_names(program.run, host, program.key, program.name, program.program_id)


def id_text(number: int | None) -> str | None:
    """An id as text: those of 64 bits are more than the numbers of JavaScript hold."""
    return None if number is None else str(number)
