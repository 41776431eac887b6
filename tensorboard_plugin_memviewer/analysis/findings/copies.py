"""Findings about arrays that exist twice.

Copies beside their originals, and donated arguments that are not updated in place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from tensorboard_plugin_memviewer.analysis.findings.finding import (
    MOST_ROWS,
    Effect,
    Facts,
    Finding,
)
from tensorboard_plugin_memviewer.analysis.findings.graph import Value
from tensorboard_plugin_memviewer.model.module import AllocationType
from tensorboard_plugin_memviewer.model.space import HBM
from tensorboard_plugin_memviewer.units import format_bytes, format_share
from tensorboard_plugin_memviewer.vocabulary.findings import FINDING_KINDS, LEAST_BYTES

_COPIES = ("copy", "copy-start", "copy-done")
_PRODUCTS = ("convolution", "dot", "gemm")
_FORMS = {"convert", "reshape", "transpose", "all-gather", "all-gather-start"}
_FORM_OPS = {"convert_element_type", "sharding_constraint", "all_gather"}
# Copies of copies: into the chip and out again, in another layout.
_LONGEST_CHAIN = 8
_CARRY = (
    "Carry the array through the loop and write into it (x.at[i].set, jax.lax.dynamic_update_slice), "
    "instead of stacking a loop's outputs to a new one."
)
_LAYOUT = "Make the new value in the layout of the argument, or give and return the array transposed."
_KEEP_LAYOUT = (
    "The copy has another layout, {}: use the array in one layout, or transpose it where it is made."
)
_READ_AGAIN = (
    "A copy is made where an array is changed that is read again later: read the old value before "
    "changing it."
)
_Pair = tuple[int, int]


def find_copies(facts: Facts) -> Iterator[Finding]:
    """What is held twice at the peak in device memory, where it is enough of the peak."""
    if facts.usage.space != HBM or facts.plan.order.axis == "events":
        return
    peak = facts.usage.headline.peak_bytes
    for kind, pairs, make in (
        ("copies", _copied(facts), _copies),
        ("not_in_place", _replaced(facts), _second),
    ):
        total = facts.covered([row for row, _ in pairs])
        if total >= LEAST_BYTES and FINDING_KINDS[kind].share.reached(total, peak):
            yield make(facts, pairs, total)


def _copies(facts: Facts, pairs: list[_Pair], total: int) -> Finding:
    copy, source = pairs[0]
    share = format_share(total, facts.usage.headline.peak_bytes)
    equal = facts.as_large([copy for copy, _ in pairs])
    largest = f"{facts.name(copy)}, {format_bytes(facts.size(copy))}{equal}"
    change = _layouts(facts, copy, source)
    return Finding(
        kind="copies",
        title=f"Copies beside their originals take {share} of the peak",
        bytes=total,
        detail=f"{_counted(len(pairs))}, the largest {largest}, of {facts.operation(source)}.",
        advice=_READ_AGAIN if change is None else _KEEP_LAYOUT.format(change),
        rows=_evidence(pairs),
        points=(facts.usage.headline.peak_point,),
        cure="carry",
        effect=Effect(0, total),
    )


def _second(facts: Facts, pairs: list[_Pair], total: int) -> Finding:
    row, argument = pairs[0]
    change = _layouts(facts, row, argument)
    why = (
        "is copied over it at the end"
        if change is None
        else f"is brought into its layout at the end, {change}"
    )
    return Finding(
        kind="not_in_place",
        title="A donated argument is not updated in place",
        bytes=total,
        detail=f"The new value of {facts.operation(argument)} is made in {facts.name(row)}, "
        f"{format_bytes(facts.size(row))}, beside the old one, and {why}.",
        advice=_CARRY if change is None else _LAYOUT,
        rows=_evidence(pairs),
        points=(facts.usage.headline.peak_point,),
        cure="not_in_place",
        effect=Effect(0, total),
    )


def _layouts(facts: Facts, row: int, other: int) -> str | None:
    """`{0,1} instead of {1,0}` where two arrays differ in the order of their dimensions; else None."""
    first, second = (_order(facts, one) for one in (row, other))
    return None if first == second else f"{first} instead of {second}"


def _order(facts: Facts, row: int) -> str:
    shape = facts.shape(row)
    layout = None if shape is None else shape.layout
    return "" if layout is None else "{" + ",".join(map(str, layout.minor_to_major)) + "}"


def _needs_layout(facts: Facts, row: int, argument: int) -> bool:
    """Whether a new value could be written over the argument were their layouts the same: it is no product
    and no loop's.
    """
    value = facts.value(row)
    if value is None or facts.graph.opcode(value.row) != "fusion":
        return False
    name = facts.plan.module.instructions.names[value.row]
    is_product = any(word in name for word in _PRODUCTS)
    return not is_product and _layouts(facts, row, argument) is not None


def _is_stacked(facts: Facts, row: int) -> bool:
    """Whether a loop writes a row's array slice by slice."""
    value = facts.carried(row)
    maker = None if value is None else facts.graph.put_back(value)
    return maker is not None and facts.graph.is_update(maker)


def copied_argument(facts: Facts, row: int) -> int | None:
    """The instruction of the argument that a row is a copy of, or a copy of a copy; None for others."""
    value = facts.value(row)
    return facts.graph.argument(value) if value is not None and facts.opcode(row) in _COPIES else None


