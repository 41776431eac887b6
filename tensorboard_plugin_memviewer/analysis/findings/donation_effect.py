"""Bounds for how much donation lowers the peak, as far as the plan proves them.

The memory of an output often holds temporaries until the output is written. They need room elsewhere once
the output lies in an argument's place, so such memory counts as free only after the last of them. What
begins as a copy of the argument needs none: the argument itself takes its part.
"""

from __future__ import annotations

import numpy as np

from tensorboard_plugin_memviewer.analysis.findings.finding import Effect, Facts
from tensorboard_plugin_memviewer.analysis.findings.graph import Result, Value
from tensorboard_plugin_memviewer.model.module import AllocationType

# An argument's parameter, the row of the output that could take its place, and what that gives back.
Freed = tuple[int, int, Result]


def what_donating_frees(facts: Facts, pairs: list[Freed], most: int) -> Effect:
    """The fall of the peak where the outputs of `pairs` need no memory of their own: the sizes of those and
    of others that are kept sum to `most` bytes.
    """
    parameters = {parameter for parameter, _, _ in pairs}
    freed = np.zeros(facts.plan.order.points + 1, np.int64)
    for _, row, result in pairs:
        freed[_free_from(facts, parameters, row, result)] += facts.size(row)
    after = facts.usage.usage - np.cumsum(freed)[:-1]
    low = facts.usage.headline.peak_bytes - int(after.max(initial=0))
    # Next to nothing is not worth a promise.
    return Effect(low if 100 * low >= most else 0, most + _copies(facts, parameters))


def _copies(facts: Facts, parameters: set[int]) -> int:
    """Bytes of temporaries at the peak that are copies of the arguments: donated, they may go too."""
    places = [
        (row, facts.value(row)) for row in facts.live.tolist() if facts.type(row) == AllocationType.TEMPORARY
    ]
    return facts.sizes(
        [row for row, value in places if value is not None and facts.graph.argument(value) in parameters]
    )


def last_read(facts: Facts, row: int) -> int:
    """The last point that reads what lies in a row's allocation; -1 where nothing is known to."""
    return max((int(facts.readers.of(buffer).max(initial=-1)) for buffer in facts.sharers(row)), default=-1)


def _free_from(facts: Facts, parameters: set[int], row: int, result: Result) -> int:
    """The point from which an output's memory holds nothing but what the argument could hold."""
    held = facts.sharers(row).tolist()
    own = _in_place_of(facts, parameters, held) | {result.buffer}
    ends = [_end(facts, buffer) for buffer in held if buffer not in own]
    return min(max(ends, default=0), facts.plan.order.points)


def _end(facts: Facts, buffer: int) -> int:
    """The point after the last that needs a buffer: of what a loop reads, after the loop."""
    order, row = facts.plan.order, int(facts.plan.module.buffers.instruction[buffer])
    start = int(order.point[row]) if row >= 0 else -1
    last = int(facts.readers.of(buffer).max(initial=start))
    if last < 0:
        return order.points
    loop = order.outermost_loop(last)
    return last + 1 if loop is None else loop.end


def _in_place_of(facts: Facts, parameters: set[int], held: list[int]) -> set[int]:
    """Of the buffers of an output: copies of the arguments, and what loops and updates make of those in
    the same place.
    """
    graph, buffers = facts.graph, facts.plan.module.buffers
    chain: set[int] = set()
    grown = True
    while grown:
        grown = False
        for buffer in held:
            if buffer in chain:
                continue
            value = Value(int(buffers.instruction[buffer]), buffers.shape_index[buffer])
            if value.row >= 0 and (
                graph.argument(value) in parameters
                or any(graph.buffer(before) in chain for before in _made_from(facts, value))
            ):
                chain.add(buffer)
                grown = True
    return chain


def _made_from(facts: Facts, value: Value) -> list[Value]:
    """The values that a value may be made from in place."""
    graph = facts.graph
    opcode = graph.opcode(value.row)
    if opcode == "while":
        return [Value(row, value.at) for row in graph.operands(value.row)]
    if opcode == "parameter":
        caller = graph.callers.get(int(facts.plan.module.instructions.computation[value.row]))
        return [] if caller is None or graph.opcode(caller) != "while" else [Value(caller, value.at)]
    return [Value(row, ()) for row in graph.operands(value.row)]
