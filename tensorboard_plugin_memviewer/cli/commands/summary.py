"""`memviewer summary`: the headline numbers of every module and memory space, largest peak first."""

from __future__ import annotations

from argparse import Namespace
from typing import Final

from tensorboard_plugin_memviewer.cli.exit_codes import OK, UNUSABLE
from tensorboard_plugin_memviewer.cli.location import location_of
from tensorboard_plugin_memviewer.cli.options import (
    Commands,
    add_capacity,
    add_command,
    add_format,
    add_path,
    add_run_and_host,
)
from tensorboard_plugin_memviewer.cli.output import (
    print_json,
    print_problems,
    print_tables,
)
from tensorboard_plugin_memviewer.cli.selection import Found, find_modules
from tensorboard_plugin_memviewer.cli.table import Column, Table
from tensorboard_plugin_memviewer.model.capacities import parse_sizes
from tensorboard_plugin_memviewer.units import format_bytes
from tensorboard_plugin_memviewer.vocabulary.headline import HEADLINE
from tensorboard_plugin_memviewer.wire.spaces import summary_answer

EXAMPLES: Final = ("logs", "logs --run train/3 --format json", "dump_folder --capacity 16GiB")


_SHOWN = (
    "peak_bytes",
    "required_bytes",
    "capacity_bytes",
    "argument_bytes",
    "output_bytes",
    "temporary_bytes",
    "padding_bytes",
)
_COLUMNS = (
    Column("RUN", shortens=True),
    Column("MODULE", shortens=True),
    Column("SPACE"),
    *(Column(HEADLINE[key].word.upper(), right=True) for key in _SHOWN),
)


def add(commands: Commands) -> None:
    """Add the command with its options."""
    parser = add_command(commands, "summary", "Largest peak first.", EXAMPLES)
    add_path(parser)
    add_run_and_host(parser)
    parser.add_argument("--module", help="only this module")
    add_capacity(parser)
    add_format(parser)


def run(arguments: Namespace) -> int:
    """Print the answer and return the exit code: UNUSABLE where no module could be read."""
    location = location_of(arguments)
    found = find_modules(location, parse_sizes(arguments.capacity))
    if arguments.format == "json":
        print_json(summary_answer(found.readable, found.problems))
    elif found.readable:
        print_tables(arguments.format, [("", _table(found))], found.problems)
    else:
        print_problems(found.problems, beside=False)
    return OK if found.readable else UNUSABLE


def _table(found: Found) -> Table:
    table = Table(_COLUMNS)
    for run_, summary in found.readable:
        for at, space in enumerate(summary.spaces):
            capacity = space.capacity.bytes
            numbers: dict[str, int | None] = {**space.headline.as_dict(), "capacity_bytes": capacity}
            over = capacity is not None and space.headline.required_bytes > capacity
            table.add(
                run_ if at == 0 else "",
                summary.program.key if at == 0 else "",
                space.name,
                *("" if size is None else format_bytes(size) for size in map(numbers.get, _SHOWN)),
                style="red" if over else None,
            )
    return table
