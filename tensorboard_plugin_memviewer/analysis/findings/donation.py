"""The finding about donation: arguments whose memory an output could take over."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from tensorboard_plugin_memviewer.analysis.findings.donation_effect import last_read, what_donating_frees
from tensorboard_plugin_memviewer.analysis.findings.finding import (
    MOST_ROWS,
    Effect,
    Facts,
    Finding,
    function_argument,
)
from tensorboard_plugin_memviewer.analysis.findings.graph import Result, Value
from tensorboard_plugin_memviewer.model.module import AllocationType
from tensorboard_plugin_memviewer.units import format_bytes, format_count
from tensorboard_plugin_memviewer.vocabulary.findings import FINDING_KINDS, LEAST_BYTES

# Scalars, such as the number of the step, are donated with their neighbors or not at all.
_SCALAR = 4 << 10
_MOST_NAMED = 4
# These read elements that they have written over already, were their result in the place of their operand.
_ANOTHER_ORDER = frozenset(
    {"all-gather", "all-gather-start", "all-to-all", "cholesky", "collective-permute", "concatenate"}
    | {"collective-permute-start", "convolution", "custom-call", "dot", "fft", "gather", "reduce-scatter"}
    | {"reduce-window", "reverse", "select-and-scatter", "transpose", "triangular-solve"}
)
_Key = tuple[str, int]


class _Argument(NamedTuple):
    """An argument that is not donated: its row, its instruction and what a sentence calls it."""

    row: int
    parameter: int
    name: str


class _Output(NamedTuple):
    """An output with memory of its own: the row of its allocation, and the value that it gives back."""

    row: int
    result: Result


class _Pair(NamedTuple):
    """`free` where nothing reads the argument once the output is written."""

    argument: _Argument
    output: _Output
    free: bool


def find_undonated(facts: Facts) -> Iterator[Finding]:
    """Arguments that are kept although an output of their shape and type is written beside them."""
    if facts.plan.order.axis == "events":
        return  # Who reads what is not known.
    arguments, outputs = _arguments(facts), _outputs(facts)
    pairs = [pair for key, found in outputs.items() for pair in _paired(facts, arguments.get(key, []), found)]
    pairs = _worth_naming(facts, pairs)
    total = facts.sizes([pair.output.row for pair in pairs])
    share = FINDING_KINDS["undonated_arguments"].share
    if total < LEAST_BYTES or not share.reached(total, facts.usage.headline.required_bytes):
        return
    pairs.sort(key=lambda pair: -facts.size(pair.output.row))
    free = [(pair.argument.parameter, pair.output.row, pair.output.result) for pair in pairs if pair.free]
    effect = what_donating_frees(facts, free, total)
    yield Finding(
        kind="undonated_arguments",
        title=f"{format_count(len(pairs), 'argument')} could be donated",
        bytes=total,
        detail=f"{format_count(len(pairs), 'output')}, {format_bytes(total)} in all, "
        f"{'has' if len(pairs) == 1 else 'have'} the shape and type of arguments that are not donated: "
        f"{_named(pairs)}. {_effect_words(effect)}",
        advice="If the old values are not needed after the call, give their memory to the new ones: "
        "jax.jit(f, donate_argnums=…).",
        rows=tuple(row for pair in pairs for row in (pair.argument.row, pair.output.row))[:MOST_ROWS],
        cure="donation",
        effect=effect,
    )


def _effect_words(effect: Effect) -> str:
    if effect.low == effect.high:
        return "All of it is free at the peak once they are donated."
    reused = "The outputs' memory is already reused before they are written, so the peak drops by"
    if not effect.low:
        return f"{reused} up to {format_bytes(effect.high)}, or not at all."
    return f"{reused} at least {format_bytes(effect.low)}, at most {format_bytes(effect.high)}."


def _named(pairs: list[_Pair]) -> str:
    """The arguments of the function that the pairs' arrays belong to, with an array of each."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for pair in pairs:
        groups[function_argument(pair.argument.name)].append(pair.argument.name)
    words = [
        names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more of {group}"
        for group, names in groups.items()
    ]
    more = [f"{len(words) - _MOST_NAMED} more"] if len(words) > _MOST_NAMED else []
    return "; ".join(words[:_MOST_NAMED] + more)


def _worth_naming(facts: Facts, pairs: list[_Pair]) -> list[_Pair]:
    """Without arguments of the function that make up less than 1 % of what could be donated."""
    totals: defaultdict[str, int] = defaultdict(int)
    has_free: set[str] = set()
    for pair in pairs:
        name = function_argument(pair.argument.name)
        totals[name] += facts.size(pair.output.row)
        has_free |= {name} if pair.free else set()
    least = sum(totals.values()) / 100
    kept = {name for name, size in totals.items() if size >= least and name in has_free}
    return [pair for pair in pairs if function_argument(pair.argument.name) in kept]


