"""Arguments and outputs of a program, and which output replaces which argument.

An output that lies in an argument's memory replaces it. Where nothing is donated shapes tell: of the
outputs and arguments that are left, those of one shape are paired in their order; then, for numbers, those
of equal dimensions in another type; then those of equal count whose sizes are multiples of one another (what
is gathered from, or spread over, several devices).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from math import prod

import numpy as np

from tensorboard_plugin_memviewer.analysis.lifetimes.positions import Positions
from tensorboard_plugin_memviewer.model.module import Ints, Module

# Values that are larger than this count as memory of their own.
SMALL_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a program and its outputs, rows of LogicalBuffers in their order.

    `replaced` maps arguments to the outputs that replace them; `in_place` are those whose memory the
    output takes.
    """

    arguments: tuple[int, ...]
    outputs: tuple[int, ...]
    replaced: dict[int, int]
    in_place: frozenset[int]


def find_arguments(module: Module, positions: Positions) -> Arguments:
    """The arguments of a module with a schedule."""
    buffers, table = module.buffers, module.instructions
    row = buffers.instruction
    is_argument = (row >= 0) & (positions.definition >= 0)
    is_argument[is_argument] &= positions.array[positions.definition[is_argument]]
    known = np.flatnonzero(is_argument)
    known = known[table.has_opcode("parameter")[row[known]] & (table.computation[row[known]] == module.entry)]
    arguments = sorted(
        known.tolist(), key=lambda b: (int(table.parameter_number[row[b]]), buffers.shape_index[b])
    )
    outputs = _outputs(module, positions)
    by_allocation = {int(buffers.allocation[b]): b for b in arguments if buffers.allocation[b] >= 0}
    replaced: dict[int, int] = {}
    for output in outputs:
        argument = by_allocation.get(int(buffers.allocation[output]))
        if argument is not None and argument != output:
            replaced[argument] = output
    in_place = frozenset(replaced)
    for key in (_exact, _dimensions):
        _pair(module, arguments, outputs, replaced, key)
    _pair_multiples(module, arguments, outputs, replaced)
    return Arguments(tuple(arguments), tuple(outputs), replaced, in_place)


def is_number(module: Module, buffer: int) -> bool:
    """Whether the elements are numbers that a gradient may have: neither integers nor truth values."""
    return module.shapes[module.buffers.shape[buffer]].type_name[0] in "fbc"


def dimensions(module: Module, buffer: int) -> tuple[int, ...]:
    """The dimensions of a buffer, those of size 1 left out."""
    return tuple(size for size in module.shapes[module.buffers.shape[buffer]].dimensions if size != 1)


def _outputs(module: Module, positions: Positions) -> list[int]:
    root = -1 if module.entry is None else module.computations.root[module.entry]
    if root < 0:
        return []
    block = slice(positions.base[root], positions.base[root] + positions.size[root])
    found: Ints = positions.buffer[block][positions.array[block]]
    return list(dict.fromkeys(found[found >= 0].tolist()))


def _exact(module: Module, buffer: int) -> Hashable:
    shape = module.shapes[module.buffers.shape[buffer]]
    return shape.type_name, tuple(shape.dimensions)


def _dimensions(module: Module, buffer: int) -> Hashable:
    """None for what is paired in its own type alone."""
    if not is_number(module, buffer) or module.buffers.size[buffer] < SMALL_BYTES:
        return None
    return tuple(module.shapes[module.buffers.shape[buffer]].dimensions)


def _left(
    module: Module,
    arguments: list[int],
    outputs: list[int],
    replaced: dict[int, int],
    key: Callable[[Module, int], Hashable],
) -> tuple[dict[Hashable, list[int]], dict[Hashable, list[int]]]:
    """The arguments and outputs that are not paired yet, by key."""
    taken = {*replaced, *replaced.values(), *(set(arguments) & set(outputs))}
    of_arguments: dict[Hashable, list[int]] = defaultdict(list)
    of_outputs: dict[Hashable, list[int]] = defaultdict(list)
    for buffers, found in ((arguments, of_arguments), (outputs, of_outputs)):
        for buffer in buffers:
            if buffer not in taken:
                found[key(module, buffer)].append(buffer)
    return of_arguments, of_outputs


def _pair(
    module: Module,
    arguments: list[int],
    outputs: list[int],
    replaced: dict[int, int],
    key: Callable[[Module, int], Hashable],
) -> None:
    of_arguments, of_outputs = _left(module, arguments, outputs, replaced, key)
    for shared in of_arguments.keys() & of_outputs.keys() - {None}:
        replaced.update(zip(of_arguments[shared], of_outputs[shared], strict=False))


def _pair_multiples(
    module: Module, arguments: list[int], outputs: list[int], replaced: dict[int, int]
) -> None:
    """Pairs shapes that come equally often (an input may have the same), more than once, and hold a multiple
    of one another's elements.
    """
    of_arguments, of_outputs = _left(module, arguments, outputs, replaced, _dimensions)
    for dims, group in of_outputs.items():
        for other, candidates in of_arguments.items():
            if dims is None or other is None or not 2 <= len(group) <= len(candidates) <= len(group) + 1:
                continue
            assert isinstance(dims, tuple) and isinstance(other, tuple)
            large, small = max(prod(dims), prod(other)), min(prod(dims), prod(other))
            if small and large % small == 0 and candidates[0] not in replaced:
                replaced.update(zip(candidates, group, strict=False))
                break
