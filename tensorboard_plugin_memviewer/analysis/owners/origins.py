"""Which arguments each node of the flow is made of.

One sweep answers it whole where there are few arguments, a bit each. Where there are more than bits, one
sweep tells what is made of one argument alone, and another, when it is asked for, of which of some arguments.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tensorboard_plugin_memviewer.analysis.owners.flow import (
    MOST_BITS,
    NO_ORIGIN,
    SEVERAL,
    Flow,
    bit_counts,
)
from tensorboard_plugin_memviewer.model.module import Ints


@dataclass(frozen=True, slots=True)
class Origins:
    """`alone` is by node the argument that it is made of alone, NO_ORIGIN or SEVERAL.

    `bits` holds by node a bit for each of `arguments` that it is made of, None where there are too many.
    """

    alone: Ints
    arguments: tuple[int, ...]
    bits: Ints | None

    def of(self, flow: Flow, arguments: list[int]) -> Ints:
        """By node a bit for each of some arguments, at most MOST_BITS, that it is made of."""
        if self.bits is None:
            return flow.downstream(_begun(flow, arguments))
        return renumbered(self.bits, [self.arguments.index(argument) for argument in arguments])


def find_origins(flow: Flow, arguments: list[int]) -> Origins:
    """The origins of every node. Arguments that are left out count as none."""
    if len(arguments) > MOST_BITS:
        start = np.full(len(flow.node), NO_ORIGIN, np.int64)
        start[arguments] = arguments
        return Origins(flow.origins(start), tuple(arguments), None)
    bits = flow.downstream(_begun(flow, arguments))
    alone = np.where(bits == 0, NO_ORIGIN, SEVERAL)
    single = np.flatnonzero(bit_counts(bits) == 1)
    bit = bit_counts(bits[single] - 1)
    alone[single] = np.array([*arguments, NO_ORIGIN], np.int64)[bit]
    return Origins(alone, tuple(arguments), bits)


def renumbered(bits: Ints, wanted: list[int]) -> Ints:
    """Some of the bits alone, in the order wanted."""
    result = np.zeros(len(bits), np.int64)
    for bit, at in enumerate(wanted):
        result |= (bits >> at & 1) << bit
    return result


def _begun(flow: Flow, arguments: list[int]) -> Ints:
    start = np.zeros(len(flow.node), np.int64)
    for bit, argument in enumerate(arguments):
        start[flow.node[argument]] = 1 << bit
    return start
