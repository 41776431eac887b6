"""Modules in which no instruction has a name of the framework's, a line of code or a stack, and why."""

from __future__ import annotations

from typing import Final

from tensorboard_plugin_memviewer.errors import Problem
from tensorboard_plugin_memviewer.model.module import Module
from tensorboard_plugin_memviewer.model.op_metadata import NO_METADATA

# What the compiler adds or passes through; it has no names in modules of any framework.
_UNNAMED_ANYWHERE: Final = frozenset(
    ("bitcast", "constant", "copy", "get-tuple-element", "parameter", "tuple", "after-all", "partition-id")
)

NO_NAMES: Final = Problem(
    "no_names",
    "no operation of this module has a framework name, a source line or a stack, so scopes, phases and source"
    " lines are empty; sizes and lifetimes are not affected",
    "PyTorch/XLA records names only with XLA_HLO_DEBUG=1 and XLA_IR_DEBUG=1 in the environment: set both"
    " before the program starts, and capture or dump again. JAX and TensorFlow record them by default.",
)


def without_names(module: Module) -> Problem | None:
    """NO_NAMES where all metadata is empty and at least one operation should have some, else None."""
    if any(metadata != NO_METADATA for metadata in module.metadata):
        return None
    opcodes = module.instructions.opcodes
    return NO_NAMES if any(opcode not in _UNNAMED_ANYWHERE for opcode in opcodes) else None
