"""Who may own a value: the candidates, in the order in which they are asked.

| rule | candidate |
| --- | --- |
| 1 | an argument of the program in the group |
| 2 | of the group's members in program order, so initial values first: what each is made by (making.py) |
| | - what is moved, sliced, gathered or exchanged leads to the group that it comes from |
| | - a loop's own store leads to what makes the stored value, stacked |
| | - the author's own store, slice or cast is an operation, unless it is of an argument |
| 3 | of an unnamed maker: the one array of its size that it computes from, element by element |
| 4 | of an initial value: the loop or copy that it begins; of unnamed scratch: what reads it first |
| 5 | the name of what fills, stores or moves it: *weak*, which others take only for want of a better |
| 6 | the operation that owns what reads it first: weak as well |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from tensorboard_plugin_memviewer.analysis.owners.making import Act, Step
from tensorboard_plugin_memviewer.analysis.owners.names import NO_NAME
from tensorboard_plugin_memviewer.analysis.owners.owner import Note
from tensorboard_plugin_memviewer.analysis.owners.values import Values


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


_GOES_ON = (Act.MOVES, Act.CONVERTS, Act.STORES, Act.MEETS)


def _as_user(found: Found) -> Found:
    """What an unnamed value belongs to where only its reader is known. No argument is made by reading."""
    return NOBODY_FOUND if found.argument >= 0 else Found(name=found.name, weak=True)


class Candidates:
    """The candidates of the groups of a module."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self._group = values.group
        self._names = values.names
        self._by_act: dict[Act, Callable[[int, int, Step], Iterator[Candidate]]] = {
            Act.MAKES: self._made,
            Act.MOVES: self._moved,
            Act.CONVERTS: self._converted,
            Act.SLICES: self._sliced,
            Act.GATHERS: self._moved,
            Act.EXCHANGES: self._moved,
            Act.STORES: self._stored,
            Act.MEETS: self._met,
            Act.WORKSPACE: self._workspace,
        }

    def of(self, group: int) -> Iterator[Candidate]:
        """The candidates of a group, the best first."""
        steps = [(buffer, self._values.step(buffer)) for buffer in self._values.members(group)]
        yield from (
            Candidate(-1, Found(argument=buffer)) for buffer, step in steps if step.act is Act.ARGUMENT
        )
        for buffer, step in steps:
            if step.act in self._by_act:
                yield from self._by_act[step.act](group, buffer, step)
        for buffer, step in steps:
            if step.act is Act.MAKES and not self._names.tells[step.name]:
                yield from self._of_operands(group, buffer)
        for buffer, step in steps:
            if step.act is Act.FILLS and (not self._names.tells[step.name] or self._begins(buffer)):
                yield from self._of_user(group, buffer)
        yield from self._weak(group, steps)

    def _weak(self, group: int, steps: list[tuple[int, Step]]) -> Iterator[Candidate]:
        for _, step in sorted(steps, key=lambda one: one[1].act is Act.MEETS):
            for name in (step.stored, step.name):
                if self._names.tells[name]:
                    yield Candidate(-1, Found(name=name, weak=True))
        for buffer, _ in steps:
            yield from (one._replace(change=_as_user) for one in self._of_user(group, buffer))

    def _made(self, _: int, buffer: int, step: Step) -> Iterator[Candidate]:
        if self._names.tells[step.name]:
            yield Candidate(-1, Found(name=step.name, note=self._values.recomputed(buffer, step.name)))

    def _moved(self, group: int, buffer: int, step: Step) -> Iterator[Candidate]:
        yield from self._from(group, buffer, step.source, step.act)

    def _sliced(self, group: int, buffer: int, step: Step) -> Iterator[Candidate]:
        if self._values.is_of_loop(buffer, step.name):
            yield from self._from(group, buffer, step.source, step.act)
        else:
            yield from self._unless_argument(group, buffer, step)

    def _met(self, group: int, buffer: int, step: Step) -> Iterator[Candidate]:
        for source in self._values.met_by(buffer):
            yield from self._from(group, buffer, source, step.act)

    def _from(self, group: int, buffer: int, source: int, act: Act = Act.MOVES) -> Iterator[Candidate]:
        if source < 0 or self._group[source] == group:
            return
        note = _NOTES.get(act) or (None if act is Act.MEETS else self._values.copy_note(buffer, source))
        keep_layers = act in (Act.MOVES, Act.MEETS)

        def change(found: Found) -> Found:
            layers = found.layers if keep_layers else None
            return found._replace(layers=layers, note=found.note or note)

        yield Candidate(int(self._group[source]), change=change)

    def _converted(self, group: int, buffer: int, step: Step) -> Iterator[Candidate]:
        if self._names.tells[step.name]:
            yield from self._unless_argument(group, buffer, step)
        else:
            yield from self._from(group, buffer, step.source)

    def _unless_argument(self, group: int, buffer: int, step: Step) -> Iterator[Candidate]:
        """A cast or slice of an argument is a copy of it; another that the author wrote is an operation."""
        if step.source < 0 or self._group[step.source] == group:
            return
        note = Note.SLICE if step.act is Act.SLICES else Note.COPY

        def change(found: Found) -> Found:
            if found.argument >= 0 or not self._names.tells[step.name]:
                return found._replace(layers=None, note=found.note or note)
            return Found(name=step.name, note=self._values.recomputed(buffer, step.name))

        yield Candidate(int(self._group[step.source]), change=change)

    def _stored(self, group: int, buffer: int, step: Step) -> Iterator[Candidate]:
        yield from self._from(group, buffer, step.into)
        if not self._values.is_of_loop(buffer, step.name):
            yield Candidate(-1, Found(name=step.name))
            return
        layers = self._values.layers(buffer)
        if self._names.tells[step.stored] and step.source < 0:
            yield Candidate(-1, Found(-1, step.stored, layers, self._values.recomputed(buffer, step.stored)))
        elif step.source >= 0 and self._group[step.source] != group:

            def change(found: Found) -> Found:
                note = None if found.note in (Note.COPY, Note.COPY_IN_VMEM, Note.SLICE) else found.note
                return found._replace(layers=layers, note=note)

            yield Candidate(int(self._group[step.source]), change=change)

    def _workspace(self, group: int, buffer: int, step: Step) -> Iterator[Candidate]:
        """A library's scratch belongs to the first result of its call."""
        result = self._values.makings.first_result_beside(buffer)
        if result >= 0 and self._group[result] != group:
            yield Candidate(
                int(self._group[result]),
                change=lambda found: found._replace(layers=None, note=Note.WORKSPACE),
            )
        yield Candidate(-1, Found(name=step.name, note=Note.WORKSPACE))

    def _of_operands(self, group: int, buffer: int) -> Iterator[Candidate]:
        """The one array of its size that an unnamed maker reads, where it computes element by element."""
        if not self._values.makings.is_elementwise(buffer):
            return
        elements = self._values.elements(buffer)
        alike = {
            source
            for source in self._values.makings.read_by(buffer)
            if self._values.elements(source) == elements
        }
        if len(alike) == 1:
            yield from self._from(group, buffer, alike.pop(), Act.MEETS)

    def _begins(self, buffer: int) -> bool:
        """Whether a filled value goes on as another: a loop carries it, something is stored into it."""
        user = self._values.user(buffer)
        return user >= 0 and self._values.step(user).act in _GOES_ON

    def _of_user(self, group: int, buffer: int) -> Iterator[Candidate]:
        user = self._values.user(buffer)
        if user >= 0 and self._group[user] != group:
            yield Candidate(int(self._group[user]))
