"""`memviewer findings`: what is wasteful or dangerous in a module, with the bytes at stake and a remedy."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from typing import Final

from tensorboard_plugin_memviewer.analysis.buffer_facts import buffer_facts
from tensorboard_plugin_memviewer.analysis.findings import Finding, find_findings
from tensorboard_plugin_memviewer.analysis.live_set import largest_live_rows
from tensorboard_plugin_memviewer.cli.buffers import TABLE_COLUMNS, buffer_cells
from tensorboard_plugin_memviewer.cli.exit_codes import OK
from tensorboard_plugin_memviewer.cli.finding_words import finding_title
from tensorboard_plugin_memviewer.cli.headline import headline_line
from tensorboard_plugin_memviewer.cli.location import location_of
from tensorboard_plugin_memviewer.cli.options import (
    Commands,
    add_capacity,
    add_command,
    add_format,
    add_module,
    add_path,
)
from tensorboard_plugin_memviewer.cli.output import (
    print_json,
    print_problems,
    print_tables,
)
from tensorboard_plugin_memviewer.cli.safe_text import safe_markdown
from tensorboard_plugin_memviewer.cli.selection import Chosen, choose
from tensorboard_plugin_memviewer.cli.table import Table
from tensorboard_plugin_memviewer.cli.terminal import styled
from tensorboard_plugin_memviewer.model.capacities import parse_sizes
from tensorboard_plugin_memviewer.units import format_bytes, format_share
from tensorboard_plugin_memviewer.visible import visible
from tensorboard_plugin_memviewer.wire.findings import findings_answer, spaces_findings

EXAMPLES: Final = ("logs", "logs --module jit_step --capacity 16GiB")

_MOST_SHOWN = 3


def add(commands: Commands) -> None:
    """Add the command with its options."""
    parser = add_command(commands, "findings", "", EXAMPLES)
    add_path(parser)
    add_module(parser)
    add_capacity(parser)
    add_format(parser)


def run(arguments: Namespace) -> int:
    """Print the findings and return the exit code. Raises NotFound where there is no such module."""
    location = location_of(arguments)
    chosen = choose(location, parse_sizes(arguments.capacity))
    spaces = [chosen] if location.space is not None else _every_space(chosen)
    found = [(one, _findings(one)) for one in spaces]
    if arguments.format == "json":
        print_json(spaces_findings(findings_answer(one.subject, findings) for one, findings in found))
        return OK
    for one, findings in found:
        if findings or one is spaces[0]:
            _print(one, findings, arguments.format)
    print_problems(chosen.problems)
    return OK


def _every_space(chosen: Chosen) -> list[Chosen]:
    """The module in every space that it uses, the default one first."""
    first = chosen.usage.space
    spaces = sorted(chosen.loaded.plan.spaces, key=lambda space: (space != first, space))
    return [replace(chosen, usage=chosen.loaded.usage(space)) for space in spaces]


def _findings(chosen: Chosen) -> tuple[Finding, ...]:
    capacity = chosen.service.capacity(chosen.program, chosen.usage.space)
    return find_findings(chosen.loaded.plan, chosen.usage, chosen.loaded.readers, capacity)


def _print(chosen: Chosen, findings: tuple[Finding, ...], kind: str) -> None:
    fit = safe_markdown if kind == "markdown" else visible
    print(headline_line(chosen, kind))
    print()
    if not findings:
        print(f"{_nothing(chosen)}\n")
    for finding in findings:
        title = finding_title(finding)
        print(f"## {fit(title)}\n" if kind == "markdown" else styled(visible(title), "bold"))
        indent = "" if kind == "markdown" else "  "
        print(f"{indent}{fit(finding.detail)}\n{indent}{fit(finding.advice)}\n")
        if finding.rows:
            table = Table(TABLE_COLUMNS)
            for row in finding.rows[:_MOST_SHOWN]:
                table.add(*buffer_cells(buffer_facts(chosen.loaded.plan, chosen.usage, row)))
            print_tables(kind, [("", table)])
            print()


def _nothing(chosen: Chosen) -> str:
    """The text if there are no findings; names a buffer of more than a third of the peak anyway."""
    peak = chosen.usage.headline
    largest = largest_live_rows(chosen.usage, peak.peak_point)
    if not len(largest) or 3 * int(chosen.usage.buffers.size[largest[0]]) <= peak.peak_bytes:
        return "Nothing stands out."
    facts = buffer_facts(chosen.loaded.plan, chosen.usage, int(largest[0]))
    name, share = facts.op_name or facts.instruction, format_share(facts.bytes, peak.peak_bytes)
    return visible(
        f"No waste found. The largest buffer at the peak is {name} {facts.shape}: "
        f"{format_bytes(facts.bytes)}, {share} of it ({facts.type})."
    )
