"""The `usage` answer: everything the page needs of one memory space of one module, as columns and string
tables.

The page computes every point, group and card from it without asking again, so it also holds what a card
shows:
readers, stacks, explained padding. Row references of the answer are its own, dense from 0; where a table
has an entry
0 for "none" that is said in docs/http_api.md.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from tensorboard_plugin_memviewer.analysis.padding import explain
from tensorboard_plugin_memviewer.analysis.phases import Phases, PointNames, phases
from tensorboard_plugin_memviewer.analysis.program_order import Region
from tensorboard_plugin_memviewer.analysis.readers import Readers
from tensorboard_plugin_memviewer.analysis.scope import is_rematerialized, parse_scope
from tensorboard_plugin_memviewer.analysis.sources import source_of
from tensorboard_plugin_memviewer.analysis.usage import Plan, SpaceUsage
from tensorboard_plugin_memviewer.model.module import AllocationType, Ints, Module, Rows
from tensorboard_plugin_memviewer.web.columns import Column, column

_MOST_PEAKS = 64

Json = dict[str, Any]


class _Table:
    """Distinct values numbered in the order they are met; entry 0 is there from the start where one is
    given.
    """

    def __init__(self, *first: Any) -> None:
        self.values: list[Any] = list(first)
        self._rows: dict[Hashable, int] = {value: row for row, value in enumerate(first)}

    def row(self, value: Any) -> int:
        row = self._rows.setdefault(value, len(self.values))
        if row == len(self.values):
            self.values.append(value)
        return row


def usage_payload(plan: Plan, usage: SpaceUsage, readers: Readers) -> Json:
    """The part of the answer that depends on nothing but the module and the space."""
    rows = _instruction_rows(plan, usage)
    strings: dict[str, _Table] = {
        "names": _Table(),
        "opcodes": _Table(),
        "ops": _Table(""),
        "scopes": _Table(""),
        "files": _Table(),
        "functions": _Table(),
        "shapes": _Table(),
        "dtypes": _Table(),
        "computations": _Table(),
    }
    sources, instructions = _instructions(plan.module, rows, strings)
    shape_rows, shapes = _shapes(plan.module, usage, strings)
    order, phase_table = _order(plan, rows)
    return {
        "axis": plan.order.axis,
        "points": usage.points,
        "usage": column(usage.usage),
        "unpadded": column(usage.unpadded),
        "scoped": column(usage.scoped),
        "peaks": local_peaks(usage.usage),
        "instructions": instructions,
        "op_scope": _scopes(strings),
        "order": order,
        "phases": phase_table,
        "loops": [None, *(_region(region) for region in plan.order.regions)],
        "sources": sources,
        "frames": _frames(plan.module, strings),
        "shapes": shapes,
        "types": [kind.label for kind in AllocationType],
        "allocations": _allocations(plan.module, usage),
        "buffers": _buffers(plan, usage, readers, rows, shape_rows),
        "strings": {name: table.values for name, table in strings.items()},
    }


def local_peaks(usage: Ints) -> list[int]:
    """First points of the stretches that are higher than what is on both sides, highest first, at most 64."""
    starts = np.nonzero(np.diff(usage, prepend=usage[0] - 1))[0]
    heights = usage[starts]
    rises = np.diff(heights, prepend=-1) > 0
    falls = np.diff(heights, append=-1) < 0
    peaks = np.nonzero(rises & falls)[0]
    by_height = peaks[np.argsort(-heights[peaks], kind="stable")][:_MOST_PEAKS]
    return [int(point) for point in starts[by_height]]


def _instruction_rows(plan: Plan, usage: SpaceUsage) -> Rows:
    """The rows of Instructions that points or buffers refer to, ascending."""
    buffers = plan.module.buffers
    of_buffers = buffers.instruction[usage.buffers.buffer[usage.buffers.buffer >= 0]]
    rows = np.union1d(plan.order.instruction, of_buffers)
    return rows[rows >= 0].astype(np.int32)


def _instructions(
    module: Module, rows: Rows, strings: dict[str, _Table]
) -> tuple[list[Json | None], dict[str, Column]]:
    table = module.instructions
    metadata = table.metadata[rows]
    used, inverse = np.unique(metadata, return_inverse=True)
    source_table = _Table(None)
    per_metadata = []
    for row in used.tolist():
        entry = module.metadata[row]
        source = source_of(module, entry)
        per_metadata.append(
            (
                strings["ops"].row(entry.op_name),
                source_table.row(
                    None if source is None else (strings["files"].row(source.file), source.line)
                ),
                0 if entry.frame is None else entry.frame + 1,
            )
        )
    by_instruction = np.array(per_metadata, np.int64).reshape(-1, 3)[inverse]
    names, opcodes, computations = strings["names"], strings["opcodes"], strings["computations"]
    columns = {
        "name": column([names.row(table.names[row]) for row in rows.tolist()]),
        "opcode": column([opcodes.row(table.opcodes[code]) for code in table.opcode[rows].tolist()]),
        "op": column(by_instruction[:, 0]),
        "source": column(by_instruction[:, 1]),
        "frame": column(by_instruction[:, 2]),
        "computation": column(
            [computations.row(module.computations.names[c]) for c in table.computation[rows].tolist()]
        ),
    }
    sources = [
        None if entry is None else {"file": entry[0], "line": entry[1]} for entry in source_table.values
    ]
    return sources, columns


def _scopes(strings: dict[str, _Table]) -> Column:
    """A row of strings.scopes for each row of strings.ops: the user's scope, outermost part first."""
    scopes = strings["scopes"]
    return column([scopes.row("/".join(parse_scope(op).path)) for op in strings["ops"].values])


