"""`memviewer list`: runs, hosts and programs. Decodes nothing, imports neither numpy nor protobuf."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Final

from tensorboard_plugin_memviewer.cli.exit_codes import OK, UNUSABLE
from tensorboard_plugin_memviewer.cli.location import location_of
from tensorboard_plugin_memviewer.cli.options import (
    Commands,
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
from tensorboard_plugin_memviewer.cli.table import Column, Table
from tensorboard_plugin_memviewer.cli.terminal import Progress
from tensorboard_plugin_memviewer.service.program import Program, named
from tensorboard_plugin_memviewer.service.programs import ProgramFinder
from tensorboard_plugin_memviewer.units import format_bytes
from tensorboard_plugin_memviewer.wire.modules import list_answer

if TYPE_CHECKING:
    from tensorboard_plugin_memviewer.sessions.run import Run

EXAMPLES: Final = ("logs", "gs://bucket/logs --format json", "capture.xplane.pb")

_COLUMNS = (
    Column("RUN", shortens=True),
    Column("KIND"),
    Column("HOST", shortens=True),
    Column("MODULE", shortens=True),
    Column("BYTES", right=True),
)


def add(commands: Commands) -> None:
    """Add the command with its options."""
    parser = add_command(commands, "list", "Decodes no program, so it is fast.", EXAMPLES)
    add_path(parser)
    add_run_and_host(parser)
    parser.add_argument("--module", help="only this module")
    add_format(parser)


def run(arguments: Namespace) -> int:
    """Print the answer and return the exit code: UNUSABLE where there is no program."""
    wanted = location_of(arguments)
    finder = ProgramFinder(wanted.path)
    listing = finder.listing()
    problems = list(listing.problems)
    runs = listing.runs if wanted.run is None else (listing.run(wanted.run),)
    found: list[tuple[Run, tuple[Program, ...]]] = []
    with Progress() as progress:
        for at, one in enumerate(runs):
            progress.at(at, len(runs), one.name)
            programs, troubles = finder.programs(one.name, wanted.host)
            if wanted.module is not None:
                programs = tuple(named(programs, wanted.module))
            found.append((one, programs))
            problems.extend(troubles)
    if arguments.format == "json":
        print_json(list_answer(listing, found, problems))
    elif any(programs for _, programs in found):
        print_tables(arguments.format, [("", _table(found))], problems)
    else:
        print_problems(problems, beside=False)
    return OK if any(programs for _, programs in found) else UNUSABLE


def _table(found: list[tuple[Run, tuple[Program, ...]]]) -> Table:
    table = Table(_COLUMNS)
    for run_, programs in found:
        for program in programs:
            table.add(run_.name, run_.kind, program.host, program.key, format_bytes(program.size))
    return table
