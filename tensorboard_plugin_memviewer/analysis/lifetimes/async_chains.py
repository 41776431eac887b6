"""Chains of asynchronous operations: which computation each runs, and how many of its operands are bound.

An `async-start` names the computation; `async-update` and `async-done` continue the chain of their operand 0.
Compilers bind the computation's operands at the start or, from libtpu 0.0.46 on, at any operation of the
chain: an operation's first operand is the chain, the others are bound there. The computation has its program
points just before the operation that binds the last.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tensorboard_plugin_memviewer.model.module import Ints, Module

_OPCODES = ("async-start", "async-update", "async-done")


@dataclass(frozen=True, slots=True)
class AsyncOperation:
    """One operation of a chain, by rows of Instructions and Computations.

    `start` is the chain's async-start; `computation` what it runs, None where the file does not have it;
    `before` the number of the computation's operands that earlier operations bound, `bound` the number after
    this one.
    """

    start: int
    computation: int | None
    before: int
    bound: int


@dataclass(frozen=True, slots=True)
class AsyncChains:
    """Asynchronous operations by their rows, and by async-start the operations of its chain in order."""

    operations: dict[int, AsyncOperation]
    members: dict[int, list[int]]

    def done(self, start: int) -> int:
        """The row of the chain's last operation, which is its async-done unless the file is damaged."""
        return self.members[start][-1]


def async_chains(module: Module) -> AsyncChains:
    """Every chain of a module. An operation that hangs on no async-start is left out."""
    table = module.instructions
    found: dict[int, AsyncOperation] = {}
    lost: set[int] = set()
    for row in np.nonzero(table.has_opcode(*_OPCODES))[0].tolist():
        _add_with_chain(module, row, found, lost)
    following = {
        int(table.operands[table.operand_start[row]]): row for row in found if found[row].start != row
    }
    members = {row: _in_order(row, following) for row, one in found.items() if one.start == row}
    return AsyncChains(found, members)


def _add_with_chain(module: Module, row: int, found: dict[int, AsyncOperation], lost: set[int]) -> None:
    """Adds `row` after what it continues; where the chain has no start, all that was met is `lost`."""
    table = module.instructions
    path: list[int] = []
    at = row
    while at not in found:
        # What is on the path counts as lost until a start is found: a chain that goes round has none.
        if at in lost or table.opcodes[table.opcode[at]] not in _OPCODES:
            return
        path.append(at)
        lost.add(at)
        if table.opcodes[table.opcode[at]] == "async-start":
            break
        if table.operand_start[at] == table.operand_start[at + 1]:
            return
        at = int(table.operands[table.operand_start[at]])
    lost.difference_update(path)
    for member in reversed(path):
        operands = int(table.operand_start[member + 1] - table.operand_start[member])
        if table.opcodes[table.opcode[member]] == "async-start":
            first, last = table.called_start[member], table.called_start[member + 1]
            computation = int(table.called[first]) if last > first else None
            found[member] = AsyncOperation(member, computation, 0, operands)
        else:
            earlier = found[int(table.operands[table.operand_start[member]])]
            bound = earlier.bound + operands - 1
            found[member] = AsyncOperation(earlier.start, earlier.computation, earlier.bound, bound)


def _in_order(start: int, following: dict[int, int]) -> list[int]:
    """A chain from its start on. Where a damaged file continues an operation twice, one of them is taken."""
    order = [start]
    while (after := following.get(order[-1])) is not None:
        order.append(after)
    return order


def parameter_counts(module: Module) -> Ints:
    """The number of parameters of each computation."""
    table = module.instructions
    of_parameters = table.computation[table.has_opcode("parameter")]
    return np.bincount(of_parameters, minlength=len(module.computations))