def _frames(module: Module, strings: dict[str, _Table]) -> list[Json | None]:
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


def _order(plan: Plan, rows: Rows) -> tuple[dict[str, Column], list[Json]]:
    order = plan.order
    known = order.instruction >= 0
    found = _phases(plan)
    columns = {
        "instruction": _optional(np.where(known, np.searchsorted(rows, order.instruction), -1)),
        "phase": column(found.column),
        "loop": column(order.region.astype(np.int64) + 1),
    }
    table: list[Json] = [
        {
            "label": phase.label,
            "scope": phase.scope,
            "direction": phase.direction,
            "remat": phase.remat,
        }
        for phase in found.table
    ]
    return columns, table


def _phases(plan: Plan) -> Phases:
    table, instruction = plan.module.instructions, plan.order.instruction
    metadata = np.zeros(len(instruction), np.int32)
    known = instruction >= 0
    metadata[known] = table.metadata[instruction[known]]
    op_names = [entry.op_name for entry in plan.module.metadata]
    again = [row >= 0 and is_rematerialized(table.names[row]) for row in instruction.tolist()]
    return phases(PointNames(op_names, metadata, np.array(again, np.bool_), plan.order.region))


def _optional(values: Sequence[int] | Rows | Ints) -> Column:
    """A column whose negative entries are absent: null in a plain array."""
    array = np.asarray(values, np.int64)
    if not len(array) or int(array.min()) >= 0:
        return column(array)
    return [None if value < 0 else value for value in array.tolist()]


def _region(region: Region) -> Json:
    return {
        "name": region.name,
        "kind": region.kind,
        "start": region.start,
        "end": region.end,
        "parent": 0 if region.parent is None else region.parent + 1,
    }


