"""Matches an out-of-memory report with the modules of a logdir, and with their buffers.

Printed figures are rounded, so a match says what matched and is never more than that; several modules may
match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tensorboard_plugin_memviewer.analysis.capacity import Capacity
from tensorboard_plugin_memviewer.analysis.findings import Finding, find_findings
from tensorboard_plugin_memviewer.analysis.usage import Headline, SpaceUsage
from tensorboard_plugin_memviewer.errors import MemviewerError, Problem
from tensorboard_plugin_memviewer.formats.oom_kinds import What, Wording
from tensorboard_plugin_memviewer.formats.oom_listing import ListedAllocation, Part
from tensorboard_plugin_memviewer.formats.oom_text import MOST_TEXT, OomReport, parse_oom, refusal_of
from tensorboard_plugin_memviewer.formats.printed_bytes import Amount
from tensorboard_plugin_memviewer.model.module import AllocationType, Module
from tensorboard_plugin_memviewer.model.space import HBM
from tensorboard_plugin_memviewer.service.loaded import LoadedModule
from tensorboard_plugin_memviewer.service.oom_cause import is_of_kernel, ran_out
from tensorboard_plugin_memviewer.service.service import ModuleSummary, Service

__all__ = [
    "MOST_TEXT",
    "Amount",
    "Evidence",
    "ListedAllocation",
    "ModuleMatch",
    "OomReport",
    "Part",
    "Search",
    "What",
    "Wording",
    "is_of_kernel",
    "match_listed",
    "match_modules",
    "parse_oom",
    "refusal_of",
    "what_ran_out",
]

# Below this a figure matches too many modules to be useful.
_TELLING = 4096
# Listed instructions that are looked up in a module; the first are enough.
_MOST_NAMED = 10
_FAILED = "failed allocation"

# What a sum of the text is called in docs/numbers.md: the first line that fits, its numbers added up.
_Lines = tuple[tuple[str, ...], ...]
_BLOCKS: _Lines = (("temporary_bytes",), ("output_bytes", "aliased_bytes"), ("output_bytes",))
_PART_NUMBERS: dict[tuple[str, str], _Lines] = {
    # Older compilers refuse a program for its temporaries before they count the rest.
    ("program", "total"): (("required_bytes",), ("allocated_bytes",), ("temporary_bytes",)),
    ("program", "HLO temp"): (("temporary_bytes",),),
    ("assignment", "preallocated temp"): (("temporary_bytes",),),
    ("assignment", "parameter"): (("argument_bytes",),),
    ("assignment", "constant"): (("constant_bytes",),),
    # XLA counts a donated argument as live out as well.
    ("assignment", "maybe_live_out"): (("output_bytes", "aliased_bytes"),),
    ("assignment", "total"): (("allocated_bytes",),),
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """One figure or name of the text that fits a module: the words of the text, and our number and bytes."""

    text_says: str
    number: str
    bytes: int | None


@dataclass(frozen=True)
class ModuleMatch:
    """A module and memory space that the report may be about, with why. Best first in a list of them."""

    run: str
    summary: ModuleSummary
    loaded: LoadedModule
    space: int
    capacity: Capacity
    evidence: tuple[Evidence, ...]

    @property
    def usage(self) -> SpaceUsage:
        """The usage of the memory space."""
        return self.loaded.usage(self.space)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What stands out in the memory space, the most urgent first."""
        return find_findings(self.loaded.plan, self.usage, self.loaded.readers, self.capacity)


@dataclass(frozen=True, slots=True)
class Search:
    """The modules that fit a report, most evidence and largest first; the names of all that were looked at,
    and what could not be read.
    """

    matches: list[ModuleMatch]
    looked_at: list[str]
    problems: list[Problem]


def what_ran_out(report: OomReport, match: ModuleMatch | None) -> What:
    """What ran out, by the text and the module that matches it best."""
    found = () if match is None else match.evidence
    return ran_out(report, [evidence.number for evidence in found if evidence.text_says == _FAILED])


def match_modules(
    report: OomReport, service: Service, tell: Callable[[int, int, str], None] | None = None
) -> Search:
    """Hold a report against all modules of a logdir.

    `tell` receives the number of runs that are done, their total, and the next one.
    """
    matches: list[ModuleMatch] = []
    looked_at: list[str] = []
    listing = service.runs()
    problems = list(listing.problems)
    for at, run in enumerate(listing.runs):
        if tell is not None:
            tell(at, len(listing.runs), run.name)
        answer = service.modules(run.name)
        problems.extend(answer.problems)
        for summary in answer.modules:
            problems.extend(summary.problems)
            looked_at.append(summary.program.key)
            matches.extend(_match(report, service, run.name, summary))
    matches.sort(key=lambda match: (len(match.evidence), match.usage.headline.required_bytes), reverse=True)
    return Search(matches, looked_at, problems)


def match_listed(listed: ListedAllocation, match: ModuleMatch) -> list[int]:
    """Rows of `match.usage.buffers` that an entry fits: by instruction and size, else by shape and size."""
    table, module = match.usage.buffers, match.loaded.module
    rows = _of_size(listed, match.usage)
    named = [row for row in rows if _name(module, table.buffer[row]) == listed.instruction]
    if listed.instruction and named:
        return named
    return [row for row in rows if listed.shape and _has_shape(module, int(table.buffer[row]), listed.shape)]


