"""Does a program train, and which of its arguments are the weights it trains?

Theory of operation. A gradient depends on every weight of the model, because the loss does. So in a program
that trains, each weight reaches the new value of each other weight: the weights are a clique of arguments
that reach one another's outputs. Moments and other states of the optimizer reach only the new values of
their own weight; a cache of a decoder only those of later layers; a program without a backward pass has no
such clique. What an instruction that ends in an output reads directly (the old value in an update) does not
count as reaching, for compilers fuse the updates of many weights into one instruction.

Two values that a recurrent cell replaces, or a cache that is written twice, make a clique as well. There is
a second sign: a backward pass reads the same array again, together with what was made from it (a layer's
input for the gradient of its weight, an old weight in its update): it is *read again*.

Up to MOST_BITS outputs are looked at, evenly spread; the rest follow from what they reach of those.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tensorboard_plugin_memviewer.analysis.owners.flow import MOST_BITS, MOVES, SEVERAL, Flow, bit_counts
from tensorboard_plugin_memviewer.analysis.owners.origins import Origins, renumbered
from tensorboard_plugin_memviewer.analysis.owners.replaced import (
    SMALL_BYTES,
    Arguments,
    dimensions,
    is_number,
)
from tensorboard_plugin_memviewer.model.module import Flags, Ints, Module

# The longest chain of moves between an update and the program's output that is followed.
_MOST_MOVES = 4
# The last bit stands for the loss: the first number that the program returns beside what it replaces.
_LOSS = 1 << (MOST_BITS - 1)
_MOST_PAIRS = MOST_BITS - 2


@dataclass(frozen=True, slots=True)
class Training:
    """What is known of a program that trains. All columns are by node of the flow.

    `weights` are the arguments that it trains (rows of LogicalBuffers), as far as they were looked at, a bit
    each: `reach` holds those whose new values a node reaches, `depends` those that it depends on. `loss`
    marks what the loss depends on. `read_again` and `passed_back` are arguments, by the signs above.
    """

    weights: tuple[int, ...]
    reach: Ints
    depends: Ints
    all_weights: int
    loss: Flags
    read_again: frozenset[int]
    passed_back: frozenset[int]


def find_training(
    module: Module, flow: Flow, arguments: Arguments, origins: Origins, partly: frozenset[int]
) -> Training | None:
    """None for a program without a backward pass. `partly` are the arguments that are
    written in part, which training does to none.
    """
    pairs = [
        (argument, output)
        for argument, output in arguments.replaced.items()
        if argument not in partly
        and is_number(module, argument)
        and dimensions(module, argument)
        and flow.node[output] >= 0
    ]
    pairs = [pair for pair in pairs if module.buffers.size[pair[0]] >= SMALL_BYTES] or pairs
    if not pairs:
        return None
    pairs = [
        pairs[at] for at in sorted(set(np.linspace(0, len(pairs) - 1, _MOST_PAIRS).astype(int).tolist()))
    ]
    start = np.zeros(len(flow.node), np.int64)
    for bit, (_, output) in enumerate(pairs):
        start[flow.node[output]] |= 1 << bit
    loss = _loss(module, flow, arguments)
    if loss is not None:
        start[loss] |= _LOSS
    tail = _tail(module, flow)
    ends = tail[flow.target] & (origins.alone[flow.source] >= 0) & ~_moves(module)[flow.target]
    reach = flow.without(ends).upstream(start)
    core = _clique(flow, pairs, reach)
    clique = len(core) > 1
    if not clique:
        core = _alone(flow, pairs, reach)
    weights = [pairs[at][0] for at in core]
    looked_at = [*weights, *_others(module, arguments, weights, MOST_BITS - 1 - len(weights))]
    depends = origins.of(flow, looked_at)
    of_weights = renumbered(reach, core)
    again, back = (
        {argument for bit, argument in enumerate(looked_at) if bits >> bit & 1}
        for bits in _read_again(flow, len(weights), depends, origins.alone, of_weights)
    )
    if not clique or len(weights) == 2:
        # A weight and its momentum reach each other, too; but nothing other than an update reads a moment.
        moments = {
            weight
            for bit, weight in enumerate(weights)
            if weight not in again and _elementwise(module, flow, weight, depends >> bit & 1 == 1)
        }
        kept = [at for at in core if pairs[at][0] not in moments] if len(moments) < len(core) else core
        core, weights = kept, [pairs[at][0] for at in kept]
    if not _trains(arguments, weights, again, clique=clique):
        return None
    return Training(
        weights=tuple(weights),
        reach=renumbered(reach, core),
        depends=renumbered(depends, [looked_at.index(weight) for weight in weights]),
        all_weights=(1 << len(weights)) - 1,
        loss=(reach & _LOSS) != 0,
        read_again=frozenset(again),
        passed_back=frozenset(back),
    )


def _loss(module: Module, flow: Flow, arguments: Arguments) -> int | None:
    taken = set(arguments.replaced.values())
    for output in arguments.outputs:
        small = module.buffers.size[output] < SMALL_BYTES and is_number(module, output)
        if output not in taken and small and flow.node[output] >= 0:
            return int(flow.node[output])
    return None


def _moves(module: Module) -> Flags:
    """By logical buffer, whether its instruction only moves."""
    row = module.buffers.instruction
    moves: Flags = (row >= 0) & module.instructions.has_opcode(*MOVES)[row]
    return moves


def _tail(module: Module, flow: Flow) -> Flags:
    """By node, whether nothing is made of it but outputs."""
    moves = _moves(module)
    tail = np.ones(len(flow.node), np.bool_)
    tail[flow.source] = False
    for _ in range(_MOST_MOVES):
        further = np.ones(len(flow.node), np.bool_)
        further[flow.source[~(tail & moves)[flow.target]]] = False
        if np.array_equal(further, tail):
            break
        tail = further
    return tail


def _clique(flow: Flow, pairs: list[tuple[int, int]], reach: Ints) -> list[int]:
    """The pairs whose arguments reach one another's outputs: those with most such partners."""
    of_argument = reach[flow.node[np.array([argument for argument, _ in pairs])]]
    reaches = (of_argument[:, None] >> np.arange(len(pairs)) & 1).astype(np.bool_)
    mutual = reaches & reaches.T
    np.fill_diagonal(mutual, False)
    partners = mutual.sum(axis=1)
    most = int(partners.max())
    return np.flatnonzero(partners * 2 > most).tolist() if most else []


