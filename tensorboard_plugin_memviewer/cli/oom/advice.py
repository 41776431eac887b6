"""What to try after an out-of-memory error: the table's advice, and what the text and a dump add to it."""

from __future__ import annotations

from tensorboard_plugin_memviewer.cli.oom.advice_table import ROWS
from tensorboard_plugin_memviewer.cli.oom.words import block_of, shown
from tensorboard_plugin_memviewer.errors import DUMP_FLAGS
from tensorboard_plugin_memviewer.model.space import HBM
from tensorboard_plugin_memviewer.service.oom import (
    OomReport,
    Search,
    What,
    what_ran_out,
)

_DUMP = (
    f"Run again with {DUMP_FLAGS} (XLA writes its plan even if"
    " compilation fails), then: memviewer explain-oom FILE --dump DIR"
)
# Where the plan is the answer it comes first, where it may help, last; of the rest no plan knows.
_PLAN_FIRST = (What.PROGRAM, What.TEMPORARIES, What.OUTPUTS)
_PLAN_LAST = (
    *(What.SPARSECORE, What.LOAD, What.ALLOCATION, What.CONSTANT),
    *(What.KERNEL, What.COMPILER, What.ON_CHIP, What.WARNING, What.UNKNOWN),
)
_MOST_LOOKED_AT = 3


def advice(report: OomReport, search: Search | None) -> list[str]:
    """What to try next, most specific first, without what the findings of a matched module say better.

    `search` is what a dump was found to hold, None where there is none to look at.
    """
    match = search.matches[0] if search is not None and search.matches else None
    what = what_ran_out(report, match)
    lines = [] if search is None else _of_search(report, search, what)
    if search is None and what in _PLAN_FIRST:
        lines.append(_DUMP)
    lines.extend(_of_sums(report, what))
    lines.extend(_of_list(report, what))
    in_findings = match is not None and match.findings and what is What.PROGRAM and report.space == HBM
    if not in_findings:
        lines.extend(row.text for row in ROWS if row.holds(report, what))
    # A GPU's kernel is refused before the program has a plan.
    if search is None and what in _PLAN_LAST and not (what is What.KERNEL and report.platform == "gpu"):
        lines.append(_DUMP)
    return lines


def _of_sums(report: OomReport, what: What) -> list[str]:
    """A small program that does not fit is not what fills the device."""
    total = report.part("assignment", "total")
    if what is not What.ARRAYS or total is None:
        return []
    return [f"The whole program requires only {shown(total)}, so other data fills the device."]


def _of_list(report: OomReport, what: What) -> list[str]:
    """From the list of the largest allocations: the on-chip block to shrink, and spills."""
    if what not in (What.KERNEL, What.COMPILER):
        return []
    lines = []
    blocks = [(entry.size.bytes, entry) for entry in report.listed if entry.size and block_of(entry.tag)]
    if blocks:
        largest = max(blocks, key=lambda pair: pair[0])[1]
        whose = f" of {largest.instruction}" if largest.instruction else ""
        lines.append(f"The largest block{whose} takes {shown(largest.size)}: {block_of(largest.tag)}.")
    spills = next((entry for entry in report.listed if entry.spills), None)
    if spills is not None:
        size = f"{shown(spills.size)} of it" if spills.size is not None else "One of the allocations listed"
        whose = f" of {spills.instruction}" if spills.instruction else ""
        more = (
            "; smaller blocks, or fewer values in use at a time in the kernel's body, spill less"
            if what is What.KERNEL
            else ""
        )
        lines.append(f"{size} holds values that did not fit in the registers{whose} (spill slots){more}.")
    return lines


def _of_search(report: OomReport, search: Search, what: What) -> list[str]:
    """Why nothing that was looked at fits; or what the allocation that failed is of the module that does."""
    if not search.matches:
        return [_nothing_fits(report, search)]
    match, size = search.matches[0], report.failed.size if report.failed is not None else None
    name = match.summary.program.key
    if what is What.TEMPORARIES:
        return [f"The allocation that failed is all temporaries of {name}, in one block."]
    if what is What.OUTPUTS:
        return [f"The allocation that failed is the outputs of {name}."]
    if what is What.ALLOCATION and size is not None and all(found.bytes is None for found in match.evidence):
        return [
            f"The plan of {name} has no allocation of {shown(size)}: it may be of another version of the"
            " program, or the allocation is an array that is made outside of it."
        ]
    return []


def _nothing_fits(report: OomReport, search: Search) -> str:
    if not search.looked_at:
        return "The dump has no modules."
    names = ", ".join(search.looked_at[:_MOST_LOOKED_AT])
    count = len(search.looked_at)
    if count > _MOST_LOOKED_AT:
        names += f" and {count - _MOST_LOOKED_AT} more"
    failed, wanted = report.failed, []
    if report.module:
        wanted.append(f"is named {report.module}")
    instruction = failed.instruction if failed is not None else ""
    instruction = instruction or next((entry.instruction for entry in report.listed if entry.instruction), "")
    if instruction:
        wanted.append(f"has the instruction {instruction}")
    if report.required is not None:
        wanted.append(f"requires {shown(report.required)}")
    elif failed is not None and failed.size is not None:
        wanted.append(f"has an allocation of {shown(failed.size)}")
    if not wanted:
        return f"Looked at {names}: the error has no name or size that identifies the module."
    return f"Looked at {count} module{'s' * (count != 1)} ({names}): none {' or '.join(wanted)}."