def _of_size(listed: ListedAllocation, usage: SpaceUsage) -> list[int]:
    table, size = usage.buffers, listed.size
    if size is None:
        return []
    fits = table.represents & (table.buffer >= 0) & (table.size >= size.low) & (table.size <= size.high)
    return [int(row) for row in np.nonzero(fits)[0]]


def _match(report: OomReport, service: Service, run: str, summary: ModuleSummary) -> Iterator[ModuleMatch]:
    if summary.digest is None:
        return
    try:
        loaded = service.load(run, summary.hosts[0], summary.program.key)[1]
    except MemviewerError:
        return  # Gone since it was listed.

    def match(space: int, evidence: tuple[Evidence, ...]) -> ModuleMatch:
        said = report.device_bytes(space)
        known = service.capacity(summary.program, space)
        capacity = known if said is None else Capacity(said, "from the error")
        return ModuleMatch(run, summary, loaded, space, capacity, evidence)

    for space in summary.spaces:
        if report.space in (None, space.color):
            evidence = tuple(_evidence(report, summary, loaded, space.color, space.headline))
            # Where no space is known, a name alone is no reason to show every one of them.
            by_name = report.space is None and all(found.bytes is None for found in evidence)
            if evidence and not (by_name and space.color != HBM):
                yield match(space.color, evidence)
    if report.space is not None and report.space not in {space.color for space in summary.spaces}:
        named = (*_named(report, summary, loaded.module), *_all_listed(report, loaded.module))
        if named:
            yield match(report.space, named)


def _evidence(
    report: OomReport, summary: ModuleSummary, loaded: LoadedModule, space: int, headline: Headline
) -> Iterator[Evidence]:
    numbers = headline.as_dict()
    if report.required is not None:
        yield from _fits("total needed", report.required, numbers, _PART_NUMBERS["program", "total"])
    for part in report.parts:
        lines = _PART_NUMBERS.get((part.section, part.name), ())
        yield from _fits(f"{part.section} {part.name}", part.amount, numbers, lines)
    yield from _named(report, summary, loaded.module)
    largest = list(_largest_listed(report, loaded.module, loaded.usage(space)))
    yield from largest or _all_listed(report, loaded.module)
    failed = report.failed
    if failed is not None and failed.size is not None and failed.size.bytes >= _TELLING:
        yield from _failed_allocation(failed.size, loaded.module, space, numbers)


def _named(report: OomReport, summary: ModuleSummary, module: Module) -> Iterator[Evidence]:
    """The module and its instructions that the text names, whether or not the plan has any of that space."""
    if report.module and report.module in (summary.program.name, module.name):
        yield Evidence("module", report.module, None)
    failed = report.failed
    if failed is not None and failed.instruction and failed.instruction in module.instructions.names:
        yield Evidence("instruction", failed.instruction, None)


def _all_listed(report: OomReport, module: Module) -> Iterator[Evidence]:
    """The first instruction of the list, where the module has all of those that come first.

    One name alone, such as fusion.1, many modules have; so where the text names the operation, it counts.
    """
    if report.failed is not None and report.failed.instruction:
        return  # It is more specific than a list.
    named = [entry for entry in report.listed if entry.instruction][:_MOST_NAMED]
    if named and all(_is_there(entry, module) for entry in named):
        yield Evidence("instruction", named[0].instruction, None)


def _is_there(entry: ListedAllocation, module: Module) -> bool:
    names = module.instructions.names
    if entry.instruction not in names:
        return False
    op_name = module.metadata[module.instructions.metadata[names.index(entry.instruction)]].op_name
    return not entry.op_name or not op_name or entry.op_name == op_name


def _largest_listed(report: OomReport, module: Module, usage: SpaceUsage) -> Iterator[Evidence]:
    """The first entry of the list, where a buffer of the same size has the name of its instruction."""
    for entry in report.listed[:1]:
        if entry.size is None or entry.size.bytes < _TELLING or not entry.instruction:
            continue
        for row in _of_size(entry, usage):
            if _name(module, usage.buffers.buffer[row]) == entry.instruction:
                size = int(usage.buffers.size[row])
                yield Evidence("largest allocation", f"buffer {entry.instruction}", size)
                return


def _fits(what: str, amount: Amount, numbers: dict[str, int], lines: _Lines) -> Iterator[Evidence]:
    """The first of the numbers, or sums of numbers, that the printed amount can stand for."""
    if amount.bytes < _TELLING:
        return
    for names in lines:
        size = sum(numbers[name] for name in names)
        if amount.admits(size):
            yield Evidence(what, " and ".join(names), size)
            return


def _failed_allocation(
    size: Amount, module: Module, space: int, numbers: dict[str, int]
) -> Iterator[Evidence]:
    """All temporaries or all outputs, else an allocation of the size that could not be had."""
    blocks = list(_fits(_FAILED, size, numbers, _BLOCKS))
    if blocks:
        yield from blocks
        return
    allocations = module.allocations
    in_space = allocations.space == space
    fits = in_space & (allocations.size >= size.low) & (allocations.size <= size.high)
    for row in np.nonzero(fits)[0][:1].tolist():
        kind = AllocationType(int(allocations.type[row])).label.lower()
        yield Evidence(
            _FAILED, f"{kind} allocation {int(allocations.index[row])}", int(allocations.size[row])
        )


def _name(module: Module, buffer: int) -> str:
    instruction = int(module.buffers.instruction[buffer])
    return module.instructions.names[instruction] if instruction >= 0 else ""


def _has_shape(module: Module, buffer: int, text: str) -> bool:
    shape = module.shapes[module.buffers.shape[buffer]]
    return text in (shape.text(), shape.text(layout=False))
