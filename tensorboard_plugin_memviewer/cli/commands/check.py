"""`memviewer check`: fail when a module requires more memory than allowed, or than a baseline by more than
allowed.

With a baseline, modules are matched by name; if several share a name, the one that
requires most represents it. If a module cannot be read, the exit code is never OK.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Final

from tensorboard_plugin_memviewer.cli.exit_codes import FAILED, OK, UNUSABLE
from tensorboard_plugin_memviewer.cli.location import location_of, parse_location
from tensorboard_plugin_memviewer.cli.options import (
    UNITS,
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
from tensorboard_plugin_memviewer.cli.selection import Found, find_modules
from tensorboard_plugin_memviewer.cli.streams import until_closed
from tensorboard_plugin_memviewer.cli.table import Column, Table
from tensorboard_plugin_memviewer.errors import BadParameter
from tensorboard_plugin_memviewer.model.capacities import parse_sizes
from tensorboard_plugin_memviewer.model.space import HBM, space_name
from tensorboard_plugin_memviewer.units import format_bytes, format_change, parse_growth
from tensorboard_plugin_memviewer.vocabulary.headline import HEADLINE
from tensorboard_plugin_memviewer.wire import VERSION
from tensorboard_plugin_memviewer.wire.problems import problem_records

EXAMPLES: Final = (
    "logs --max-hbm 14GiB",
    "dump --max-hbm 14GiB --max VMEM=96MiB",
    "logs --baseline main_logs --max-growth 2%",
)


_UNREAD = {"damaged", "unreadable", "changed", "unsupported"}
_COLUMNS = (
    Column("RESULT"),
    Column("RUN", shortens=True),
    Column("MODULE", shortens=True),
    Column("SPACE"),
    Column(HEADLINE["required_bytes"].word.upper(), right=True),
    Column("ALLOWED", right=True),
    Column("LEFT", right=True),
    Column("BASELINE", right=True),
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One module held against one limit; `baseline_bytes` is None where the limit is of no baseline."""

    run: str
    module: str
    space: str
    memory_space: int
    required_bytes: int
    allowed_bytes: int
    baseline_bytes: int | None

    @property
    def passed(self) -> bool:
        """Whether the module requires no more than is allowed."""
        return self.required_bytes <= self.allowed_bytes


def add(commands: Commands) -> None:
    """Add the command with its options."""
    parser = add_command(
        commands,
        "check",
        "Compares required_bytes, the memory that the device must have. Exits with 1 if over.",
        EXAMPLES,
    )
    add_path(parser)
    add_run_and_host(parser)
    parser.add_argument("--module", help="only this module")
    parser.add_argument("--max-hbm", metavar="SIZE", help=f"the most HBM that a module may require. {UNITS}")
    parser.add_argument(
        "--max", action="append", default=[], metavar="SPACE=SIZE", help="the same for another memory space"
    )
    parser.add_argument("--baseline", metavar="PATH", help="modules to compare with, by name")
    parser.add_argument(
        "--max-growth",
        metavar="SHARE",
        help="how much more than in the baseline a module may require: 2%% or 64MiB (default: nothing)",
    )
    add_format(parser)


def run(arguments: Namespace) -> int:
    """Print the verdicts; FAILED where one is over, else UNUSABLE where something could not be read."""
    limits = _limits(arguments)
    found = find_modules(location_of(arguments))
    verdicts = list(_against_limits(found, limits))
    problems = list(found.problems)
    unseen: list[str] = []
    if arguments.baseline is not None:
        baseline = find_modules(
            parse_location(arguments.baseline, run=None, host=None, module=arguments.module)
        )
        problems.extend(baseline.problems)
        verdicts.extend(_against_baseline(found, baseline, arguments.max_growth or "0"))
        unseen = sorted(set(_largest(found)) - set(_largest(baseline)))
    failed = [verdict for verdict in verdicts if not verdict.passed]
    unread = not found.readable or any(problem.code in _UNREAD for problem in problems)
    with until_closed():
        if arguments.format == "json":
            print_json(
                {
                    "version": VERSION,
                    "passed": not failed and not unread,
                    "verdicts": [{**asdict(verdict), "passed": verdict.passed} for verdict in verdicts],
                    "not_in_baseline": unseen,
                    "problems": problem_records(problems),
                }
            )
        elif verdicts:
            print_tables(arguments.format, [("", _table(verdicts))], problems)
        else:
            print_problems(problems, beside=False)
    return FAILED if failed else UNUSABLE if unread else OK


def _limits(arguments: Namespace) -> dict[int, int]:
    named = [text for text in arguments.max if "=" not in text]
    if named:
        raise BadParameter(
            f"--max {named[0]} does not name a memory space", "Write --max VMEM=64MiB, or --max-hbm 14GiB."
        )
    limits = parse_sizes([*arguments.max, *([] if arguments.max_hbm is None else [arguments.max_hbm])])
    if arguments.max_growth is not None:
        if arguments.baseline is None:
            raise BadParameter("--max-growth needs --baseline", "Add --baseline PATH.")
        parse_growth(arguments.max_growth, 0)
    if not limits and arguments.baseline is None:
        raise BadParameter("there is nothing to check against", "Give --max-hbm 14GiB, or --baseline PATH.")
    return limits


def _against_limits(found: Found, limits: dict[int, int]) -> Iterator[Verdict]:
    for run_, summary in found.readable:
        required = {space.color: space.headline.required_bytes for space in summary.spaces}
        for color, allowed in sorted(limits.items()):
            size = required.get(color, 0)
            yield Verdict(run_, summary.program.key, space_name(color), color, size, allowed, None)


def _against_baseline(found: Found, baseline: Found, growth: str) -> Iterator[Verdict]:
    before = _largest(baseline)
    for name, (run_, key, required) in _largest(found).items():
        if name in before:
            base = before[name][2]
            allowed = base + parse_growth(growth, base)
            yield Verdict(run_, key, space_name(HBM), HBM, required, allowed, base)


def _largest(found: Found) -> dict[str, tuple[str, str, int]]:
    """By module name the run, key and required bytes of HBM of the module that requires most."""
    largest: dict[str, tuple[str, str, int]] = {}
    for run_, summary in found.readable:
        required = {space.color: space.headline.required_bytes for space in summary.spaces}.get(HBM, 0)
        name = summary.program.name
        if name not in largest or required > largest[name][2]:
            largest[name] = (run_, summary.program.key, required)
    return largest


def _table(verdicts: list[Verdict]) -> Table:
    table = Table(_COLUMNS)
    for verdict in verdicts:
        base = verdict.baseline_bytes
        table.add(
            "ok" if verdict.passed else "OVER",
            verdict.run,
            verdict.module,
            verdict.space,
            format_bytes(verdict.required_bytes),
            format_bytes(verdict.allowed_bytes),
            format_bytes(verdict.allowed_bytes - verdict.required_bytes),
            "" if base is None else f"{format_bytes(base)} ({format_change(verdict.required_bytes - base)})",
            style="green" if verdict.passed else "red",
        )
    return table