def _shapes(module: Module, usage: SpaceUsage, strings: dict[str, _Table]) -> tuple[Rows, Json]:
    """Row of the answer's shape table by row of Module.shapes, and the table."""
    buffers = module.buffers
    used = usage.buffers.buffer[usage.buffers.buffer >= 0]
    rows, first = np.unique(buffers.shape[used], return_index=True)
    answer_row = np.zeros(len(module.shapes) + 1, np.int32)
    columns: dict[str, list[Any]] = {
        name: [] for name in ("dtype", "elements", "unpadded", "stored_bytes", "stored", "factor", "worst")
    }
    for row, at in zip(rows.tolist(), first.tolist(), strict=True):
        shape = module.shapes[row]
        buffer = used[at]
        answer_row[row] = len(strings["shapes"].values)
        # Two shapes may read the same where they differ in what the text leaves out.
        strings["shapes"].values.append(shape.text())
        found = explain(shape, int(buffers.size[buffer]))
        columns["dtype"].append(strings["dtypes"].row(shape.type_name))
        columns["elements"].append(min(shape.elements, 1 << 62))
        columns["unpadded"].append(int(buffers.unpadded[buffer]))
        columns["stored_bytes"].append(None if found is None else found.stored_bytes)
        columns["stored"].append(None if found is None else found.stored_text)
        columns["factor"].append(None if found is None or found.factor is None else round(found.factor, 4))
        columns["worst"].append(None if found is None else found.worst_text)
    encoded = {name: column(columns[name]) for name in ("dtype", "elements", "unpadded")}
    return answer_row, {
        **encoded,
        **{name: columns[name] for name in ("stored_bytes", "stored", "factor", "worst")},
    }


def _allocations(module: Module, usage: SpaceUsage) -> Json:
    rows = np.nonzero(module.allocations.space == usage.space)[0]
    table = module.allocations
    return {
        "index": column(table.index[rows]),
        "size": column(table.size[rows]),
        "type": column(table.type[rows].astype(np.int64)),
        "aliased": column(table.aliased[rows]),
        "live_out": column(table.live_out[rows]),
        "parameter": [table.parameter_number[row] for row in rows.tolist()],
    }


def _buffers(plan: Plan, usage: SpaceUsage, readers: Readers, rows: Rows, shape_rows: Rows) -> Json:
    """A row a span, in program order. A row without a logical buffer stands for an allocation that holds
    none.
    """
    table, buffers = usage.buffers, plan.module.buffers
    known = table.buffer >= 0
    buffer = np.where(known, table.buffer, 0)
    if not len(buffers):
        empty = np.zeros(len(table), np.int64)
        ids, instruction, shape = _optional(empty - 1), _optional(empty - 1), _optional(empty - 1)
    else:
        row = buffers.instruction[buffer]
        instruction = _optional(np.where(known & (row >= 0), np.searchsorted(rows, row), -1))
        shape = _optional(np.where(known, shape_rows[buffers.shape[buffer]], -1))
        ids = (
            column(buffers.ids[buffer])
            if known.all()
            else _optional(np.where(known, buffers.ids[buffer], -1))
        )
    index_table = _Table("")
    indexes = [
        index_table.row(_index_text(buffers.shape_index[b])) if b >= 0 else 0 for b in table.buffer.tolist()
    ]
    allocation_rows = np.nonzero(plan.module.allocations.space == usage.space)[0]
    counts = (
        np.where(known, np.diff(readers.start)[buffer], 0) if len(buffers) else np.zeros(len(table), np.int64)
    )
    read_by = [readers.of(b) for b in table.buffer.tolist() if b >= 0]
    return {
        "id": ids,
        "instruction": instruction,
        "shape_index": {"strings": index_table.values, "index": column(indexes)},
        "shape": shape,
        "size": column(table.size),
        "unpadded": column(table.unpadded),
        "allocation": column(np.searchsorted(allocation_rows, table.allocation)),
        "offset": column(table.offset),
        "start": column(table.start),
        "end": column(table.end),
        "untraced": column(table.untraced),
        "represents": column(table.represents),
        "readers_offset": column(np.concatenate([[0], np.cumsum(counts)])),
        "readers": column(np.concatenate(read_by) if read_by else []),
    }


def _index_text(index: Sequence[int]) -> str:
    return "{" + ",".join(map(str, index)) + "}" if index else ""


def curve(usage: Ints, most: int = 2000) -> dict[str, Column]:
    """A step line of at most `most` steps for a small chart: each step shows the largest usage of its
    stretch.
    """
    starts = np.nonzero(np.diff(usage, prepend=usage[0] - 1))[0]
    if len(starts) <= most:
        return {"points": column(starts), "bytes": column(usage[starts])}
    edges = np.unique(np.linspace(0, len(usage), most, endpoint=False).astype(np.int64))
    return {"points": column(edges), "bytes": column(np.maximum.reduceat(usage, edges))}
