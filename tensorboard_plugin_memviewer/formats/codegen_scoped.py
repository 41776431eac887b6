"""Scoped memory after code generation, which replaces that of the module before it.

The compiler dumps the module a second time after code generation, without a memory plan; only there do
instructions say how much scoped memory they really use. Instructions keep their names. Knows nothing of
files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from google.protobuf.message import DecodeError

from tensorboard_plugin_memviewer.errors import Damaged, Problem
from tensorboard_plugin_memviewer.formats import wire
from tensorboard_plugin_memviewer.formats.instructions import scoped_configs
from tensorboard_plugin_memviewer.model.check import check_module
from tensorboard_plugin_memviewer.model.module import Module, ScopedMemory
from tensorboard_plugin_memviewer.protos import memviewer_hlo_pb2 as pb

_HLO_MODULE: Final = 1
_COMPUTATION: Final = 3
_KEY: Final = b"used_scoped_memory_configs"

# An instruction's name, whether its computation is fused into another instruction, and its configurations.
_Found = tuple[str, bool, list[tuple[int, int, int]]]


def with_codegen_scoped(module: Module, data: wire.Buffer) -> Module:
    """`module` with the scoped memory in `data`, the HloProto dumped after code generation.

    Raises Damaged where `data` is no HloProto; `module` is then right as it is.
    """
    try:
        found = list(_instructions(data))
    except (Damaged, DecodeError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise Damaged(
            f"the dump after code generation cannot be read ({error})",
            "Scoped memory is shown as in the module; dump again for the actual amounts.",
        ) from error
    row_of_name = {name: row for row, name in enumerate(module.instructions.names)}
    lost = sum(name not in row_of_name and not fused for name, fused, configs in found if configs)
    merged = replace(
        module, scoped=_scoped(found, row_of_name), problems=(*module.problems, *_problems(lost))
    )
    check_module(merged)
    return merged


def _instructions(data: wire.Buffer) -> Iterator[_Found]:
    """The scoped memory of instructions, in file order."""
    tops = {number: (a, b) for number, kind, a, b in wire.fields(data) if kind == wire.BYTES}
    if _HLO_MODULE not in tops:
        raise ValueError("there is no HLO module in it")
    for number, kind, start, end in wire.fields(data, *tops[_HLO_MODULE]):
        if number != _COMPUTATION or kind != wire.BYTES:
            continue
        computation = pb.Computation.FromString(bytes(data[start:end]))
        for content in computation.instructions:
            if _KEY in content:
                instruction = pb.Instruction.FromString(content)
                yield instruction.name, computation.is_fusion, scoped_configs(instruction.backend_config)


def _scoped(found: list[_Found], row_of_name: dict[str, int]) -> ScopedMemory:
    rows: list[tuple[int, int, int, int]] = []
    largest: dict[int, tuple[int, str]] = {}
    for name, _, configs in found:
        for space, offset, size in configs:
            if size > largest.get(space, (0, ""))[0]:
                largest[space] = (size, name)
            if name in row_of_name and size > 0:
                rows.append((row_of_name[name], space, offset, size))
    return ScopedMemory.of(rows, largest)


def _problems(lost: int) -> Iterator[Problem]:
    if lost:
        yield Problem(
            "scoped_memory",
            f"the dump after code generation names {lost} instructions that the module lacks",
            "Their scoped memory is ignored: the two files may be of different compilations.",
        )
