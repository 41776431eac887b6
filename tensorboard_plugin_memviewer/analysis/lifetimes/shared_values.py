"""Which values XLA put into one buffer, for files that do not state it (text reports).

Where one value ends because another begins (a loop's initial value, its parameter and its result) and both
lie at one address, they are one buffer. So are a fusion's result and an operand at its address in the HBM of
a TPU, where the heap lets no other results take an operand's memory: it writes in place.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tensorboard_plugin_memviewer.analysis.lifetimes.lifetimes import find_lifetimes
from tensorboard_plugin_memviewer.analysis.lifetimes.positions import Positions
from tensorboard_plugin_memviewer.analysis.lifetimes.program_order import program_order
from tensorboard_plugin_memviewer.analysis.lifetimes.shape_trees import ShapeTrees
from tensorboard_plugin_memviewer.model.module import Instructions, Ints, Module, Rows
from tensorboard_plugin_memviewer.model.space import HBM


def with_shared_values(module: Module) -> Module:
    """The module with `hlo_buffer` worked out from its schedule; as it is where it has none."""
    lifetimes = find_lifetimes(module, program_order(module))
    if lifetimes is None:
        return module
    buffers, positions = module.buffers, lifetimes.positions
    pairs = [
        positions.meeting[:2],
        _tables(module, positions),
        _donated(module, positions),
        _stated(module, positions),
        *([_in_place(module, positions)] if module.platform == "tpu" else []),
    ]
    one, two = (np.concatenate(columns) for columns in zip(*pairs, strict=True))
    place = np.stack([buffers.allocation, buffers.offset])
    together = (place[:, one] == place[:, two]).all(axis=0) & (place[0, one] >= 0)
    first = _joined(len(buffers), one[together], two[together])
    return replace(module, buffers=replace(buffers, hlo_buffer=first))


def _tables(module: Module, positions: Positions) -> tuple[Ints, Ints]:
    """The tables of pointers that meet where a loop or branches are run, which `positions.meeting` leaves
    out. A branch is given its operand's own table, so only the results of branches meet.
    """
    table, root = module.instructions, module.computations.root
    parameter = np.full(len(module.computations), -1)
    first = np.nonzero(table.has_opcode("parameter") & (table.parameter_number == 0))[0]
    parameter[table.computation[first]] = first
    one: list[int] = []
    two: list[int] = []
    for row in np.nonzero(table.has_opcode("while", "conditional"))[0].tolist():
        called = table.called[table.called_start[row] : table.called_start[row + 1]].tolist()
        met = [row, *(root[at] for at in called)]
        if table.opcodes[table.opcode[row]] == "while":
            met += table.operands[table.operand_start[row] : table.operand_start[row + 1]].tolist()
            met += [int(parameter[at]) for at in called]
        held = [positions.buffer[positions.base[at]] for at in met if at >= 0 and positions.size[at] > 1]
        known = [int(buffer) for buffer in held if buffer >= 0]
        one += known[:-1]
        two += known[1:]
    return np.array(one, np.int64), np.array(two, np.int64)


def _donated(module: Module, positions: Positions) -> tuple[Ints, Ints]:
    """Parts of the program's result that lie in an argument's memory, and the argument."""
    buffers, root = module.buffers, -1 if module.entry is None else module.computations.root[module.entry]
    result = positions.buffer[positions.base[root] : positions.base[root] + positions.size[root]]
    result = np.unique(result[result >= 0]) if root >= 0 else np.zeros(0, np.int64)
    known = np.nonzero(buffers.instruction >= 0)[0]
    arguments = known[module.instructions.has_opcode("parameter")[buffers.instruction[known]]]
    argument = np.full(len(module.allocations) + 1, -1)
    argument[buffers.allocation[arguments]] = arguments
    argument[:-1][~module.allocations.is_parameter] = -1
    of_result = argument[buffers.allocation[result]]
    return result[of_result >= 0].astype(np.int64), of_result[of_result >= 0]


def _stated(module: Module, positions: Positions) -> tuple[Ints, Ints]:
    """Parts of results, and the operands that the file states they are written into."""
    table, trees = module.instructions, ShapeTrees(module.shapes)
    pairs: list[tuple[int, int]] = []
    for row, index, number, operand_index in module.in_place:
        operands = table.operands[table.operand_start[row] : table.operand_start[row + 1]].tolist()
        if number < len(operands) and operands[number] >= 0:
            places = (row, index), (operands[number], operand_index)
            result, read = (_buffer_at(table, trees, positions, *place) for place in places)
            if result >= 0 and read >= 0:
                pairs.append((result, read))
    one, two = np.array(pairs, np.int64).reshape(-1, 2).T
    return one, two


def _buffer_at(
    table: Instructions, trees: ShapeTrees, positions: Positions, row: int, index: tuple[int, ...]
) -> int:
    offset = trees.offset(int(table.shape[row]), index)
    if offset is None or offset >= positions.size[row]:
        return -1
    return int(positions.buffer[positions.base[row] + offset])


def _in_place(module: Module, positions: Positions) -> tuple[Ints, Ints]:
    """Results of fusions in HBM, and the operands at whose addresses they lie."""
    table, buffers = module.instructions, module.buffers
    counts = np.diff(table.operand_start)
    user = np.repeat(np.arange(len(counts)), counts)
    operand = table.operands[table.operand_start[0] : table.operand_start[0] + len(user)].astype(np.int64)
    kept = (operand >= 0) & table.has_opcode("fusion")[user]
    user, operand = user[kept], operand[kept]
    size = positions.size[operand]
    user = np.repeat(user, size)
    within = np.arange(len(user)) - np.repeat(np.cumsum(size) - size, size)
    read = positions.buffer[np.repeat(positions.base[operand], size) + within].astype(np.int64)
    user, read = user[read >= 0], read[read >= 0]
    assigned = (buffers.allocation >= 0) & (buffers.size > 0) & (buffers.instruction >= 0)
    assigned &= buffers.space == HBM
    made = np.flatnonzero(assigned)
    _, place = np.unique(np.stack([buffers.allocation, buffers.offset]), axis=1, return_inverse=True)
    place = place.reshape(-1)
    places = int(place.max(initial=0)) + 1
    key = buffers.instruction[made].astype(np.int64) * places + place[made]
    order = np.argsort(key, kind="stable")
    made, key = made[order], key[order]
    at = np.searchsorted(key, wanted := user * places + place[read])
    found = (at < len(key)) & assigned[read]
    found[found] = key[at[found]] == wanted[found]
    return made[at[found]], read[found]


def _joined(count: int, one: Ints, two: Ints) -> Rows:
    """By row the smallest of those that pairs join it to."""
    first = np.arange(count, dtype=np.int32)
    while True:
        before = first.copy()
        low = np.minimum(first[one], first[two])
        np.minimum.at(first, first[one], low)
        np.minimum.at(first, first[two], low)
        first = first[first]
        if np.array_equal(first, before):
            return first
