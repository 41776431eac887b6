"""`memviewer explain-oom`: what an error means, which module it is about, and which buffers cause it."""

from __future__ import annotations

import sys
from argparse import Namespace
from itertools import chain
from pathlib import Path
from typing import Final

from tensorboard_plugin_memviewer.analysis.buffer_facts import buffer_facts
from tensorboard_plugin_memviewer.analysis.live_set import largest_live_rows
from tensorboard_plugin_memviewer.analysis.sources import source_of
from tensorboard_plugin_memviewer.cli.buffers import TABLE_COLUMNS, buffer_cells, head
from tensorboard_plugin_memviewer.cli.exit_codes import OK
from tensorboard_plugin_memviewer.cli.finding_words import finding_title
from tensorboard_plugin_memviewer.cli.location import parse_location
from tensorboard_plugin_memviewer.cli.oom.advice import advice
from tensorboard_plugin_memviewer.cli.oom.words import (
    listed_json,
    parts_shown,
    report_json,
    sentence,
    shown,
    used_for,
)
from tensorboard_plugin_memviewer.cli.options import Commands, add_command, add_format, count
from tensorboard_plugin_memviewer.cli.output import (
    Json,
    print_json,
    print_problems,
    print_tables,
)
from tensorboard_plugin_memviewer.cli.safe_text import safe_markdown
from tensorboard_plugin_memviewer.cli.table import Column, Table
from tensorboard_plugin_memviewer.cli.terminal import Progress, styled
from tensorboard_plugin_memviewer.errors import BadParameter, MemviewerError, NotFound, Problem
from tensorboard_plugin_memviewer.model.space import space_name
from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.service.oom import (
    MOST_TEXT,
    Evidence,
    ModuleMatch,
    OomReport,
    Search,
    match_listed,
    match_modules,
    parse_oom,
    refusal_of,
    what_ran_out,
)
from tensorboard_plugin_memviewer.units import format_bytes
from tensorboard_plugin_memviewer.visible import visible
from tensorboard_plugin_memviewer.vocabulary.headline import HEADLINE
from tensorboard_plugin_memviewer.wire import VERSION
from tensorboard_plugin_memviewer.wire.findings import findings_answer
from tensorboard_plugin_memviewer.wire.names import names_of
from tensorboard_plugin_memviewer.wire.problems import problem_records
from tensorboard_plugin_memviewer.wire.subject import Subject

EXAMPLES: Final = ("error.txt", "error.txt --dump dump_folder", "- < train.log")


_MOST_MATCHES = 5
_MOST_FINDINGS = 3
_LISTED_COLUMNS = (
    Column("RANK", right=True),
    Column(head("bytes"), right=True),
    Column(head("unpadded_bytes"), right=True),
    Column(head("shape"), shortens=True),
    Column("INSTRUCTION", shortens=True),
    Column("KIND"),
    Column("USED FOR", shortens=True),
    Column(head("op_name"), shortens=True),
    Column(head("source"), shortens=True),
)
_PART_COLUMNS = (Column("SUM"), Column("OF"), Column(head("bytes"), right=True))
_CHUNK = 2**20


def add(commands: Commands) -> None:
    """Add the command with its options."""
    parser = add_command(
        commands,
        "explain-oom",
        "Its numbers are matched to modules and buffers where there is a dump or capture to match with.",
        EXAMPLES,
    )
    parser.add_argument(
        "file", metavar="FILE", help="a file with the error's text, such as a log; - is stdin"
    )
    parser.add_argument(
        "--dump", metavar="PATH", help="XLA dump or capture of the program (default: FILE's folder)"
    )
    parser.add_argument("--top", type=count, default=10, help="number of buffers to show (default: 10)")
    add_format(parser)


def run(arguments: Namespace) -> int:
    """Print the explanation; UNUSABLE where the text is no out-of-memory error."""
    text = _read(arguments.file)
    report = parse_oom(text)
    if report is None:
        raise _refusal(arguments.file, text)
    search, problems = _search(report, arguments.file, arguments.dump)
    matches = search.matches if search is not None else []
    blamed = [(match, _blamed(match, arguments.top)) for match in matches[:_MOST_MATCHES]]
    lines = advice(report, search)
    if arguments.format == "json":
        # The list is about one program: the best match.
        fits = [match_listed(entry, matches[0]) if matches else [] for entry in report.listed]
        print_json(
            {
                "version": VERSION,
                "error": report_json(report, what_ran_out(report, next(iter(matches), None))),
                "listed": [
                    {**listed_json(entry), "buffers": rows}
                    for entry, rows in zip(report.listed, fits, strict=True)
                ],
                "matches": [
                    _match_json(match, largest, fits if at == 0 else [])
                    for at, (match, largest) in enumerate(blamed)
                ],
                "looked_at": None if search is None else search.looked_at,
                "advice": lines,
                "problems": problem_records(problems),
            }
        )
        return OK
    _print_words(report, arguments, blamed, lines, problems)
    return OK


def _read(file: str) -> str:
    """The text of a file or stdin; of a long one the end, where the error is that ended the program.

    Raises NotFound.
    """
    if file == "-":
        data = b""
        while chunk := sys.stdin.buffer.read(_CHUNK):
            data = (data + chunk)[-MOST_TEXT:]
    else:
        try:
            with Path(file).open("rb") as stream:
                stream.seek(0, 2)
                stream.seek(max(0, stream.tell() - MOST_TEXT))
                data = stream.read(MOST_TEXT)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise NotFound(
                f"{file} cannot be read: {reason}", "Give a file with the error's text, or -."
            ) from error
    return data.decode("utf-8", "replace")


