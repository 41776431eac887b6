"""The table of groupings: for each key, how a buffer gets its path. A new grouping is one entry here, and its
word in words.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from tensorboard_plugin_memviewer.analysis.grouping.groups import Grouping, GroupNames, Keyed, grouped
from tensorboard_plugin_memviewer.analysis.grouping.paths import (
    NO_NAME,
    FileNames,
    argument_path,
    owner_path,
    path_in_scope,
    path_without_scope,
    source_path,
)
from tensorboard_plugin_memviewer.analysis.owners.owner import NOBODY
from tensorboard_plugin_memviewer.analysis.usage import Plan, SpaceUsage
from tensorboard_plugin_memviewer.model.module import AllocationType, Ints, Rows
from tensorboard_plugin_memviewer.vocabulary.categories import CATEGORIES

_TYPES: Final = tuple(kind.label for kind in AllocationType)
_NO_SOURCE: Final = "(no source line)"


def grouping(plan: Plan, usage: SpaceUsage, by: str) -> Grouping:
    """All buffers of a space by one of GROUPINGS. Raises KeyError for another `by`."""
    return grouped(GROUPINGS[by](plan, usage))


def _by_owner(plan: Plan, usage: SpaceUsage) -> Keyed:
    table = plan.owners.table
    short = _file_names(plan)

    def path(owner: int) -> GroupNames:
        return owner_path(table[owner] if owner >= 0 else NOBODY, short)

    return Keyed((_picked(plan.owners.code, usage.buffers.buffer),), path)


def _by_category(plan: Plan, usage: SpaceUsage) -> Keyed:
    table = plan.owners.table
    short = _file_names(plan)

    def path(category: int, owner: int) -> GroupNames:
        word = CATEGORIES[category].word if category >= 0 else NO_NAME
        return GroupNames((word, *owner_path(table[owner] if owner >= 0 else NOBODY, short).names))

    buffer = usage.buffers.buffer
    return Keyed((_picked(plan.categories.row, buffer), _picked(plan.owners.code, buffer)), path)


def _file_names(plan: Plan) -> FileNames:
    return FileNames(place.file for place in plan.sources.table if place is not None)


def _by_scope(plan: Plan, usage: SpaceUsage) -> Keyed:
    places, opcodes = plan.places, plan.module.instructions.opcodes
    metadata = _metadata(plan, usage)
    named = np.array([*(scope != "" for scope in places.scopes), False])
    scope = _picked(places.scope, metadata)
    inside = named[scope]
    argument = ~inside & (_types(plan, usage) == AllocationType.PARAMETER)
    opcode = np.where(inside, -1, _opcodes(plan, usage))

    def names(inside: int, operation: int, argument: int, opcode: int) -> GroupNames:
        name = _name(places.operations, operation)
        return (
            path_in_scope(name)
            if inside
            else path_without_scope(name, _name(opcodes, opcode), bool(argument))
        )

    columns = (
        inside.astype(np.int64),
        _picked(places.operation, metadata),
        argument.astype(np.int64),
        opcode,
    )
    return Keyed(columns, names, np.where(inside, scope, -1), places.scopes)


def _by_source(plan: Plan, usage: SpaceUsage) -> Keyed:
    places, table = plan.places, plan.sources.table
    names = _file_names(plan)
    metadata = _metadata(plan, usage)
    source = _picked(plan.sources.row, metadata)
    nowhere = np.array([*(place is None for place in table), True])[source]
    types = np.where(nowhere, _types(plan, usage), -1)
    operation = np.where(types == AllocationType.PARAMETER, _picked(places.operation, metadata), -1)

    def path(source: int, kind: int, operation: int) -> GroupNames:
        place = table[source] if source >= 0 else None
        if place is not None:
            return source_path(place, names)
        if kind == AllocationType.PARAMETER:
            return argument_path(_name(places.operations, operation))
        return GroupNames((_NO_SOURCE, _TYPES[kind]))

    return Keyed((source, types, operation), path)


def _by_type(plan: Plan, usage: SpaceUsage) -> Keyed:
    opcodes = plan.module.instructions.opcodes

    def path(kind: int, opcode: int) -> GroupNames:
        return GroupNames((_TYPES[kind], _name(opcodes, opcode) or NO_NAME))

    return Keyed((_types(plan, usage), _opcodes(plan, usage)), path)


def _by_opcode(plan: Plan, usage: SpaceUsage) -> Keyed:
    opcodes = plan.module.instructions.opcodes

    def path(opcode: int, shape: int) -> GroupNames:
        return GroupNames((_name(opcodes, opcode) or NO_NAME, _shape_text(plan, shape)))

    return Keyed((_opcodes(plan, usage), _shapes(plan, usage)), path)


def _by_dtype(plan: Plan, usage: SpaceUsage) -> Keyed:
    def path(shape: int) -> GroupNames:
        name = plan.module.shapes[shape].type_name if shape >= 0 else ""
        return GroupNames((name or NO_NAME, _shape_text(plan, shape)))

    return Keyed((_shapes(plan, usage),), path)


def _by_shape(plan: Plan, usage: SpaceUsage) -> Keyed:
    return Keyed((_shapes(plan, usage),), lambda shape: GroupNames((_shape_text(plan, shape),)))


def _picked(column: Rows | Ints, rows: Ints | Rows) -> Ints:
    """The column's entries at these rows; -1 for row -1."""
    values = np.full(len(rows), -1, np.int64)
    values[rows >= 0] = column[rows[rows >= 0]]
    return values


def _instructions(plan: Plan, usage: SpaceUsage) -> Ints:
    return _picked(plan.module.buffers.instruction, usage.buffers.buffer)


def _metadata(plan: Plan, usage: SpaceUsage) -> Ints:
    return _picked(plan.module.instructions.metadata, _instructions(plan, usage))


def _opcodes(plan: Plan, usage: SpaceUsage) -> Ints:
    return _picked(plan.module.instructions.opcode, _instructions(plan, usage))


def _shapes(plan: Plan, usage: SpaceUsage) -> Ints:
    return _picked(plan.module.buffers.shape, usage.buffers.buffer)


def _types(plan: Plan, usage: SpaceUsage) -> Ints:
    return plan.module.allocations.type[usage.buffers.allocation].astype(np.int64)


def _name(names: Sequence[str], row: int) -> str:
    return names[row] if row >= 0 else ""


def _shape_text(plan: Plan, row: int) -> str:
    return (plan.module.shapes[row].text() if row >= 0 else "") or NO_NAME


GROUPINGS: Final[dict[str, Callable[[Plan, SpaceUsage], Keyed]]] = {
    "owner": _by_owner,
    "category": _by_category,
    "scope": _by_scope,
    "source": _by_source,
    "type": _by_type,
    "opcode": _by_opcode,
    "dtype": _by_dtype,
    "shape": _by_shape,
}
