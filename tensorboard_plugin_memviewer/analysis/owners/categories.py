"""What kind of memory each logical buffer is: from the flow of values, never from names.

Theory of operation. argument_roles.py says what the arguments are. Of a value made by the program two things
are asked. *What is it made of?* Of one argument alone: a copy, a slice or a gathered whole of it, and of its
category. *When is it made?* In a program that trains, what depends on all weights comes after the loss, but
for the loss itself: that is the backward pass. What is made there without depending on them is recomputed
from what was kept. A value after the loss that has the shape of a weight and reaches few weights' new values
is a gradient; the others are gradients of activations.

| value | category |
| --- | --- |
| in an argument's memory | the argument's |
| of an allocation for constants, or outputs alone | constant, output |
| a table of pointers, or under SMALL_BYTES | runtime |
| in the host's memory | host copy |
| made of one argument, by an all-gather | gathered weights |
| made of one argument, with no more elements than it | the argument's |
| an output that replaces an argument | the argument's |
| of the shape of a cache, or of a layer of it, made with it | KV cache |
| training, after the loss, of a weight's shape | gradient |
| training, after the loss | activation gradient |
| training, before the loss or on the way to it | activation |
| training, neither, at a point behind the first of the backward pass | activation, marked as recomputed |
| a further result of bytes of a custom call: its scratch | workspace |
| exchanged between devices, and none of the above | collective |
| made of nothing (zeros, an allocation without content) | that of the values XLA made one buffer with it |
| any other | workspace |

The values that XLA made one buffer (a loop's initial value, parameter and result) have one category: that of
the last of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Final

import numpy as np

from tensorboard_plugin_memviewer.analysis.lifetimes.lifetimes import Lifetimes
from tensorboard_plugin_memviewer.analysis.lifetimes.program_order import ProgramOrder
from tensorboard_plugin_memviewer.analysis.owners.argument_roles import find_roles
from tensorboard_plugin_memviewer.analysis.owners.flow import NO_ORIGIN, Flow, find_flow
from tensorboard_plugin_memviewer.analysis.owners.origins import find_origins
from tensorboard_plugin_memviewer.analysis.owners.partial import partly_written
from tensorboard_plugin_memviewer.analysis.owners.passes import Passes, find_passes
from tensorboard_plugin_memviewer.analysis.owners.replaced import (
    SMALL_BYTES,
    Arguments,
    find_arguments,
)
from tensorboard_plugin_memviewer.analysis.owners.shapes import like_a_part, shape_rows
from tensorboard_plugin_memviewer.analysis.owners.training import Training, find_training
from tensorboard_plugin_memviewer.model.module import AllocationType, Flags, Ints, Module
from tensorboard_plugin_memviewer.model.space import HOST
from tensorboard_plugin_memviewer.vocabulary import categories as words
from tensorboard_plugin_memviewer.vocabulary.categories import CATEGORIES, Category

_ROW: Final = {one: row for row, one in enumerate(CATEGORIES)}
_GATHERS = ("all-gather", "all-gather-start", "all-gather-done")
_EXCHANGES = (
    *_GATHERS,
    "all-reduce",
    "all-reduce-start",
    "reduce-scatter",
    "all-to-all",
    "collective-permute",
    "collective-permute-start",
    "collective-broadcast",
    "ragged-all-to-all",
    "recv",
)
_SCRATCH = ("s8", "u8")
_UNKNOWN: Final = -1


@dataclass(frozen=True, slots=True)
class Categories:
    """By row of LogicalBuffers: `row` is the row in CATEGORIES, `recomputed` marks the activations that the
    backward pass computes once more.
    """

    row: Ints
    recomputed: Flags


def find_categories(module: Module, order: ProgramOrder, lifetimes: Lifetimes | None) -> Categories:
    """The category of every logical buffer. Without a schedule only allocations tell."""
    result = np.full(len(module.buffers), _UNKNOWN, np.int64)
    recomputed = np.zeros(len(module.buffers), np.bool_)
    if lifetimes is not None:
        recomputed = _Assigned(module, order, lifetimes, result).assign()
    _by_allocation(module, result)
    result[result == _UNKNOWN] = _ROW[words.WORKSPACE]
    return Categories(result, recomputed & (result == _ROW[words.ACTIVATION]))


class _Assigned:
    def __init__(self, module: Module, order: ProgramOrder, lifetimes: Lifetimes, result: Ints) -> None:
        self._module = module
        self._result = result
        self._flow: Flow = find_flow(module, order, lifetimes)
        self._arguments: Arguments = find_arguments(module, lifetimes.positions)
        # Numbers alone are no origin: what they scale or shift stays what it is.
        arrays = [
            one for one in self._arguments.arguments if module.shapes[module.buffers.shape[one]].dimensions
        ]
        origins = find_origins(self._flow, arrays)
        self._origin = origins.alone
        partly = partly_written(module, self._flow, lifetimes.positions, self._arguments, self._origin)
        self._training: Training | None = find_training(module, self._flow, self._arguments, origins, partly)
        self._roles: dict[int, Category] = find_roles(
            module, self._flow, self._arguments, partly, self._training
        )

    def assign(self) -> Flags:
        """Later rules win over earlier ones. Which buffers are recomputed."""
        node = self._flow.node
        nodes = np.flatnonzero((node >= 0) & (self._origin[node] != NO_ORIGIN))
        recomputed = np.zeros(len(node), np.bool_)
        if self._training is not None:
            passes = find_passes(self._flow, self._training, nodes)
            self._of_training(nodes, passes)
            recomputed[nodes] = passes.recomputed[node[nodes]]
        else:
            self._result[nodes] = _ROW[words.WORKSPACE]
        self._collectives(nodes)
        self._caches(nodes)
        self._of_one_argument(nodes)
        self._replacing()
        self._scratch()
        for argument, role in self._roles.items():
            self._result[argument] = _ROW[role]
        _share(self._module, self._flow, self._result)
        self._in_arguments()
        return recomputed

    def _of_training(self, nodes: Ints, passes: Passes) -> None:
        node = self._flow.node[nodes]
        kind = np.full(len(nodes), _ROW[words.ACTIVATION])
        kind[passes.backward[node]] = _ROW[words.ACTIVATION_GRADIENT]
        weights = [one for one, role in self._roles.items() if role is words.PARAMETER]
        gradient = passes.backward[node] & passes.few[node] & self._like(nodes, weights)
        kind[gradient] = _ROW[words.GRADIENT]
        self._result[nodes] = kind

    def _collectives(self, nodes: Ints) -> None:
        table, row = self._module.instructions, self._module.buffers.instruction
        exchanged = nodes[table.has_opcode(*_EXCHANGES)[row[nodes]]]
        exchanged = exchanged[self._result[exchanged] != _ROW[words.GRADIENT]]
        self._result[exchanged] = _ROW[words.COLLECTIVE]

    def _caches(self, nodes: Ints) -> None:
        caches = [one for one, role in self._roles.items() if role in (words.KV_CACHE, words.STATE)]
        for role in (words.STATE, words.KV_CACHE):
            of_role = [one for one in caches if self._roles[one] is role]
            like = nodes[self._like(nodes, of_role, same_type=True)]
            self._result[like] = _ROW[role]

    def _like(self, nodes: Ints, arguments: list[int], *, same_type: bool = False) -> Flags:
        """Which of the nodes have the shape of an argument, or of a part along its first dimension."""
        alike = like_a_part(self._module, arguments, same_type=same_type)
        found: Flags = alike[shape_rows(self._module, nodes)]
        return found

    def _of_one_argument(self, nodes: Ints) -> None:
        """Copies, slices, conversions of an argument."""
        alone = nodes[self._origin[self._flow.node[nodes]] >= 0]
        elements = np.array([prod(shape.dimensions) for shape in self._module.shapes])
        shape = self._module.buffers.shape
        larger = elements[shape[alone]] > elements[shape[self._origin[self._flow.node[alone]]]]
        alone = alone[~larger | self._gathered(alone)]
        role = np.full(len(self._module.buffers), _UNKNOWN, np.int64)
        for argument, of_argument in self._roles.items():
            role[argument] = _ROW[of_argument]
        self._result[alone] = role[self._origin[self._flow.node[alone]]]
        weights = alone[self._result[alone] == _ROW[words.PARAMETER]]
        self._result[weights[self._gathered(weights)]] = _ROW[words.GATHERED]

    def _gathered(self, buffers: Ints) -> Flags:
        """Which buffers are made of what an all-gather of one argument puts together."""
        node, row = self._flow.node, self._module.buffers.instruction
        gathers = np.flatnonzero((node >= 0) & self._module.instructions.has_opcode(*_GATHERS)[row])
        gathers = gathers[self._origin[node[gathers]] >= 0]
        found: Flags = np.zeros(len(buffers), np.bool_)
        if len(gathers):
            start = np.zeros(len(node), np.int64)
            start[node[gathers]] = 1
            found = self._flow.downstream(start)[node[buffers]] != 0
        return found

    def _replacing(self) -> None:
        for argument, output in self._arguments.replaced.items():
            role = self._roles[argument]
            if role in (words.PARAMETER, words.OPTIMIZER_STATE, words.KV_CACHE, words.STATE):
                self._result[output] = _ROW[role]

    def _scratch(self) -> None:
        buffers, table = self._module.buffers, self._module.instructions
        for row in np.flatnonzero(table.has_opcode("custom-call")[buffers.instruction]).tolist():
            index = buffers.shape_index[row]
            bytes_alone = self._module.shapes[buffers.shape[row]].type_name in _SCRATCH
            if index and index[0] > 0 and bytes_alone and buffers.instruction[row] >= 0:
                self._result[row] = _ROW[words.WORKSPACE]

    def _in_arguments(self) -> None:
        """Whatever lies in an argument's memory is the argument's."""
        buffers, allocations = self._module.buffers, self._module.allocations
        role = np.full(len(allocations) + 1, _UNKNOWN, np.int64)
        for argument, of_argument in self._roles.items():
            if buffers.allocation[argument] >= 0:
                role[buffers.allocation[argument]] = _ROW[of_argument]
        within = role[buffers.allocation]
        self._result[within >= 0] = within[within >= 0]


def _share(module: Module, flow: Flow, result: Ints) -> None:
    """Gives the values that XLA made one buffer the category of the last of them that has one."""
    group = module.buffers.hlo_buffer
    known = np.flatnonzero(result >= 0)
    known = known[np.argsort(flow.point[known], kind="stable")]
    last = np.full(len(group), _UNKNOWN, np.int64)
    last[group[known]] = result[known]
    shared = last[group]
    result[shared >= 0] = shared[shared >= 0]


def _by_allocation(module: Module, result: Ints) -> None:
    buffers, allocations = module.buffers, module.allocations
    placed = buffers.allocation >= 0
    kind = np.full(len(buffers), _UNKNOWN, np.int64)
    kind[placed] = allocations.type[buffers.allocation[placed]]
    own = kind != AllocationType.PARAMETER
    tables = np.array([shape.is_tuple for shape in module.shapes], np.bool_)[buffers.shape]
    result[own & (buffers.space == HOST)] = _ROW[words.HOST_COPY]
    result[own & ((buffers.size < SMALL_BYTES) | tables)] = _ROW[words.RUNTIME]
    result[kind == AllocationType.OUTPUT] = _ROW[words.OUTPUT]
    result[kind == AllocationType.CONSTANT] = _ROW[words.CONSTANT]
