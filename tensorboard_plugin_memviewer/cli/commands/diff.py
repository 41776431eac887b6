"""`memviewer diff`: one module against another: the numbers, and the buffers that make the difference."""

from __future__ import annotations

from argparse import Namespace
from typing import Final

from tensorboard_plugin_memviewer.analysis.compare import Change, Comparison, Half, compare
from tensorboard_plugin_memviewer.cli.buffers import head
from tensorboard_plugin_memviewer.cli.exit_codes import OK
from tensorboard_plugin_memviewer.cli.headline import headline_line
from tensorboard_plugin_memviewer.cli.location import location_of
from tensorboard_plugin_memviewer.cli.options import (
    Commands,
    add_command,
    add_format,
    add_module,
    add_path,
    count,
)
from tensorboard_plugin_memviewer.cli.output import print_json, print_tables
from tensorboard_plugin_memviewer.cli.selection import Chosen, choose
from tensorboard_plugin_memviewer.cli.table import Column, Table
from tensorboard_plugin_memviewer.model.space import space_name
from tensorboard_plugin_memviewer.units import format_bytes, format_change, format_count
from tensorboard_plugin_memviewer.vocabulary.headline import HEADLINE
from tensorboard_plugin_memviewer.wire.compare import compare_answer

EXAMPLES: Final = (
    "before after",
    "logs#run=monday logs#run=tuesday --module jit_step",
    "'logs#module=jit_step(14)' 'logs#module=jit_step(12)' --format json",
)


_CHANGES = (
    Column("CHANGE"),
    Column("DIFFERENCE", right=True),
    Column("BASELINE", right=True),
    Column("NOW", right=True),
    Column(head("op_name"), shortens=True),
    Column(head("opcode")),
    Column(head("shape"), shortens=True),
)


def add(commands: Commands) -> None:
    """Add the command with its options."""
    parser = add_command(commands, "diff", "A is the baseline.", EXAMPLES)
    add_path(parser, "a", " (the baseline)")
    add_path(parser, "b")
    add_module(parser)
    parser.add_argument(
        "--top", type=count, default=20, help="number of buffers to show (default: 20); JSON always has all"
    )
    add_format(parser)


def run(arguments: Namespace) -> int:
    """Print what differs and return the exit code, whether something does or not. Raises NotFound."""
    baseline = choose(location_of(arguments, arguments.a))
    subject = choose(location_of(arguments, arguments.b))
    made = compare((subject.loaded.plan, subject.usage), (baseline.loaded.plan, baseline.usage))
    if arguments.format == "json":
        print_json(compare_answer(subject.subject, baseline.subject, made))
        return OK
    for name, side in (("baseline: ", baseline), ("now:      ", subject)):
        print(f"{name if arguments.format == 'text' else ''}{headline_line(side, arguments.format)}")
    print()
    verb = "is" if made.unchanged_count == 1 else "are"
    count = format_count(made.unchanged_count, "buffer")
    same = f"{count} ({format_bytes(made.unchanged_bytes)}) {verb} the same"
    tables = [("the numbers", _numbers(baseline, subject))]
    if made.changes:
        tables.append((f"differences at the peak; {same}", _changes(made, arguments.top)))
    print_tables(arguments.format, tables, (*baseline.problems, *subject.problems))
    if not made.changes:
        print(f"\nNo buffer differs: {same}.")
    return OK


def _numbers(baseline: Chosen, subject: Chosen) -> Table:
    """Every headline number that is not zero on both sides."""
    table = Table(
        (Column("NUMBER"), *(Column(name, right=True) for name in ("BASELINE", "NOW", "DIFFERENCE")))
    )
    before, now = baseline.usage.headline.as_dict(), subject.usage.headline.as_dict()
    for number in HEADLINE.values():
        name = number.key
        if number.unit == "bytes" and name in now and (before[name] or now[name]):
            difference = now[name] - before[name]
            better = (difference > 0) == number.more_is_better
            style = None if difference == 0 else "green" if better else "red"
            row = (number.word, *map(format_bytes, (before[name], now[name])), format_change(difference))
            table.add(*row, style=style)
    return table


def _changes(made: Comparison, top: int) -> Table:
    """The largest changes, and in the last rows whatever else makes up the difference of the peaks."""
    table = Table(_CHANGES)
    for change in made.changes[:top]:
        where = "" if change.other_space is None else f" ({space_name(change.other_space)})"
        table.add(
            f"{change.kind}{where}",
            format_change(change.difference_bytes),
            _half(change.baseline),
            _half(change.subject),
            change.key.op_name or change.key.name,
            change.key.opcode,
            _shapes(change),
        )
    rest = sum(change.difference_bytes for change in made.changes[top:])
    for name, size in (
        (f"({len(made.changes) - top} more)", rest if len(made.changes) > top else None),
        ("(addresses shared by buffers)", -made.parts.shared_bytes or None),
        ("(scoped memory)", made.parts.scoped_bytes or None),
        ("peak", made.parts.total_bytes),
    ):
        if size is not None:
            table.add(name, format_change(size), "", "", "", "", "")
    return table


def _half(half: Half) -> str:
    if half.count == 0:
        return ""
    if half.peak_count == 0:
        return "not at the peak"
    several = f" in {half.peak_count} buffers" if half.peak_count != 1 else ""
    return f"{format_bytes(half.peak_bytes)}{several}"


def _shapes(change: Change) -> str:
    before, now = change.baseline_key.shape, change.key.shape
    return now if before == now else f"{before} → {now}"
