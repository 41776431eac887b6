"""The values of a module as groups, and what the rules ask of them.

Values that XLA made one buffer are one *group*: what a loop carries is there once, with its initial value,
its updates and its result.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from tensorboard_plugin_memviewer.analysis.lifetimes.lifetimes import Lifetimes
from tensorboard_plugin_memviewer.analysis.lifetimes.program_order import ProgramOrder
from tensorboard_plugin_memviewer.analysis.owners.making import Makings, Step
from tensorboard_plugin_memviewer.analysis.owners.names import NO_NAME, Names
from tensorboard_plugin_memviewer.analysis.owners.owner import Note
from tensorboard_plugin_memviewer.analysis.scope import is_rematerialized
from tensorboard_plugin_memviewer.model.module import Flags, Ints, Module
from tensorboard_plugin_memviewer.model.space import HOST, VMEM


class Values:
    """The values of one module. `group` is by logical buffer its group, a row of LogicalBuffers; `plain`
    marks groups of one whose owner is the operation that `makings` names, without a closer look.
    """

    def __init__(
        self, module: Module, order: ProgramOrder, lifetimes: Lifetimes, makings: Makings, names: Names
    ) -> None:
        self.makings = makings
        self.names = names
        self.group: Ints = module.buffers.hlo_buffer.astype(np.int64)
        self.plain: Flags = makings.plain & (np.bincount(self.group, minlength=len(self.group)) == 1)
        self._module = module
        self._order = order
        self._lifetimes = lifetimes
        self._callers = module.instructions.callers()
        self._members = self._by_group()
        self._meetings: dict[int, list[int]] = defaultdict(list)
        meeting = lifetimes.positions.meeting
        apart = self.group[meeting.source] != self.group[meeting.target]
        for source, target in zip(
            meeting.source[apart].tolist(), meeting.target[apart].tolist(), strict=True
        ):
            self._meetings[target].append(source)
        self._steps: dict[int, Step] = {}
        self._elements: dict[int, int] = {}
        self._first_user: Ints | None = None

    def members(self, group: int) -> list[int]:
        """The logical buffers of a group in program order, rows."""
        return self._members.get(group, [group])

    def step(self, buffer: int) -> Step:
        """How a logical buffer is made."""
        found = self._steps.get(buffer)
        if found is None:
            found = self._steps[buffer] = self.makings.step(buffer)
        return found

    def met_by(self, buffer: int) -> list[int]:
        """The values of other groups that come to stand where a logical buffer stands, rows."""
        return self._meetings.get(buffer, [])

    def elements(self, buffer: int) -> int:
        """How many elements a logical buffer has."""
        shape = int(self._module.buffers.shape[buffer])
        found = self._elements.get(shape)
        if found is None:
            found = self._elements[shape] = self._module.shapes[shape].elements
        return found

    def user(self, buffer: int) -> int:
        """What a logical buffer is handed on to, or the first that is made from it; -1 for none."""
        if self._first_user is None:
            self._first_user = self._find_first_users()
        return int(self._first_user[buffer])

    def recomputed(self, buffer: int, name: int) -> Note | None:
        """The note of a value that is computed once more, by the author's wish or the compiler's."""
        row = int(self._module.buffers.instruction[buffer])
        by_compiler = row >= 0 and is_rematerialized(self._module.instructions.names[row])
        return Note.RECOMPUTED if by_compiler or self.names.recomputed[name] else None

    def copy_note(self, buffer: int, source: int) -> Note:
        """The note of a copy, by where it lies."""
        space = self._module.buffers.space
        if space[buffer] != space[source]:
            if space[buffer] == VMEM:
                return Note.COPY_IN_VMEM
            if space[buffer] == HOST:
                return Note.COPY_ON_HOST
        return Note.COPY

    def is_of_loop(self, buffer: int, name: int) -> bool:
        """Whether the instruction is a loop's own access to its stacks."""
        table = self._module.instructions
        caller = self._callers.get(int(table.computation[self._module.buffers.instruction[buffer]]))
        loop = NO_NAME if caller is None else int(table.metadata[caller]) or NO_NAME
        return self.names.is_of_loop(name, loop)

    def layers(self, buffer: int) -> int | None:
        """How many entries a loop stacks in a logical buffer."""
        dimensions = self._module.shapes[self._module.buffers.shape[buffer]].dimensions
        return dimensions[0] if len(dimensions) > 1 and dimensions[0] > 1 else None

    def _by_group(self) -> dict[int, list[int]]:
        """The members of groups of several, in program order."""
        group = self.group
        several = np.bincount(group, minlength=len(group))[group] > 1
        rows = np.nonzero(several)[0]
        row = self._module.buffers.instruction[rows]
        point = np.where(row >= 0, self._order.point[row], -1)
        parameter = self._module.instructions.has_opcode("parameter")[row] & (row >= 0)
        first = self._order.first[self._module.instructions.computation[row]]
        point = np.where(parameter, first, point)
        rows = rows[np.lexsort((rows, point))]
        members: dict[int, list[int]] = defaultdict(list)
        for key, buffer in zip(group[rows].tolist(), rows.tolist(), strict=True):
            members[key].append(buffer)
        return members

    def _find_first_users(self) -> Ints:
        """By logical buffer what `user` answers."""
        uses, meeting = self._lifetimes.uses, self._lifetimes.positions.meeting
        result = np.full(len(self.group), -1, np.int64)
        made = np.array(
            [self.makings.first_result(row) for row in self._order.instruction.tolist()], np.int64
        )
        in_order = np.lexsort((-uses.point, uses.buffer))
        in_order = in_order[uses.reads[in_order]]
        made_from = made[uses.point[in_order]]
        result[uses.buffer[in_order[made_from >= 0]]] = made_from[made_from >= 0]
        result[meeting.source] = meeting.target
        return result