def _refusal(file: str, text: str) -> BadParameter:
    """Why a text is no out-of-memory error."""
    if reason := refusal_of(text):
        return BadParameter(
            f"{file} has no out-of-memory error: {reason}",
            "RESOURCE_EXHAUSTED has other causes too. Give the text of an error that reports that memory"
            " ran out.",
        )
    where = "" if len(text) < MOST_TEXT else f" in its last {format_bytes(MOST_TEXT)}, which were read"
    return BadParameter(
        f"{file} has no out-of-memory error{where}",
        "Paste the whole message, starting at RESOURCE_EXHAUSTED; it is in the log of the failed process.",
    )


def _search(report: OomReport, file: str, dump: str | None) -> tuple[Search | None, list[Problem]]:
    """What the error fits, in the dump that was named or, where there is one, in the file's own folder."""
    folder = None if file == "-" else Path(file).absolute().parent
    if dump is None and (folder is None or not any(folder.glob("*after_optimizations*"))):
        return None, []
    try:
        with Progress() as progress:
            where = parse_location(dump).path if dump is not None else str(folder)
            search = match_modules(report, Service(where), progress.at)
    except MemviewerError as error:
        if dump is not None:
            raise
        return None, [error.as_problem()]
    return search, search.problems


def _blamed(match: ModuleMatch, top: int) -> list[int]:
    """The largest buffers alive at the peak, as rows of the usage's buffers."""
    rows: list[int] = largest_live_rows(match.usage, match.usage.headline.peak_point)[:top].tolist()
    return rows


def _print_words(
    report: OomReport,
    arguments: Namespace,
    blamed: list[tuple[ModuleMatch, list[int]]],
    lines: list[str],
    problems: list[Problem],
) -> None:
    markdown = arguments.format == "markdown"
    fit = safe_markdown if markdown else visible
    best = blamed[0][0] if blamed else None
    text = fit(sentence(report, what_ran_out(report, best)))
    print(f"# {text}" if markdown else styled(text, "red"))
    tables = []
    if sums := parts_shown(report):
        table = Table(_PART_COLUMNS)
        for part in sums:
            table.add(*part)
        tables.append(("totals listed in the error", table))
    if report.listed:
        tables.append(
            (
                f"largest allocations listed in the error ({len(report.listed)})",
                _listed(report, arguments.top),
            )
        )
    for match, rows in blamed:
        table = Table(TABLE_COLUMNS)
        for row in rows:
            table.add(*buffer_cells(buffer_facts(match.loaded.plan, match.usage, row)))
        tables.append((_title(match), table))
    if tables:
        print()
        print_tables(arguments.format, tables)
    for match, _ in blamed:
        _print_findings(match, markdown=markdown)
    if lines:
        print()
    for line in lines:
        print(f"- {fit(line)}")
    print_problems(problems)


def _print_findings(match: ModuleMatch, *, markdown: bool) -> None:
    """The most urgent findings of a module, if it has any."""
    fit = safe_markdown if markdown else visible
    findings = match.findings[:_MOST_FINDINGS]
    if findings:
        title = fit(f"what stands out in {match.summary.program.key}, and what to try")
        print(f"\n## {title}\n" if markdown else f"\n{styled(title, 'bold')}")
    for finding in findings:
        print(f"- {fit(f'{finding_title(finding)}. {finding.detail} {finding.advice}')}")


def _listed(report: OomReport, top: int) -> Table:
    table = Table(_LISTED_COLUMNS)
    for entry in report.listed[:top]:
        line = "" if entry.source_line is None else f":{entry.source_line}"
        table.add(
            str(entry.rank),
            shown(entry.size),
            shown(entry.unpadded),
            entry.shape,
            entry.instruction or ("" if entry.spills else entry.label),
            entry.kind,
            used_for(entry),
            entry.op_name,
            entry.source_file + line,
        )
    return table


def _title(match: ModuleMatch) -> str:
    why = "; ".join(
        f"the error names {found.text_says} {found.number}{_made_by(match, found)}"
        if found.bytes is None
        else f"its {_words(found.number)}, {found.bytes:,} B, matches the error's “{found.text_says}”"
        for found in match.evidence
    )
    headline = match.usage.headline
    where = f"{match.run} · {match.summary.program.key} · {space_name(match.space)}"
    if headline.peak_bytes == 0:
        return f"{where} ({why}); none of its buffers is there"
    peak = f"{format_bytes(headline.peak_bytes)} at point {headline.peak_point}"
    return f"{where} ({why}); its peak, {peak}, and the largest buffers there"


def _words(number: str) -> str:
    """Headline numbers that are added up, or another fact of the module, in words."""
    keys = number.split(" and ")
    return " and ".join(HEADLINE[key].word.lower() if key in HEADLINE else key for key in keys)


def _made_by(match: ModuleMatch, found: Evidence) -> str:
    """What a named instruction is of the user's program."""
    module = match.loaded.module
    if found.text_says != "instruction":
        return ""
    row = module.instructions.names.index(found.number)
    metadata = module.metadata[module.instructions.metadata[row]]
    source = source_of(module, metadata)
    parts = [part for part in (metadata.op_name, "" if source is None else source.text()) if part]
    return f", {' at '.join(parts)}" if parts else ""


def _match_json(match: ModuleMatch, largest: list[int], listed: list[list[int]]) -> Json:
    """The findings of the match, why it is one, and its largest buffers. `buffers` has all that are named."""
    names = names_of(match.summary.program, match.summary.hosts[0] or None)
    subject = Subject(names, match.loaded, match.usage, match.capacity)
    return {
        **findings_answer(subject, match.findings, also=(*largest, *chain(*listed))),
        "evidence": [
            {"text_says": found.text_says, "number": found.number, "bytes": found.bytes}
            for found in match.evidence
        ],
        "largest": largest,
    }
