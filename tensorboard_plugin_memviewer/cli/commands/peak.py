"""`memviewer peak`: what is alive at the peak (or another point), grouped, and its largest buffers."""

from __future__ import annotations

from argparse import Namespace

from tensorboard_plugin_memviewer.analysis.buffer_facts import BufferFacts, buffer_facts
from tensorboard_plugin_memviewer.analysis.live_set import Breakdown, breakdown, largest_live_rows
from tensorboard_plugin_memviewer.cli.buffers import TABLE_COLUMNS, buffer_cells, buffer_json, head
from tensorboard_plugin_memviewer.cli.exit_codes import OK
from tensorboard_plugin_memviewer.cli.headline import headline_json, headline_line
from tensorboard_plugin_memviewer.cli.location import location_of
from tensorboard_plugin_memviewer.cli.output import Json, print_json, print_tables, problems_json
from tensorboard_plugin_memviewer.cli.selection import Chosen, choose
from tensorboard_plugin_memviewer.cli.table import Column, Table
from tensorboard_plugin_memviewer.errors import BadParameter
from tensorboard_plugin_memviewer.model.capacities import parse_sizes
from tensorboard_plugin_memviewer.units import format_bytes, format_count, format_share
from tensorboard_plugin_memviewer.vocabulary.groupings import GROUPINGS


def run(arguments: Namespace) -> int:
    """Print the answer and return the exit code. Raises NotFound where there is no such module."""
    location = location_of(arguments)
    chosen = choose(location, parse_sizes(arguments.capacity))
    point = _point(arguments.at, chosen)
    found = breakdown(chosen.usage, chosen.loaded.grouping(chosen.usage.space, arguments.by), point)
    rows = largest_live_rows(chosen.usage, point).tolist()
    if arguments.format == "json":
        print_json(_json(chosen, found, arguments.by, _facts(chosen, rows)))
        return OK
    print(headline_line(chosen, arguments.format))
    print()
    groups, table = _groups(found, arguments.by, arguments.top), Table(TABLE_COLUMNS)
    shown = _facts(chosen, rows[: arguments.top])
    for facts in shown:
        table.add(*buffer_cells(facts))
    title = _title(len(shown), len(rows))
    print_tables(arguments.format, [(_place(chosen, found), groups), (title, table)], chosen.problems)
    return OK


def _title(shown: int, alive: int) -> str:
    if shown == alive:
        return f"{format_count(alive, 'buffer')} alive there, the largest first"
    return f"the {'largest' if shown == 1 else f'{shown} largest'} of {alive} buffers alive there"


def _json(chosen: Chosen, found: Breakdown, by: str, buffers: list[BufferFacts]) -> Json:
    """All of it: its parts add up to `usage_bytes`."""
    return {
        **headline_json(chosen),
        "point": found.point,
        "instruction": _instruction(chosen, found.point),
        "by": by,
        "usage_bytes": found.usage_bytes,
        "scoped_bytes": found.scoped_bytes,
        "shared_bytes": found.shared_bytes,
        "groups": [
            {
                "key": group.key,
                "bytes": group.bytes,
                "unpadded_bytes": group.unpadded_bytes,
                "count": len(group.rows),
            }
            for group in found.groups
        ],
        "buffers": [buffer_json(facts) for facts in buffers],
        "problems": problems_json(chosen.problems),
    }


def _place(chosen: Chosen, found: Breakdown) -> str:
    """How much is used, and at which point."""
    where = "the peak" if found.point == chosen.usage.headline.peak_point else "this point"
    instruction = _instruction(chosen, found.point)
    place = f"{format_bytes(found.usage_bytes)} at {where}: point {found.point}"
    return place if instruction is None else f"{place}, {instruction}"


def _point(text: str, chosen: Chosen) -> int:
    if text == "peak":
        return chosen.usage.headline.peak_point
    points = chosen.usage.points
    if not (text.isascii() and text.isdecimal() and len(text) < 20 and int(text) < points):
        raise BadParameter(f"there is no program point {text!r}", f"Points go from 0 to {points - 1}.")
    return int(text)


def _instruction(chosen: Chosen, point: int) -> str | None:
    row = int(chosen.loaded.plan.order.instruction[point])
    return chosen.loaded.module.instructions.names[row] if row >= 0 else None


def _facts(chosen: Chosen, rows: list[int]) -> list[BufferFacts]:
    return [buffer_facts(chosen.loaded.plan, chosen.usage, row) for row in rows]


def _groups(found: Breakdown, by: str, top: int) -> Table:
    table = Table(
        (
            Column(GROUPINGS[by].word.upper(), shortens=True),
            Column(head("bytes"), right=True),
            Column("SHARE", right=True),
            Column(head("unpadded_bytes"), right=True),
            Column("BUFFERS", right=True),
        )
    )

    def add(key: str, size: int, unpadded: int | None, count: int | None) -> None:
        share = format_share(size, found.usage_bytes) if found.usage_bytes else ""
        shown = "" if unpadded is None else format_bytes(unpadded)
        table.add(key, format_bytes(size), share, shown, "" if count is None else str(count))

    for group in found.groups[:top]:
        add(group.key, group.bytes, group.unpadded_bytes, len(group.rows))
    if rest := found.groups[top:]:
        count = sum(len(group.rows) for group in rest)
        unpadded = sum(group.unpadded_bytes for group in rest)
        add(f"({len(rest)} more)", sum(group.bytes for group in rest), unpadded, count)
    if found.scoped_bytes:
        add("(scoped memory of the instruction)", found.scoped_bytes, None, None)
    if found.shared_bytes:
        add("(counted twice: buffers that share addresses)", -found.shared_bytes, None, None)
    return table
