"""Which values are gradients of a parameter or its new value, from the graph backwards.

Theory of operation. What a program writes in an argument's place is that argument's new value. From there the
walk goes back through values of the same number of elements: what only moves, what is computed element by
element, what a loop stacks. It ends at what multiplies or reduces, which makes the gradient, at an argument,
and at what the forward pass makes. A gradient that flows into the new values of several arguments (a
parameter and its moments) belongs to the one that the forward or backward pass reads.
"""

from __future__ import annotations

import numpy as np

from tensorboard_plugin_memviewer.analysis.lifetimes.lifetimes import Lifetimes
from tensorboard_plugin_memviewer.analysis.owners.making import Act, Makings, Step
from tensorboard_plugin_memviewer.analysis.owners.names import Names
from tensorboard_plugin_memviewer.analysis.owners.owner import Note
from tensorboard_plugin_memviewer.analysis.owners.resolving import Resolver
from tensorboard_plugin_memviewer.analysis.usage import Plan

# What computes an element of its result from the same element of its operands.
_ELEMENTWISE = frozenset(
    {
        *("add", "subtract", "multiply", "divide", "negate", "maximum", "minimum", "select", "clamp"),
        *("sqrt", "rsqrt", "power", "exponential", "log", "tanh", "sign", "abs", "and", "or", "not"),
        *("compare", "convert", "fusion"),
    }
)
_THROUGH = (Act.MOVES, Act.CONVERTS, Act.GATHERS, Act.EXCHANGES)


def find_gradients(
    plan: Plan, lifetimes: Lifetimes, makings: Makings, resolver: Resolver, names: Names
) -> dict[int, tuple[int, Note]]:
    """By logical buffer the argument that it is a gradient or new value of, and which of the two."""
    return _Walk(plan, lifetimes, makings, resolver, names).labels()


class _Walk:
    def __init__(
        self, plan: Plan, lifetimes: Lifetimes, makings: Makings, resolver: Resolver, names: Names
    ) -> None:
        self._module = plan.module
        self._order = plan.order
        self._lifetimes = lifetimes
        self._makings = makings
        self._resolver = resolver
        self._names = names
        self._labels: dict[int, tuple[int, Note]] = {}
        self._seen: set[int] = set()

    def labels(self) -> dict[int, tuple[int, Note]]:
        """The labels of all logical buffers that have one."""
        if not self._is_trained():
            return {}
        replaced = self._replaced()
        taken = {int(self._resolver.group[output]) for output in replaced.values()}
        in_model = self._read_by_model()
        for argument in sorted(replaced, key=lambda one: (one not in in_model, one)):
            if self._resolver.elements(argument) > 1:
                self._walk(argument, replaced[argument], taken)
        return {
            buffer: label for group, label in self._labels.items() for buffer in self._resolver.members(group)
        }

    def _is_trained(self) -> bool:
        return bool(self._names.backward[self._module.instructions.metadata].any())

    def _replaced(self) -> dict[int, int]:
        """Arguments, and the output that takes their memory."""
        module, positions = self._module, self._lifetimes.positions
        root = -1 if module.entry is None else module.computations.root[module.entry]
        if root < 0:
            return {}
        block = slice(positions.base[root], positions.base[root] + positions.size[root])
        outputs = np.unique(positions.buffer[block][positions.array[block]]).tolist()
        arguments = {
            int(module.buffers.allocation[buffer]): buffer
            for buffer in np.nonzero(self._makings.act == Act.ARGUMENT)[0].tolist()
        }
        found: dict[int, int] = {}
        for output in outputs:
            argument = arguments.get(int(module.buffers.allocation[output])) if output >= 0 else None
            if argument is not None and argument != output:
                found[argument] = output
        return found

    def _read_by_model(self) -> set[int]:
        """The arguments that the forward or backward pass reads, themselves or a copy or slice of them."""
        uses, table = self._lifetimes.uses, self._module.instructions
        model = self._names.forward | self._names.backward
        by_model = uses.reads & model[table.metadata[self._order.instruction[uses.point]]]
        groups = np.unique(self._resolver.group[uses.buffer[by_model]])
        groups = groups[~self._resolver.plain[groups]]
        return {self._resolver.found(group).argument for group in groups.tolist()}

    def _walk(self, argument: int, output: int, taken: set[int]) -> None:
        """Labels what the argument's new value comes from. The new values of others are passed through."""
        pending = [int(self._resolver.group[output])]
        while pending:
            group = pending.pop()
            for buffer in self._resolver.members(group):
                for source, size in self._sources(buffer, self._resolver.step(buffer)):
                    above = int(self._resolver.group[source])
                    if above in self._seen or not self._may_be(above, size, above in taken):
                        continue
                    self._seen.add(above)
                    pending.append(above)
                    if above not in taken:
                        self._labels[above] = argument, self._note(above)

    def _sources(self, buffer: int, step: Step) -> list[tuple[int, int]]:
        """What a value comes from element by element, and how many elements that has to have."""
        elements = self._resolver.elements(buffer)
        if step.act in _THROUGH and step.source >= 0:
            exact = step.act in (Act.MOVES, Act.CONVERTS)
            return [(step.source, elements if exact else self._resolver.elements(step.source))]
        if step.act is Act.STORES:
            found = [] if step.into < 0 else [(step.into, elements)]
            if step.source >= 0:
                found.append((step.source, self._resolver.elements(step.source)))
            return found
        if step.act is Act.MEETS:
            return [(source, elements) for source in self._resolver.met_by(buffer)]
        if step.act is not Act.MAKES or not self._is_elementwise(buffer):
            return []
        return [(source, elements) for source in self._makings.read_by(buffer)]

    def _is_elementwise(self, buffer: int) -> bool:
        module = self._module
        row = int(module.buffers.instruction[buffer])
        opcode = module.instructions.opcodes[module.instructions.opcode[row]] if row >= 0 else ""
        if opcode != "fusion":
            return opcode in _ELEMENTWISE
        fused = module.fused.of.get(row)
        return fused is not None and not fused.mixes

    def _may_be(self, group: int, elements: int, is_new_value: bool) -> bool:
        """Whether a group of so many elements can be a gradient: neither an argument nor made by the forward
        pass.
        """
        if self._resolver.elements(group) != elements:
            return False
        found = self._resolver.found(group)
        return is_new_value or found.argument < 0 and not self._names.forward[found.name]

    def _note(self, group: int) -> Note:
        found = self._resolver.found(group)
        backward = self._names.backward[found.name]
        return Note.GRADIENT if backward else Note.NEW_VALUE
