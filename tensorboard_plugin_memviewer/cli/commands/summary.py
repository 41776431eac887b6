"""`memviewer summary`: the headline numbers of every module and memory space, largest peak first."""

from __future__ import annotations

from argparse import Namespace

from tensorboard_plugin_memviewer.cli.exit_codes import OK, UNUSABLE
from tensorboard_plugin_memviewer.cli.location import location_of
from tensorboard_plugin_memviewer.cli.output import (
    Json,
    id_json,
    print_json,
    print_problems,
    print_tables,
    problems_json,
)
from tensorboard_plugin_memviewer.cli.selection import Found, find_modules
from tensorboard_plugin_memviewer.cli.table import Column, Table
from tensorboard_plugin_memviewer.model.capacities import parse_sizes
from tensorboard_plugin_memviewer.service import ModuleSummary, SpaceSummary
from tensorboard_plugin_memviewer.units import format_bytes
from tensorboard_plugin_memviewer.vocabulary.headline import HEADLINE

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


def run(arguments: Namespace) -> int:
    """Print the answer and return the exit code: UNUSABLE where no module could be read."""
    location = location_of(arguments)
    found = find_modules(location, parse_sizes(arguments.capacity))
    if arguments.format == "json":
        print_json({"modules": _json(found), "problems": problems_json(found.problems)})
    elif found.readable:
        print_tables(arguments.format, [("", _table(found))], found.problems)
    else:
        print_problems(found.problems, beside=False)
    return OK if found.readable else UNUSABLE


def _json(found: Found) -> list[Json]:
    """One entry a host, also where several hosts have the same module."""
    return [_module_json(run_, host, summary) for run_, summary in found.readable for host in summary.hosts]


def _module_json(run_: str, host: str, summary: ModuleSummary) -> Json:
    assert summary.digest is not None
    program = summary.program
    return {
        "run": run_,
        "host": host,
        "module": program.key,
        "name": summary.digest.name,
        "program_id": id_json(program.program_id),
        "platform": summary.digest.platform,
        "axis": summary.digest.axis,
        "points": summary.digest.points,
        "spaces": [_space_json(space) for space in summary.spaces],
    }


def _space_json(space: SpaceSummary) -> Json:
    return {
        "space": space.name,
        "color": space.color,
        **space.headline.as_dict(),
        "capacity_bytes": space.capacity.bytes,
        "capacity_source": space.capacity.source,
    }


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
