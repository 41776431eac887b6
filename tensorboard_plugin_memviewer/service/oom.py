"""An out-of-memory report held against the modules of a logdir: which of them it is about, and which buffers
it names.

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
from tensorboard_plugin_memviewer.formats.oom_listing import ListedAllocation
from tensorboard_plugin_memviewer.formats.oom_text import OomReport, parse_oom
from tensorboard_plugin_memviewer.formats.oom_wordings import Wording
from tensorboard_plugin_memviewer.formats.printed_bytes import Amount
from tensorboard_plugin_memviewer.model.module import Module
from tensorboard_plugin_memviewer.model.space import HBM
from tensorboard_plugin_memviewer.service.loaded import LoadedModule
from tensorboard_plugin_memviewer.service.service import ModuleSummary, Service

__all__ = [
    "Amount",
    "Evidence",
    "ListedAllocation",
    "ModuleMatch",
    "OomReport",
    "Wording",
    "match_listed",
    "match_modules",
    "parse_oom",
]

# Below this a figure fits too many modules to tell anything.
_TELLING = 4096

# What a sum of the text is called in docs/numbers.md: the first line that fits, its numbers added up.
_Lines = tuple[tuple[str, ...], ...]
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
    """One figure or name of the text that fits a module: what the text says, and our number and bytes."""

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


def match_modules(
    report: OomReport, service: Service, tell: Callable[[int, int, str], None] | None = None
) -> tuple[list[ModuleMatch], list[Problem]]:
    """The modules that fit the report, most evidence and largest first; and what could not be read.

    `tell` is told how many runs of how many are done, and which is next.
    """
    matches: list[ModuleMatch] = []
    listing = service.runs()
    problems = list(listing.problems)
    for at, run in enumerate(listing.runs):
        if tell is not None:
            tell(at, len(listing.runs), run.name)
        answer = service.modules(run.name)
        problems.extend(answer.problems)
        for summary in answer.modules:
            problems.extend(summary.problems)
            matches.extend(_match(report, service, run.name, summary))
    matches.sort(key=lambda match: (len(match.evidence), match.usage.headline.required_bytes), reverse=True)
    return matches, problems


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
        capacity = known if said is None else Capacity(said, "what the error says")
        return ModuleMatch(run, summary, loaded, space, capacity, evidence)

    for space in summary.spaces:
        if report.space in (None, space.color):
            evidence = tuple(_evidence(report, summary, loaded, space.color, space.headline))
            # Where no space is known, a name alone is no reason to show every one of them.
            by_name = report.space is None and all(found.bytes is None for found in evidence)
            if evidence and not (by_name and space.color != HBM):
                yield match(space.color, evidence)
    if report.space is not None and report.space not in {space.color for space in summary.spaces}:
        named = tuple(_named(report, loaded.module))
        if named:
            yield match(report.space, named)


def _evidence(
    report: OomReport, summary: ModuleSummary, loaded: LoadedModule, space: int, headline: Headline
) -> Iterator[Evidence]:
    numbers = headline.as_dict()
    if report.required is not None:
        yield from _fits("needed in all", report.required, numbers, _PART_NUMBERS["program", "total"])
    for part in report.parts:
        lines = _PART_NUMBERS.get((part.section, part.name), ())
        yield from _fits(f"{part.section} {part.name}", part.amount, numbers, lines)
    if report.module and report.module == summary.program.name:
        yield Evidence("module", report.module, None)
    yield from _named(report, loaded.module)
    yield from _largest_listed(report, loaded.module, loaded.usage(space))
    failed = report.failed
    if failed is not None and failed.size is not None and failed.size.bytes >= _TELLING:
        yield from _failed_allocation(failed.size, loaded.module, space)


def _named(report: OomReport, module: Module) -> Iterator[Evidence]:
    """The instruction that could not have its memory, whether or not the plan has any of that space."""
    failed = report.failed
    if failed is not None and failed.instruction and failed.instruction in module.instructions.names:
        yield Evidence("instruction", failed.instruction, None)


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


def _failed_allocation(size: Amount, module: Module, space: int) -> Iterator[Evidence]:
    """An allocation of the module, or a buffer, of the size that could not be had."""
    allocations = module.allocations
    in_space = allocations.space == space
    fits = in_space & (allocations.size >= size.low) & (allocations.size <= size.high)
    for row in np.nonzero(fits)[0][:1].tolist():
        yield Evidence(
            "failed allocation", f"allocation {int(allocations.index[row])}", int(allocations.size[row])
        )


def _name(module: Module, buffer: int) -> str:
    instruction = int(module.buffers.instruction[buffer])
    return module.instructions.names[instruction] if instruction >= 0 else ""


def _has_shape(module: Module, buffer: int, text: str) -> bool:
    shape = module.shapes[module.buffers.shape[buffer]]
    return text in (shape.text(), shape.text(layout=False))
