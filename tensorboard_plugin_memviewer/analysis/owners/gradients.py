"""Which values are gradients of a parameter or its new value, from the graph backwards.

Theory of operation. What a program returns in an argument's place is that argument's new value (replaced.py).
From there the walk goes back through values of the same number of elements: what only moves, what is computed
element by element, what a loop stacks. It ends at what multiplies or reduces, which makes the gradient, at an
argument, and at what the forward pass makes. A gradient that flows into the new values of several arguments
(a parameter and its moments) belongs to the one that the forward or backward pass reads.
"""

from __future__ import annotations

import numpy as np

from tensorboard_plugin_memviewer.analysis.lifetimes.lifetimes import Lifetimes
from tensorboard_plugin_memviewer.analysis.owners.making import Act, Step
from tensorboard_plugin_memviewer.analysis.owners.owner import Note
from tensorboard_plugin_memviewer.analysis.owners.planned import Planned
from tensorboard_plugin_memviewer.analysis.owners.replaced import find_arguments
from tensorboard_plugin_memviewer.analysis.owners.resolving import Resolver
from tensorboard_plugin_memviewer.analysis.owners.values import Values

_THROUGH = (Act.MOVES, Act.CONVERTS, Act.GATHERS, Act.EXCHANGES)


def find_gradients(
    plan: Planned, lifetimes: Lifetimes, values: Values, resolver: Resolver
) -> dict[int, tuple[int, Note]]:
    """By logical buffer the argument that it is a gradient or new value of, and which of the two."""
    return _Walk(plan, lifetimes, values, resolver).labels()


class _Walk:
    def __init__(self, plan: Planned, lifetimes: Lifetimes, values: Values, resolver: Resolver) -> None:
        self._module = plan.module
        self._order = plan.order
        self._lifetimes = lifetimes
        self._values = values
        self._resolver = resolver
        self._names = values.names
        self._labels: dict[int, tuple[int, Note]] = {}
        self._seen: set[int] = set()

    def labels(self) -> dict[int, tuple[int, Note]]:
        """The labels of all logical buffers that have one."""
        if not self._is_trained():
            return {}
        replaced = find_arguments(self._module, self._lifetimes.positions).replaced
        taken = {int(self._values.group[output]) for output in replaced.values()}
        in_model = self._read_by_model()
        for argument in sorted(replaced, key=lambda one: (one not in in_model, one)):
            if self._values.elements(argument) > 1:
                output = int(self._values.group[replaced[argument]])
                self._labels[output] = argument, self._note(output)
                self._walk(argument, output, taken)
        return {
            buffer: label for group, label in self._labels.items() for buffer in self._values.members(group)
        }

    def _is_trained(self) -> bool:
        return bool(self._names.backward[self._module.instructions.metadata].any())

    def _read_by_model(self) -> set[int]:
        """The arguments that the forward or backward pass reads, themselves or a copy or slice of them."""
        uses, table = self._lifetimes.uses, self._module.instructions
        model = self._names.forward | self._names.backward
        by_model = uses.reads & model[table.metadata[self._order.instruction[uses.point]]]
        groups = np.unique(self._values.group[uses.buffer[by_model]])
        groups = groups[~self._values.plain[groups]]
        return {self._resolver.found(group).argument for group in groups.tolist()}

    def _walk(self, argument: int, output: int, taken: set[int]) -> None:
        """Labels what the argument's new value comes from. The new values of others are passed through."""
        pending = [output]
        while pending:
            group = pending.pop()
            for buffer in self._values.members(group):
                for source, size in self._sources(buffer, self._values.step(buffer)):
                    above = int(self._values.group[source])
                    if above in self._seen or not self._may_be(above, size, above in taken):
                        continue
                    self._seen.add(above)
                    pending.append(above)
                    if above not in taken:
                        self._labels[above] = argument, self._note(above)

    def _sources(self, buffer: int, step: Step) -> list[tuple[int, int]]:
        """What a value comes from element by element, and how many elements that has to have."""
        elements = self._values.elements(buffer)
        if step.act in _THROUGH and step.source >= 0:
            exact = step.act in (Act.MOVES, Act.CONVERTS)
            return [(step.source, elements if exact else self._values.elements(step.source))]
        if step.act is Act.STORES:
            found = [] if step.into < 0 else [(step.into, elements)]
            if step.source >= 0:
                found.append((step.source, self._values.elements(step.source)))
            return found
        if step.act is Act.MEETS:
            return [(source, elements) for source in self._values.met_by(buffer)]
        if step.act is not Act.MAKES or not self._values.makings.is_elementwise(buffer):
            return []
        return [(source, elements) for source in self._values.makings.read_by(buffer)]

    def _may_be(self, group: int, elements: int, is_new_value: bool) -> bool:
        """Whether a group of so many elements can be a gradient: neither an argument nor made by the forward
        pass.
        """
        if self._values.elements(group) != elements:
            return False
        found = self._resolver.found(group)
        return is_new_value or (found.argument < 0 and not self._names.forward[found.name])

    def _note(self, group: int) -> Note:
        found = self._resolver.found(group)
        backward = self._names.backward[found.name]
        return Note.GRADIENT if backward else Note.NEW_VALUE
