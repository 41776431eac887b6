"""From every value back to what owns it: an argument, or the operation that makes it.

Theory of operation. Values that XLA made one buffer are one *group*: what a loop carries is there once, with
its initial value, its updates and its result. Each group has *candidates*, by these rules, in this order:

| rule | candidate |
| --- | --- |
| 1 | an argument of the program in the group |
| 2 | of its members in program order, so initial values first: what each is made by (making.py). What is moved, sliced, gathered or exchanged leads to the group that it comes from; a loop's own store leads to what makes the stored value, stacked; the author's own store is an operation |
| 3 | where no member names anybody: the one array of equal element count that an unnamed maker computes it from, element by element |
| 4 | what reads it first, of what is filled: the loop or copy that an initial value begins |
| 5 | the name of what fills, stores or moves it: a weak owner, which others take only for want of a better |
| 6 | the operation that owns what reads it first, as weak |

The first candidate that leads to an owner decides. A group that asks for itself, through whatever way round,
passes to the next candidate; such groups are resolved a second time at the end. So every group is resolved once
or twice, and the time is linear in buffers and operands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from tensorboard_plugin_memviewer.analysis.lifetimes.lifetimes import Lifetimes
from tensorboard_plugin_memviewer.analysis.lifetimes.program_order import ProgramOrder
from tensorboard_plugin_memviewer.analysis.owners.making import Act, Makings, Step
from tensorboard_plugin_memviewer.analysis.owners.names import NO_NAME, Names
from tensorboard_plugin_memviewer.analysis.owners.owner import Note
from tensorboard_plugin_memviewer.analysis.scope import is_rematerialized
from tensorboard_plugin_memviewer.model.module import Flags, Ints, Module
from tensorboard_plugin_memviewer.model.space import HOST, VMEM


class Found(NamedTuple):
    """What owns a value: an argument (row of LogicalBuffers, -1 for none), or a name. `layers` and `note` as
    in Owner. `weak` says that it only names what fills or moves the value: another owner is better.
    """

    argument: int = -1
    name: int = NO_NAME
    layers: int | None = None
    note: Note | None = None
    weak: bool = False

    @property
    def known(self) -> bool:
        """Whether it says anything."""
        return self.argument >= 0 or self.name >= 0


class Candidate(NamedTuple):
    """One way to an owner: that of the group `source`, or `found` itself where source is -1. `change` is what
    becomes of a group's owner on the way.
    """

    source: int
    found: Found = Found()
    change: Callable[[Found], Found] | None = None


NOBODY_FOUND = Found()
_NOTES = {Act.GATHERS: Note.GATHERED, Act.EXCHANGES: Note.COMMUNICATION, Act.SLICES: Note.SLICE}


def _as_user(found: Found) -> Found:
    """What an unnamed value belongs to where only its reader is known. No argument is made by reading."""
    return NOBODY_FOUND if found.argument >= 0 else Found(name=found.name, weak=True)


class Resolver:
    """Resolves the groups of a module; `group` is by logical buffer its group, a row of LogicalBuffers."""

    def __init__(
        self, module: Module, order: ProgramOrder, lifetimes: Lifetimes, makings: Makings, names: Names
    ) -> None:
        self._module = module
        self._order = order
        self._makings = makings
        self._names = names
        self._lifetimes = lifetimes
        self._callers = module.instructions.callers()
        self.group: Ints = module.buffers.hlo_buffer.astype(np.int64)
        # Groups of one that need no resolving.
        self.plain: Flags = makings.plain & (np.bincount(self.group, minlength=len(self.group)) == 1)
        self._members = self._by_group()
        self._meetings: dict[int, list[int]] = defaultdict(list)
        meeting = lifetimes.positions.meeting
        apart = self.group[meeting.source] != self.group[meeting.target]
        for source, target in zip(
            meeting.source[apart].tolist(), meeting.target[apart].tolist(), strict=True
        ):
            self._meetings[target].append(source)
        self._found: dict[int, Found] = {}
        self._incomplete: set[int] = set()
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
            found = self._steps[buffer] = self._makings.step(buffer)
        return found

    def met_by(self, buffer: int) -> list[int]:
        """The values of other groups that come to stand where a logical buffer stands, rows."""
        return self._meetings.get(buffer, [])

    def resolve(self) -> None:
        """Resolves all groups."""
        groups = np.unique(self.group[~self.plain[self.group]]).tolist()
        for group in groups:
            self._resolve(group)
        # What was resolved on the way round while its better owner was still asked for is resolved again.
        again = sorted(self._incomplete)
        for group in again:
            del self._found[group]
        for group in again:
            self._resolve(group)

    def found(self, group: int) -> Found:
        """What owns a group, once all are resolved; NOBODY_FOUND where nothing does."""
        return self._done(group) or NOBODY_FOUND

    def _done(self, group: int) -> Found | None:
        """What owns a group, None where that is not known yet."""
        found = self._found.get(group)
        if found is None and self.plain[group]:
            name = int(self._makings.name[group])
            found = Found(name=name, note=self._recomputed(group, name))
            self._found[group] = found
        return found

    def _resolve(self, group: int) -> None:
        asked: dict[int, Iterator[Candidate]] = {group: self._candidates(group)}
        fallback: dict[int, Found] = {}
        waiting: list[tuple[int, Candidate]] = []
        current = group
        while True:
            found = self._done(current)
            if found is not None:
                if not waiting:
                    return
                below, candidate = waiting.pop()
                self._take(below, candidate, found, fallback)
                current = below
                continue
            following = next(asked[current], None)
            if following is None:
                self._found[current] = fallback.get(current, NOBODY_FOUND)
            elif following.source < 0:
                self._take(current, following, following.found, fallback)
            elif (other := self._done(following.source)) is not None:
                if following.source in self._incomplete:
                    self._incomplete.add(current)
                self._take(current, following, other, fallback)
            elif following.source in asked:
                self._incomplete.add(current)
            else:
                waiting.append((current, following))
                current = following.source
                asked[current] = self._candidates(current)

    def _take(self, group: int, candidate: Candidate, found: Found, fallback: dict[int, Found]) -> None:
        taken = candidate.change(found) if candidate.change and found.known else found
        if not taken.known:
            return
        if not taken.weak:
            self._found[group] = taken
            self._incomplete.discard(group)
        else:
            fallback.setdefault(group, taken)

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

    # ---- The rules ----

    def _candidates(self, group: int) -> Iterator[Candidate]:
        members = self.members(group)
        steps = [(buffer, self.step(buffer)) for buffer in members]
        for buffer, step in steps:
            if step.act is Act.ARGUMENT:
                yield Candidate(-1, Found(argument=buffer))
        for buffer, step in steps:
            yield from self._of_step(group, buffer, step)
        for buffer, step in steps:
            if step.act is Act.MAKES and not self._names.tells[step.name]:
                yield from self._of_operands(group, buffer)
        for buffer, step in steps:
            if step.act is Act.FILLS:
                yield from self._of_users(group, buffer)
        for _, step in sorted(steps, key=lambda one: one[1].act is Act.MEETS):
            for name in (step.stored, step.name):
                if self._names.tells[name]:
                    yield Candidate(-1, Found(name=name, weak=True))
        for buffer, _ in steps:
            yield from (one._replace(change=_as_user) for one in self._of_users(group, buffer))

    def _of_step(self, group: int, buffer: int, step: Step) -> Iterator[Candidate]:
        if step.act is Act.MAKES:
            if self._names.tells[step.name]:
                yield Candidate(-1, Found(name=step.name, note=self._recomputed(buffer, step.name)))
        elif step.act is Act.MOVES:
            yield from self._from(group, buffer, step.source)
        elif step.act is Act.CONVERTS:
            yield from self._converted(group, buffer, step)
        elif step.act is Act.SLICES:
            if self._is_of_loop(buffer, step.name):
                yield from self._from(group, buffer, step.source, Act.SLICES)
            elif step.source >= 0:
                yield Candidate(
                    int(self.group[step.source]), change=lambda found: self._argument_or(found, step, buffer)
                )
        elif step.act in (Act.GATHERS, Act.EXCHANGES):
            yield from self._from(group, buffer, step.source, step.act)
        elif step.act is Act.STORES:
            yield from self._stored(group, buffer, step)
        elif step.act is Act.MEETS:
            for source in self._meetings.get(buffer, ()):
                yield from self._from(group, buffer, source, Act.MEETS)
        elif step.act is Act.WORKSPACE:
            yield from self._workspace(group, buffer, step)

    def _from(self, group: int, buffer: int, source: int, act: Act = Act.MOVES) -> Iterator[Candidate]:
        if source < 0 or self.group[source] == group:
            return
        note = _NOTES.get(act) or (None if act is Act.MEETS else self._copy_note(buffer, source))
        keep_layers = act in (Act.MOVES, Act.MEETS)

        def change(found: Found) -> Found:
            layers = found.layers if keep_layers else None
            return found._replace(layers=layers, note=found.note or note)

        yield Candidate(int(self.group[source]), change=change)

    def _converted(self, group: int, buffer: int, step: Step) -> Iterator[Candidate]:
        """A cast of an argument is a copy of it; another that the author wrote is an operation."""
        if not self._names.tells[step.name]:
            yield from self._from(group, buffer, step.source)
        elif step.source >= 0 and self.group[step.source] != group:
            source = int(self.group[step.source])
            yield Candidate(source, change=lambda found: self._argument_or(found, step, buffer))

    def _argument_or(self, found: Found, step: Step, buffer: int) -> Found:
        if found.argument >= 0 or not self._names.tells[step.name]:
            note = Note.SLICE if step.act is Act.SLICES else Note.COPY
            return found._replace(layers=None, note=found.note or note)
        return Found(name=step.name, note=self._recomputed(buffer, step.name))

    def _stored(self, group: int, buffer: int, step: Step) -> Iterator[Candidate]:
        yield from self._from(group, buffer, step.into)
        if not self._is_of_loop(buffer, step.name):
            yield Candidate(-1, Found(name=step.name))
            return
        layers = self._layers(buffer)
        if self._names.tells[step.stored] and step.source < 0:
            yield Candidate(-1, Found(-1, step.stored, layers, self._recomputed(buffer, step.stored)))
        elif step.source >= 0 and self.group[step.source] != group:

            def change(found: Found) -> Found:
                note = None if found.note in (Note.COPY, Note.COPY_IN_VMEM, Note.SLICE) else found.note
                return found._replace(layers=layers, note=note)

            yield Candidate(int(self.group[step.source]), change=change)

    def _workspace(self, group: int, buffer: int, step: Step) -> Iterator[Candidate]:
        """A library's scratch belongs to the first result of its call."""
        result = self._makings.first_result(int(self._module.buffers.instruction[buffer]))
        if result >= 0 and self.group[result] != group:
            yield Candidate(
                int(self.group[result]),
                change=lambda found: found._replace(layers=None, note=Note.WORKSPACE),
            )
        yield Candidate(-1, Found(name=step.name, note=Note.WORKSPACE))

    def _of_operands(self, group: int, buffer: int) -> Iterator[Candidate]:
        """The one array of its size that an unnamed maker reads, where it computes element by element."""
        if not self._makings.is_elementwise(buffer):
            return
        elements = self.elements(buffer)
        alike = {source for source in self._makings.read_by(buffer) if self.elements(source) == elements}
        if len(alike) == 1:
            yield from self._from(group, buffer, alike.pop(), Act.MEETS)

    def _of_users(self, group: int, buffer: int) -> Iterator[Candidate]:
        """What it is handed on to, or what reads it first."""
        user = self._user(buffer)
        if user >= 0 and self.group[user] != group:
            yield Candidate(int(self.group[user]))

    # ---- What the rules ask ----

    def elements(self, buffer: int) -> int:
        """How many elements a logical buffer has."""
        shape = int(self._module.buffers.shape[buffer])
        found = self._elements.get(shape)
        if found is None:
            found = self._elements[shape] = self._module.shapes[shape].elements
        return found

    def _user(self, buffer: int) -> int:
        if self._first_user is None:
            self._first_user = self._find_first_users()
        return int(self._first_user[buffer])

    def _find_first_users(self) -> Ints:
        """By logical buffer the first that comes to stand in its place, or that is made from it; -1 for none."""
        uses, meeting = self._lifetimes.uses, self._lifetimes.positions.meeting
        result = np.full(len(self.group), -1, np.int64)
        made = np.array([self._makings.first_result(row) for row in self._order.instruction.tolist()], np.int64)
        in_order = np.lexsort((-uses.point, uses.buffer))
        in_order = in_order[uses.reads[in_order]]
        made_from = made[uses.point[in_order]]
        result[uses.buffer[in_order[made_from >= 0]]] = made_from[made_from >= 0]
        result[meeting.source] = meeting.target
        return result

    def _recomputed(self, buffer: int, name: int) -> Note | None:
        row = int(self._module.buffers.instruction[buffer])
        by_compiler = row >= 0 and is_rematerialized(self._module.instructions.names[row])
        return Note.RECOMPUTED if by_compiler or self._names.recomputed[name] else None

    def _copy_note(self, buffer: int, source: int) -> Note:
        space = self._module.buffers.space
        if space[buffer] != space[source]:
            if space[buffer] == VMEM:
                return Note.COPY_IN_VMEM
            if space[buffer] == HOST:
                return Note.COPY_ON_HOST
        return Note.COPY

    def _is_of_loop(self, buffer: int, name: int) -> bool:
        """Whether the instruction is a loop's own access to its stacks."""
        table = self._module.instructions
        caller = self._callers.get(int(table.computation[self._module.buffers.instruction[buffer]]))
        loop = NO_NAME if caller is None else int(table.metadata[caller]) or NO_NAME
        return self._names.is_of_loop(name, loop)

    def _layers(self, buffer: int) -> int | None:
        dimensions = self._module.shapes[self._module.buffers.shape[buffer]].dimensions
        return dimensions[0] if len(dimensions) > 1 and dimensions[0] > 1 else None