def _arguments(facts: Facts) -> dict[_Key, list[_Argument]]:
    """Arguments that are arrays and not donated, by shape, type and size."""
    aliased, graph = facts.plan.module.allocations.aliased, facts.graph
    found: defaultdict[_Key, list[_Argument]] = defaultdict(list)
    for row in facts.live.tolist():
        value = facts.value(row)
        if facts.type(row) != AllocationType.PARAMETER or aliased[facts.usage.buffers.allocation[row]]:
            continue
        parameter = None if value is None else graph.argument(value)
        shape = None if value is None else graph.shape(value)
        if parameter is None or shape is None or shape.is_tuple or facts.size(row) < _SCALAR:
            continue
        name = graph.op_name(parameter) or facts.name(row)
        found[shape.text(layout=False), facts.size(row)].append(_Argument(row, parameter, name))
    return found


def _outputs(facts: Facts) -> dict[_Key, list[_Output]]:
    """Outputs with memory of their own, by the shape, type and size of the value that is given back."""
    row_of = {
        int(facts.usage.buffers.allocation[row]): row
        for row in facts.live.tolist()
        if facts.type(row) == AllocationType.OUTPUT
    }
    found: defaultdict[_Key, list[_Output]] = defaultdict(list)
    for result in facts.graph.results():
        row = row_of.pop(int(facts.plan.module.buffers.allocation[result.buffer]), None)
        if row is not None and facts.size(row) >= _SCALAR:
            found[result.shape.text(layout=False), facts.size(row)].append(_Output(row, result))
    return found


def _paired(facts: Facts, arguments: list[_Argument], outputs: list[_Output]) -> Iterator[_Pair]:
    """Outputs with the arguments whose memory they could take: first those that they are made from."""
    written = {output.row: _written(facts, output.result) for output in outputs}
    left = sorted(arguments, key=lambda argument: last_read(facts, argument.row))
    rest: list[_Output] = []
    for output in sorted(outputs, key=lambda output: written[output.row]):
        read = _arguments_read(facts, output.result.maker)
        own = next((argument for argument in left if argument.parameter in read), None)
        if own is not None:
            left.remove(own)
            yield _Pair(own, output, _is_free(facts, own, written[output.row]))
        elif not _is_gradient(facts, output.result.maker):
            rest.append(output)
    kept: list[_Output] = []
    for output in rest:
        free = next((one for one in left if _is_free(facts, one, written[output.row])), None)
        if free is None:
            kept.append(output)
        else:
            left.remove(free)
            yield _Pair(free, output, free=True)
    for argument, output in zip(left, kept, strict=False):
        yield _Pair(argument, output, free=False)


def _arguments_read(facts: Facts, maker: int) -> set[int]:
    """The parameters that an instruction reads, copies of them included; of a loop, what goes into it."""
    graph = facts.graph
    operands = graph.operands(maker)
    if graph.opcode(maker) == "while" and operands and graph.opcode(operands[0]) == "tuple":
        operands = graph.operands(operands[0])
    found = {graph.argument(Value(operand, ())) for operand in operands}
    return {parameter for parameter in found if parameter is not None}


def _is_gradient(facts: Facts, maker: int) -> bool:
    """Whether an output comes out of a backward pass as it is: it is no new value of what it is for."""
    made = facts.graph.made(Value(maker, ()), copies=True).row
    return "transpose(jvp" in facts.graph.op_name(made)


def _written(facts: Facts, result: Result) -> int:
    """The point that writes an output, or where the outermost loop around it begins."""
    order, point = facts.plan.order, int(facts.plan.order.point[result.maker])
    if point < 0:
        return order.points
    is_loop = facts.graph.opcode(result.maker) == "while"
    loop = order.outermost_loop(point - 1 if is_loop and point else point)
    return point if loop is None else loop.start


def _is_free(facts: Facts, argument: _Argument, point: int) -> bool:
    last = last_read(facts, argument.row)
    return last < point or (last == point and _works_in_place(facts, point))


def _works_in_place(facts: Facts, point: int) -> bool:
    """Whether what runs at a point may write over what it reads, as far as its opcode tells."""
    row, table = int(facts.plan.order.instruction[point]), facts.plan.module.instructions
    return facts.graph.opcode(row) not in _ANOTHER_ORDER and table.fusion_kind.get(row) != "kCustom"