def _alone(flow: Flow, pairs: list[tuple[int, int]], reach: Ints) -> list[int]:
    """The pairs whose argument reaches its own output by a detour."""
    return [bit for bit, (argument, _) in enumerate(pairs) if reach[flow.node[argument]] >> bit & 1]


def _elementwise(module: Module, flow: Flow, argument: int, made_of_it: Flags) -> bool:
    """Whether all that is made of an argument has its elements, or is small."""
    size, shape = module.buffers.size, module.buffers.shape
    nodes = np.flatnonzero(made_of_it & (flow.node == np.arange(len(size))) & (size >= SMALL_BYTES))
    shapes = {tuple(module.shapes[row].dimensions) for row in set(shape[nodes].tolist())}
    return shapes <= {tuple(module.shapes[shape[argument]].dimensions)}


def _others(module: Module, arguments: Arguments, weights: list[int], most: int) -> list[int]:
    """Further arguments that a gradient may be taken of, the largest first."""
    known = set(weights)
    numbers = [
        argument
        for argument in arguments.arguments
        if argument not in known
        and is_number(module, argument)
        and module.buffers.size[argument] >= SMALL_BYTES
    ]
    numbers.sort(key=lambda argument: -int(module.buffers.size[argument]))
    return numbers[:most]


def _read_again(flow: Flow, weights: int, depends: Ints, origin: Ints, reach: Ints) -> tuple[int, int]:
    """The bits of arguments that are read together with something that was made from them and more, on the
    way to weights; and of those that are read so after all weights, on the way to many.

    The first bits, as many as `weights`, are those of the trained weights, in `reach` too.
    """
    all_weights = (1 << weights) - 1
    of_source = depends[flow.source]
    mixed = origin[flow.source] == SEVERAL
    alone = flow.joined(np.where(origin[flow.source] >= 0, of_source, 0))
    both = alone & flow.joined(np.where(mixed, of_source, 0))
    late = alone & flow.joined(np.where(mixed & (of_source & all_weights == all_weights), of_source, 0))
    reached = bit_counts(reach)
    many = reached > max(2, weights // 4)
    return int(np.bitwise_or.reduce(both[reached > 0])), int(np.bitwise_or.reduce(late[many]))


def _trains(arguments: Arguments, weights: list[int], again: set[int], *, clique: bool) -> bool:
    if not weights:
        return False
    if not clique and not again - set(arguments.replaced):
        # What is replaced and read again may be a residual; but the layer's weights are then read once.
        return False
    in_place = [weight for weight in weights if weight in arguments.in_place]
    if in_place:
        return 2 * len(again & set(in_place)) >= len(in_place)
    return bool(again)
