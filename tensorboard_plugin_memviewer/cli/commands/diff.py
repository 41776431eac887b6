"""`memviewer diff`: one module against another: the numbers, and the buffers that make the difference."""

from __future__ import annotations

from argparse import Namespace

from tensorboard_plugin_memviewer.analysis.compare import Change, Comparison, Half, compare
from tensorboard_plugin_memviewer.cli.buffers import head
from tensorboard_plugin_memviewer.cli.exit_codes import OK
from tensorboard_plugin_memviewer.cli.headline import headline_json, headline_line
from tensorboard_plugin_memviewer.cli.location import location_of
from tensorboard_plugin_memviewer.cli.output import Json, print_json, print_tables, problems_json
from tensorboard_plugin_memviewer.cli.selection import Chosen, choose
from tensorboard_plugin_memviewer.cli.table import Column, Table
from tensorboard_plugin_memviewer.model.space import space_name
from tensorboard_plugin_memviewer.units import format_bytes, format_change, format_count
from tensorboard_plugin_memviewer.vocabulary.headline import HEADLINE

_CHANGES = (
    Column("CHANGE"),
    Column("DIFFERENCE", right=True),
    Column("BASELINE", right=True),
    Column("NOW", right=True),
    Column(head("op_name"), shortens=True),
    Column(head("opcode")),
    Column(head("shape"), shortens=True),
)


def run(arguments: Namespace) -> int:
    """Print what differs and return the exit code, whether something does or not. Raises NotFound."""
    baseline = choose(location_of(arguments, arguments.a))
    subject = choose(location_of(arguments, arguments.b))
    made = compare((subject.loaded.plan, subject.usage), (baseline.loaded.plan, baseline.usage))
    if arguments.format == "json":
        print_json(_json(baseline, subject, made))
        return OK
    for name, side in (("baseline: ", baseline), ("now:      ", subject)):
        print(f"{name if arguments.format == 'text' else ''}{headline_line(side, arguments.format)}")
    print()
    verb = "is" if made.unchanged_count == 1 else "are"
    count = format_count(made.unchanged_count, "buffer")
    same = f"{count} ({format_bytes(made.unchanged_bytes)}) {verb} the same"
    tables = [("the numbers", _numbers(baseline, subject))]
    if made.changes:
        tables.append((f"what makes the difference at the peak; {same}", _changes(made, arguments.top)))
    print_tables(arguments.format, tables, (*baseline.problems, *subject.problems))
    if not made.changes:
        print(f"\nNo buffer differs: {same}.")
    return OK


def _json(baseline: Chosen, subject: Chosen, made: Comparison) -> Json:
    return {
        "baseline": headline_json(baseline),
        "subject": headline_json(subject),
        "difference": _differences(baseline, subject),
        "parts": {
            "buffers_bytes": made.parts.buffers_bytes,
            "shared_bytes": made.parts.shared_bytes,
            "scoped_bytes": made.parts.scoped_bytes,
            "total_bytes": made.parts.total_bytes,
        },
        "unchanged": {"count": made.unchanged_count, "bytes": made.unchanged_bytes},
        "changes": [_change_json(change) for change in made.changes],
        "problems": problems_json((*baseline.problems, *subject.problems)),
    }


def _differences(baseline: Chosen, subject: Chosen) -> dict[str, int]:
    before, now = baseline.usage.headline.as_dict(), subject.usage.headline.as_dict()
    return {name: value - before[name] for name, value in now.items() if HEADLINE[name].unit == "bytes"}


def _numbers(baseline: Chosen, subject: Chosen) -> Table:
    """Every headline number that is not zero on both sides."""
    table = Table(
        (Column("NUMBER"), *(Column(name, right=True) for name in ("BASELINE", "NOW", "DIFFERENCE")))
    )
    before, now = baseline.usage.headline.as_dict(), subject.usage.headline.as_dict()
    differences = _differences(baseline, subject)
    for number in HEADLINE.values():
        name, difference = number.key, differences.get(number.key)
        if difference is not None and (before[name] or now[name]):
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
            change.key.op or change.key.name,
            change.key.opcode,
            _shapes(change),
        )
    rest = sum(change.difference_bytes for change in made.changes[top:])
    for name, size in (
        (f"({len(made.changes) - top} more)", rest if len(made.changes) > top else None),
        ("(addresses that buffers share)", -made.parts.shared_bytes or None),
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


def _change_json(change: Change) -> Json:
    return {
        "kind": change.kind,
        "difference_bytes": change.difference_bytes,
        "other_space": None if change.other_space is None else space_name(change.other_space),
        **change.key._asdict(),
        "baseline_shape": change.baseline_key.shape,
        "baseline": _half_json(change.baseline),
        "subject": _half_json(change.subject),
    }


def _half_json(half: Half) -> Json:
    return {
        "count": half.count,
        "bytes": half.bytes,
        "peak_count": half.peak_count,
        "peak_bytes": half.peak_bytes,
    }
