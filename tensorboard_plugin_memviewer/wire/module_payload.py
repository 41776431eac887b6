"""The part of a `usage` answer that all memory spaces of a module share: program order, names, sources.

Made once a module and kept; what is of one space is usage_payload.py's. Row references are the answer's own,
dense from 0; usage.py describes them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tensorboard_plugin_memviewer.analysis.lifetimes.program_order import Region
from tensorboard_plugin_memviewer.analysis.padding import explain
from tensorboard_plugin_memviewer.analysis.point_phases import phases_of
from tensorboard_plugin_memviewer.analysis.usage import Plan
from tensorboard_plugin_memviewer.model.module import AllocationType, Ints, Module, Rows
from tensorboard_plugin_memviewer.wire.columns import Column, column, optional_column

Json = dict[str, Any]


class Table:
    """Distinct values numbered in the order they are met; those given at the start come first."""

    def __init__(self, *first: Any) -> None:
        self._rows: dict[Hashable, int] = {value: row for row, value in enumerate(first)}

    @property
    def values(self) -> list[Any]:
        """The values in the order of their numbers."""
        return list(self._rows)

    def row(self, value: Any) -> int:
        """The number of a value, new or known."""
        return self._rows.setdefault(value, len(self._rows))

    def rows(self, values: Iterable[Any]) -> list[int]:
        """The numbers of many values."""
        known = self._rows
        return [known.setdefault(value, len(known)) for value in values]

    def rows_by_code(self, value_of: Callable[[int], Any], codes: Rows) -> Ints:
        """The numbers of `value_of(code)`, new ones in the order of the column."""
        distinct, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
        order = np.argsort(first)
        numbers = np.empty(len(distinct), np.int64)
        numbers[order] = self.rows(map(value_of, distinct[order].tolist()))
        by_code: Ints = numbers[inverse]
        return by_code


@dataclass(frozen=True, slots=True)
class ModulePayload:
    """`fields` of the answer, and where the module's rows went: by row of Instructions and of Module.shapes,
    -1 for rows that the answer does not have.
    """

    fields: Json
    instruction: Rows
    shape: Rows


def module_payload(plan: Plan) -> ModulePayload:
    """What every memory space of the module shares."""
    module = plan.module
    used = _used_instructions(plan)
    strings: dict[str, Table] = {
        "names": Table(),
        "opcodes": Table(),
        "op_names": Table(""),
        "scopes": Table(""),
        "files": Table(),
        "functions": Table(),
        "dtypes": Table(),
        "computations": Table(),
    }
    sources, instructions, op_scope = _instructions(plan, used, strings)
    instruction_rows = _inverse(used, len(module.instructions))
    shape_rows, shapes, shape_texts = _shapes(module, strings)
    phases = phases_of(plan)
    order = {
        "instruction": optional_column(_mapped(instruction_rows, plan.order.instruction)),
        "phase": column(phases.column),
        "loop": column(plan.order.region.astype(np.int64) + 1),
    }
    fields = {
        "axis": plan.order.axis,
        "points": plan.order.points,
        "instructions": instructions,
        "op_scope": op_scope,
        "order": order,
        "phases": [
            {"label": p.label, "scope": p.scope, "direction": p.direction, "remat": p.remat}
            for p in phases.table
        ],
        "loops": [None, *(_region(region) for region in plan.order.regions)],
        "sources": sources,
        "frames": _frames(module, strings),
        "shapes": shapes,
        "types": [kind.label for kind in AllocationType],
        "strings": {**{name: table.values for name, table in strings.items()}, "shapes": shape_texts},
    }
    return ModulePayload(fields, instruction_rows, shape_rows)


def _used_instructions(plan: Plan) -> Rows:
    """The rows of Instructions that points or buffers refer to, ascending."""
    rows = np.union1d(plan.order.instruction, plan.module.buffers.instruction)
    return rows[rows >= 0].astype(np.int32)


def _inverse(rows: Rows, count: int) -> Rows:
    """By row of the whole table its position in `rows`, -1 where it is not there."""
    inverse = np.full(count, -1, np.int32)
    inverse[rows] = np.arange(len(rows), dtype=np.int32)
    return inverse


def _mapped(mapping: Rows, rows: Rows) -> Rows:
    result = np.full(len(rows), -1, np.int32)
    result[rows >= 0] = mapping[rows[rows >= 0]]
    return result


def _instructions(
    plan: Plan, rows: Rows, strings: dict[str, Table]
) -> tuple[list[Json | None], dict[str, Column], Column]:
    """Sources, the columns of instructions, and the row of strings.scopes by row of strings.op_names."""
    module, table = plan.module, plan.module.instructions
    metadata, of_instruction = np.unique(table.metadata[rows], return_inverse=True)
    op = np.array(
        strings["op_names"].rows(module.metadata[row].op_name for row in metadata.tolist()), np.int64
    )
    places = plan.places
    scopes = strings["scopes"].rows_by_code(places.scopes.__getitem__, places.scope[metadata])
    op_scope = np.zeros(len(strings["op_names"].values), np.int64)
    op_scope[op] = scopes
    sources = Table(None)

    def source(number: int) -> tuple[int, int | None, bool] | None:
        found = plan.sources.table[number]
        return None if found is None else (strings["files"].row(found.file), found.line, found.framework)

    source_rows = sources.rows_by_code(source, plan.sources.row[metadata])
    frames = (module.metadata[row].frame for row in metadata.tolist())
    frame = np.array([0 if row is None else row + 1 for row in frames], np.int64)
    computations = module.computations.names
    columns = {
        "name": column(strings["names"].rows(table.names[row] for row in rows.tolist())),
        "opcode": column(strings["opcodes"].rows_by_code(table.opcodes.__getitem__, table.opcode[rows])),
        "op_name": column(op[of_instruction]),
        "source": column(source_rows[of_instruction]),
        "frame": column(frame[of_instruction]),
        "computation": column(
            strings["computations"].rows_by_code(computations.__getitem__, table.computation[rows])
        ),
    }
    listed = [
        None if one is None else dict(zip(("file", "line", "framework"), one, strict=True))
        for one in sources.values
    ]
    return listed, columns, column(op_scope)


def _frames(module: Module, strings: dict[str, Table]) -> list[Json | None]:
    frames: list[Json | None] = [None]
    for frame in module.frames:
        frames.append(
            {
                "file": strings["files"].row(frame.file),
                "line": frame.line,
                "column": frame.column,
                "function": strings["functions"].row(frame.function),
                "parent": 0 if frame.parent is None else frame.parent + 1,
            }
        )
    return frames


def _region(region: Region) -> Json:
    return {
        "name": region.name,
        "kind": region.kind,
        "start": region.start,
        "end": region.end,
        "parent": 0 if region.parent is None else region.parent + 1,
    }


def _shapes(module: Module, strings: dict[str, Table]) -> tuple[Rows, Json, list[str]]:
    """The shapes of buffers and their texts, which may be equal where they differ in what text leaves out.

    One is explained for the size of its first buffer; `stored_bytes` says which.
    """
    buffers = module.buffers
    rows, first = np.unique(buffers.shape, return_index=True)
    texts: list[str] = []
    columns: dict[str, list[Any]] = {
        name: []
        for name in ("dtype", "elements", "unpadded_bytes", "stored_bytes", "stored", "factor", "worst")
    }
    for row, buffer in zip(rows.tolist(), first.tolist(), strict=True):
        shape = module.shapes[row]
        texts.append(shape.text())
        found = explain(shape, int(buffers.size[buffer]))
        columns["dtype"].append(strings["dtypes"].row(shape.type_name))
        columns["elements"].append(min(shape.elements, 1 << 62))
        columns["unpadded_bytes"].append(int(buffers.unpadded[buffer]))
        columns["stored_bytes"].append(None if found is None else found.stored_bytes)
        columns["stored"].append(None if found is None else found.stored_text)
        factor = None if found is None else found.factor
        columns["factor"].append(None if factor is None else round(factor, 4))
        columns["worst"].append(None if found is None else found.worst_text)
    encoded = {name: column(columns.pop(name)) for name in ("dtype", "elements", "unpadded_bytes")}
    return _inverse(rows.astype(np.int32), len(module.shapes)), {**encoded, **columns}, texts
