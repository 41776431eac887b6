"""The owner of every logical buffer of a module.

Brings together what owns each value (resolving.py), what it is to a parameter that the program trains
(gradients.py), and the words (names.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import numpy as np

from tensorboard_plugin_memviewer.analysis.owners.candidates import Found
from tensorboard_plugin_memviewer.analysis.owners.gradients import find_gradients
from tensorboard_plugin_memviewer.analysis.owners.making import Makings
from tensorboard_plugin_memviewer.analysis.owners.names import NO_NAME, Names
from tensorboard_plugin_memviewer.analysis.owners.owner import NOBODY, Note, Owner
from tensorboard_plugin_memviewer.analysis.owners.planned import Planned
from tensorboard_plugin_memviewer.analysis.owners.resolving import Resolver
from tensorboard_plugin_memviewer.analysis.owners.values import Values
from tensorboard_plugin_memviewer.analysis.scope import is_rematerialized
from tensorboard_plugin_memviewer.model.module import AllocationType, Flags, Ints, Module
from tensorboard_plugin_memviewer.model.op_metadata import OpMetadata

_NOTES = tuple(Note)
# The columns of an owner's key: argument, scope, source, layers, note; -1 where there is none.
_ARGUMENT, _SCOPE, _SOURCE, _LAYERS, _NOTE = range(5)


class OwnerTable(Sequence[Owner]):
    """Distinct owners, spelled out when they are asked for."""

    def __init__(self, module: Module, names: Names, keys: Ints) -> None:
        self._module = module
        self._names = names
        self._keys = keys
        self._known: dict[int, Owner] = {}

    def __len__(self) -> int:
        return int(self._keys.shape[1])

    @overload
    def __getitem__(self, number: int) -> Owner: ...

    @overload
    def __getitem__(self, number: slice) -> Sequence[Owner]: ...

    def __getitem__(self, number: int | slice) -> Owner | Sequence[Owner]:
        if isinstance(number, slice):
            return [self[one] for one in range(len(self))[number]]
        at = range(len(self))[number]
        found = self._known.get(at)
        if found is None:
            found = self._known[at] = self._owner(*self._keys[:, at].tolist())
        return found

    def _owner(self, argument: int, scope: int, source: int, layers: int, note: int) -> Owner:
        line = self._names.sources[source] if source >= 0 else None
        return Owner(
            path=path_of(self._module, argument) if argument >= 0 else None,
            scope=self._names.scopes[scope] if scope >= 0 else None,
            file=None if line is None else line.file,
            line=None if line is None else line.line,
            layers=layers if layers >= 0 else None,
            note=_NOTES[note].value if note >= 0 else None,
        )


class Owners:
    """By logical buffer its owner, `table[code[i]]`; `table` has each once.

    `argument` is by logical buffer the argument that its owner's path is of, a row of LogicalBuffers, -1 for
    none.
    """

    __slots__ = ("_made_by", "_names", "argument", "code", "table")

    def __init__(self, module: Module, names: Names, keys: Ints, made_by: Ints) -> None:
        self._names = names
        self._made_by = made_by
        self.argument: Ints = keys[_ARGUMENT]
        order = np.lexsort(keys[::-1])
        new = (np.diff(keys[:, order], axis=1, prepend=-2) != 0).any(axis=0)
        self.code: Ints = np.empty(len(order), np.int64)
        self.code[order] = np.cumsum(new) - 1
        self.table = OwnerTable(module, names, keys[:, order[new]])

    def of(self, buffer: int) -> Owner:
        """The owner of a logical buffer; NOBODY for -1."""
        return self.table[int(self.code[buffer])] if buffer >= 0 else NOBODY

    def operation(self, buffer: int) -> OpMetadata:
        """What the framework said of the operation that makes a logical buffer's value, which may be within a
        fusion or a loop; NO_METADATA for an argument.
        """
        return self._names.metadata(int(self._made_by[buffer]))


def find_owners(plan: Planned) -> Owners:
    """The owners of a module's logical buffers; without a schedule each has its own instruction's."""
    module = plan.module
    names = Names(plan)
    keys = np.full((5, len(module.buffers)), -1, np.int64)
    made_by = np.full(len(module.buffers), NO_NAME, np.int64)
    if plan.lifetimes is None:
        for row in range(len(module.buffers)):
            found = _alone(module, row)
            _write(keys, row, found, names)
            made_by[row] = found.name
        return Owners(module, names, keys, made_by)
    makings = Makings(module, plan.lifetimes.positions, names)
    values = Values(module, plan.order, plan.lifetimes, makings, names)
    resolver = Resolver(values)
    resolver.resolve()
    for row in np.flatnonzero(~values.plain).tolist():
        found = resolver.found(int(values.group[row]))
        _write(keys, row, found, names)
        made_by[row] = found.name
    plain = np.flatnonzero(values.plain)
    name = made_by[plain] = makings.name[plain]
    keys[_SCOPE, plain] = names.scope[name]
    keys[_SOURCE, plain] = names.source[name]
    again = names.recomputed[name] | _rematerialized(module)[module.buffers.instruction[plain]]
    keys[_NOTE, plain[again]] = _NOTES.index(Note.RECOMPUTED)
    for row, (argument, note) in find_gradients(plan, plan.lifetimes, values, resolver).items():
        if keys[_ARGUMENT, row] < 0:
            keys[_ARGUMENT, row] = argument
            if keys[_NOTE, row] != _NOTES.index(Note.WORKSPACE):
                keys[_NOTE, row] = _NOTES.index(note)
    return Owners(module, names, keys, made_by)


def _write(keys: Ints, row: int, found: Found, names: Names) -> None:
    note = -1 if found.note is None else _NOTES.index(found.note)
    layers = -1 if found.layers is None else found.layers
    keys[:, row] = found.argument, names.scope[found.name], names.source[found.name], layers, note


def _alone(module: Module, buffer: int) -> Found:
    row = int(module.buffers.instruction[buffer])
    if row < 0:
        return Found()
    table = module.instructions
    allocation = int(module.buffers.allocation[buffer])
    of_arguments = allocation >= 0 and module.allocations.type[allocation] == AllocationType.PARAMETER
    is_argument = table.opcodes[table.opcode[row]] == "parameter" and of_arguments
    return Found(argument=buffer) if is_argument else Found(name=int(table.metadata[row]) or NO_NAME)


def _rematerialized(module: Module) -> Flags:
    """By instruction, whether the compiler made it to compute a value again."""
    found = np.zeros(len(module.instructions) + 1, np.bool_)
    found[[row for row, name in enumerate(module.instructions.names) if is_rematerialized(name)]] = True
    return found


def path_of(module: Module, argument: int) -> str:
    """What an argument is called: as the framework names it, else the compiler."""
    row = int(module.buffers.instruction[argument])
    name = module.metadata[module.instructions.metadata[row]].op_name or module.instructions.names[row]
    return name + module.buffers.index_text(argument)