def made_of_argument(facts: Facts, row: int) -> bool:
    """Whether a row is an argument in another form: copied, cast or gathered from several devices."""
    value = facts.value(row)
    for _ in range(_LONGEST_CHAIN):
        if value is None:
            return False
        made = facts.graph.made(value, copies=True)
        if facts.graph.argument(made) is not None:
            return True
        operands = facts.graph.operands(made.row)
        value = Value(operands[0], ()) if operands and _changes_form(facts, made.row) else None
    return False


def _changes_form(facts: Facts, instruction: int) -> bool:
    """Whether an instruction keeps the elements of its first operand, and reads nothing else."""
    opcode = facts.graph.opcode(instruction)
    if opcode == "fusion":
        op = facts.graph.op_name(instruction).rpartition("/")[2]
        return op in _FORM_OPS and len(facts.graph.operands(instruction)) == 1
    return opcode in _FORMS


def _evidence(pairs: list[_Pair]) -> tuple[int, ...]:
    return tuple(row for pair in pairs for row in pair)[:MOST_ROWS]


def _counted(count: int) -> str:
    return "1 copy" if count == 1 else f"{count} copies"


def _rows_by_reader(facts: Facts) -> dict[int, list[int]]:
    """Rows of the buffers by the points that read them."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for row, buffer in enumerate(facts.usage.buffers.buffer.tolist()):
        for point in () if buffer < 0 else facts.readers.of(buffer).tolist():
            found[point].append(row)
    return found


def _copied(facts: Facts) -> list[_Pair]:
    """`(copy, original)` for the copies at the peak whose original is alive there too."""
    table = facts.usage.buffers
    row_of = {int(table.buffer[row]): row for row in facts.live.tolist()}
    # What a loop carries in an argument's or output's memory is that.
    row_of_allocation = {
        int(table.allocation[row]): row
        for row in facts.live.tolist()
        if facts.type(row) in (AllocationType.PARAMETER, AllocationType.OUTPUT)
    }
    allocation, instruction = facts.plan.module.buffers.allocation, facts.plan.module.buffers.instruction
    pairs: list[_Pair] = []
    for row in facts.live.tolist():
        if facts.type(row) != AllocationType.TEMPORARY:
            continue
        for buffer in _copied_buffers(facts, row):
            is_carried = facts.graph.opcode(int(instruction[buffer])) in ("parameter", "while")
            held = row_of_allocation.get(int(allocation[buffer])) if is_carried else None
            source = row_of.get(buffer, held)
            if source not in (None, row) and _shape_text(facts, source) == _shape_text(facts, row):
                pairs.append((row, source))
                break
    return pairs


def _copied_buffers(facts: Facts, row: int) -> Iterator[int]:
    """The buffers that a row is a copy of: the nearest first. The copy may have been written into since."""
    graph, value = facts.graph, facts.value(row)
    for _ in range(_LONGEST_CHAIN):
        if value is None:
            return
        made = graph.made(value)
        operands = [Value(operand, ()) for operand in graph.operands(made.row)]
        if graph.opcode(made.row) in _COPIES and operands:
            value = operands[0]
            buffer = graph.buffer(value)
            if buffer is not None:
                yield buffer
        elif graph.is_update(made.row):
            same = [operand for operand in operands if graph.shape(operand) == graph.shape(made)]
            value = same[0] if len(same) == 1 else None
        else:
            return


def _copied_from(facts: Facts, row: int, readable: dict[int, list[int]]) -> list[int]:
    """Rows of the same shape and type that the instruction of a row reads, where that is a copy."""
    instruction = facts.instruction(row)
    if instruction is None or facts.opcode(row) not in _COPIES:
        return []
    shape = _shape_text(facts, row)
    sources = readable.get(int(facts.plan.order.point[instruction]), [])
    return [source for source in sources if _shape_text(facts, source) == shape]


def _shape_text(facts: Facts, row: int) -> str | None:
    shape = facts.shape(row)
    return None if shape is None else shape.text(layout=False)


def _replaced(facts: Facts) -> list[_Pair]:
    """`(new value, argument)` where a copy writes a temporary over an aliased argument.

    The new value is the row at the peak that lies where the copied temporary does: a loop's state has a
    buffer for each step of it.
    """
    table, aliased = facts.usage.buffers, facts.plan.module.allocations.aliased
    readable = _rows_by_reader(facts)
    at_peak = {facts.place(row): row for row in facts.live.tolist()}
    argument_of = {
        int(table.allocation[row]): row for row in facts.live.tolist() if aliased[table.allocation[row]]
    }
    pairs: dict[_Pair, None] = {}
    # A product, a sort or a gather needs the old value until the new one is whole: two are needed then.
    for row, allocation in enumerate(table.allocation.tolist()):
        if allocation not in argument_of or table.represents[row]:
            continue
        for source in _copied_from(facts, row, readable):
            held, argument = at_peak.get(facts.place(source)), argument_of[allocation]
            if held is None or facts.type(held) != AllocationType.TEMPORARY:
                continue
            if copied_argument(facts, held) is not None:
                continue  # It is one of the copies.
            if _is_stacked(facts, held) or _needs_layout(facts, held, argument):
                pairs[held, argument] = None
    return sorted(pairs, key=lambda pair: -facts.size(pair[0]))
