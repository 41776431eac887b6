"""`memviewer peak`: what is alive at the peak (or another point), grouped, and its largest buffers."""

from __future__ import annotations

from argparse import Namespace
from typing import Final

from tensorboard_plugin_memviewer.analysis.buffer_facts import BufferFacts, buffer_facts
from tensorboard_plugin_memviewer.analysis.live_set import Breakdown, breakdown, largest_live_rows
from tensorboard_plugin_memviewer.cli.buffers import TABLE_COLUMNS, buffer_cells, head
from tensorboard_plugin_memviewer.cli.exit_codes import OK
from tensorboard_plugin_memviewer.cli.headline import headline_line
from tensorboard_plugin_memviewer.cli.location import location_of
from tensorboard_plugin_memviewer.cli.options import (
    Commands,
    add_capacity,
    add_command,
    add_format,
    add_module,
    add_path,
    count,
)
from tensorboard_plugin_memviewer.cli.output import print_json, print_tables
from tensorboard_plugin_memviewer.cli.selection import Chosen, choose
from tensorboard_plugin_memviewer.cli.table import Column, Table
from tensorboard_plugin_memviewer.errors import BadParameter
from tensorboard_plugin_memviewer.model.capacities import parse_sizes
from tensorboard_plugin_memviewer.units import format_bytes, format_count, format_share
from tensorboard_plugin_memviewer.vocabulary.groupings import DEFAULT_GROUPING, GROUPINGS
from tensorboard_plugin_memviewer.wire.breakdown import breakdown_answer

EXAMPLES: Final = ("logs", "logs --module jit_step --space VMEM --by source", "logs --at 120 --top 50")


def add(commands: Commands) -> None:
    """Add the command with its options."""
    parser = add_command(commands, "peak", "", EXAMPLES)
    add_path(parser)
    add_module(parser)
    parser.add_argument(
        "--by",
        choices=tuple(GROUPINGS),
        default=DEFAULT_GROUPING,
        help=f"how to group buffers (default: {DEFAULT_GROUPING})",
    )
    parser.add_argument("--at", default="peak", metavar="POINT", help="a program point instead of the peak")
    parser.add_argument(
        "--top",
        type=count,
        default=20,
        help="number of groups and buffers to show (default: 20); JSON always has all",
    )
    add_capacity(parser)
    add_format(parser)


def run(arguments: Namespace) -> int:
    """Print the answer and return the exit code. Raises NotFound where there is no such module."""
    location = location_of(arguments)
    chosen = choose(location, parse_sizes(arguments.capacity))
    point = _point(arguments.at, chosen)
    found = breakdown(chosen.usage, chosen.loaded.grouping(chosen.usage.space, arguments.by), point)
    if arguments.format == "json":
        print_json(breakdown_answer(chosen.subject, found, arguments.by))
        return OK
    rows = largest_live_rows(chosen.usage, point).tolist()
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
        return f"{format_count(alive, 'buffer')} alive there, largest first"
    return f"the {'largest' if shown == 1 else f'{shown} largest'} of {alive} buffers alive there"


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
