"""The owner of every logical buffer of a module.

Brings together what owns each value (resolving.py), what it is to a parameter that the program trains
(gradients.py), and the words (names.py).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tensorboard_plugin_memviewer.analysis.owners.gradients import find_gradients
from tensorboard_plugin_memviewer.analysis.owners.making import Makings
from tensorboard_plugin_memviewer.analysis.owners.names import Names
from tensorboard_plugin_memviewer.analysis.owners.owner import NOBODY, Note, Owner
from tensorboard_plugin_memviewer.analysis.owners.resolving import Found, Resolver
from tensorboard_plugin_memviewer.analysis.scope import is_rematerialized
from tensorboard_plugin_memviewer.analysis.usage import Plan
from tensorboard_plugin_memviewer.model.module import Ints, Module


@dataclass(frozen=True, slots=True)
class Owners:
    """By logical buffer its owner, `table[code[i]]`. `table` has each once; the first is NOBODY.

    `argument` is by logical buffer the argument that its owner's path is of, a row of LogicalBuffers, -1 for
    none.
    """

    table: tuple[Owner, ...]
    code: Ints
    argument: Ints

    def of(self, buffer: int) -> Owner:
        """The owner of a logical buffer; NOBODY for -1."""
        return self.table[int(self.code[buffer])] if buffer >= 0 else NOBODY


def find_owners(plan: Plan) -> Owners:
    """The owners of a module's logical buffers; without a schedule each has its own instruction's."""
    module = plan.module
    names = Names(plan)
    if plan.lifetimes is None:
        rows = range(len(module.buffers))
        return _owners(module, names, {row: _alone(module, row) for row in rows}, {}, np.zeros(0, np.int64))
    makings = Makings(module, plan.lifetimes.positions, names)
    resolver = Resolver(module, plan.order, plan.lifetimes, makings, names)
    resolver.resolve()
    gradients = find_gradients(plan, plan.lifetimes, makings, resolver, names)
    plain = resolver.plain.copy()
    plain[list(gradients)] = False
    found = {
        row: resolver.found(group)
        for row, group in enumerate(resolver.group.tolist())
        if not plain[row]
    }
    return _owners(module, names, found, gradients, np.flatnonzero(plain))


def _alone(module: Module, buffer: int) -> Found:
    row = int(module.buffers.instruction[buffer])
    if row < 0:
        return Found()
    table = module.instructions
    is_argument = table.opcodes[table.opcode[row]] == "parameter" and table.computation[row] == module.entry
    return Found(argument=buffer) if is_argument else Found(name=int(table.metadata[row]) or -1)


def _owners(
    module: Module,
    names: Names,
    found: dict[int, Found],
    gradients: dict[int, tuple[int, Note]],
    plain: Ints,
) -> Owners:
    """`plain` are the buffers whose owner is the name of their own instruction."""
    numbers: dict[Owner, int] = {NOBODY: 0}
    known: dict[tuple[Found, tuple[int, Note] | None], int] = {}
    code = np.zeros(len(module.buffers), np.int64)
    argument = np.full(len(module.buffers), -1, np.int64)
    for buffer, owner in found.items():
        gradient = gradients.get(buffer) if owner.argument < 0 else None
        key = owner, gradient
        number = known.get(key)
        if number is None:
            number = known[key] = numbers.setdefault(_owner(module, names, owner, gradient), len(numbers))
        code[buffer] = number
        argument[buffer] = gradient[0] if gradient else owner.argument
    if len(plain):
        row = module.buffers.instruction[plain]
        again = np.array([is_rematerialized(module.instructions.names[one]) for one in row.tolist()], np.int64)
        alike = names.alike(module.instructions.metadata[row]) * 2 + again
        _, first, of = np.unique(alike, return_index=True, return_inverse=True)
        codes = []
        for at in first.tolist():
            name = int(module.instructions.metadata[row[at]])
            note = Note.RECOMPUTED if again[at] or names.named(name).remat else None
            one = _owner(module, names, Found(name=name, note=note), None)
            codes.append(numbers.setdefault(one, len(numbers)))
        code[plain] = np.array(codes, np.int64)[of.reshape(-1)]
    return Owners(tuple(numbers), code, argument)


def _owner(module: Module, names: Names, found: Found, gradient: tuple[int, Note] | None) -> Owner:
    path = None
    note = found.note
    argument = found.argument
    if gradient is not None:
        argument = gradient[0]
        note = found.note if found.note is Note.WORKSPACE else gradient[1]
    if argument >= 0:
        path = path_of(module, argument)
    named = names.named(found.name)
    source = named.source
    return Owner(
        path=path,
        scope=named.scope,
        file=None if source is None else source.file,
        line=None if source is None else source.line,
        layers=found.layers,
        note=None if note is None else note.value,
    )


def path_of(module: Module, argument: int) -> str:
    """What an argument is called: as the framework names it, else the compiler."""
    row = int(module.buffers.instruction[argument])
    name = module.metadata[module.instructions.metadata[row]].op_name or module.instructions.names[row]
    return name + module.buffers.index_text(argument)
