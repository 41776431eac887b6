"""Lists that follow an out-of-memory error: largest allocations (TPU), peak buffers (GPU), and sums.

Facts as printed, nothing matched to a module. A list may be whole, cut short, flattened to one line, or be
two years old; whatever is there is taken. One pass over the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tensorboard_plugin_memviewer.formats.printed_bytes import AMOUNT, Amount, exactly, printed_amount

MOST_LISTED = 1000
MOST_SUMS = 4000
"""Characters after a section's heading in which its sums are looked for."""

_HEADER = re.compile(
    r"Largest program (?:allocations|arguments and outputs) in (?P<space>\w{1,20}):?|Peak buffers:", re.ASCII
)
_FIELD = re.compile(
    r"(?:(?P<rank>\d{1,4})\\?\.\s{1,8})?(?P<label>Unpadded size|Size|Operator|Shape"
    r"|Extra memory due to padding|XLA [Ll]abel|Allocation type|Tag|Entry Parameter Subshape): ?"
    r"|(?P<end>={6,80})|Buffer (?P<number>\d{1,4}):",
    re.ASCII,
)
_METADATA = re.compile(r'(\w{1,40})=(?:"((?:[^"\\]|\\.)*)"|(\d{1,18}))', re.ASCII)
_LABEL = re.compile(r"%?([\w.:-]{1,400}) = (?:\(.*?\)|[a-z]\w*\[[^\s]*)? ?([a-z][\w-]*)\(", re.ASCII)
_SPILLS = re.compile(
    r"register allocator spill slots(?:.{0,80}? in HLO :: %?(?P<instruction>[\w.:-]{1,400}))?"
)

_SECTION = re.compile(
    rf"Total (?P<total>\w{{1,20}}) usage >= (?P<used>{AMOUNT})"
    rf"|Program (?P<program>\w{{1,20}}) requirement (?P<need>{AMOUNT})"
    r"|(?P<stats>BufferAssignment stats)|(?P<stop>Largest program|Peak buffers|Traceback)",
    re.ASCII,
)
_PART = re.compile(
    r"(?P<name>\b(?:reserved|program|arguments|output|global|scoped|HLO temp|overlays|constants?"
    r"|heap allocations|(?:parameter|constant|maybe_live_out|preallocated temp|total) allocation"
    r"|(?:preallocated temp|total) fragmentation))"
    rf"(?: ?\([^()]{{0,80}}\))?:? +(?P<amount>{AMOUNT})",
    re.ASCII,
)
_DEVICE = re.compile(
    r"(?P<name>Top-of-Memory reserved|Currently allocated|Program requirement|Available after request):"
    r" -?[\d.]{1,20}\w{1,4} \( ?(?P<amount>-?[\d,]{1,30}) bytes\)",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class ListedAllocation:
    """One entry of the list, as printed. Text is empty, amounts and numbers None where it lacks them.

    `spills` says that it holds what the registers could not, for the `instruction` if the text names one.
    """

    rank: int
    size: Amount | None
    unpadded: Amount | None
    padding: Amount | None
    shape: str
    op_name: str
    op_type: str
    source_file: str
    source_line: int | None
    label: str
    instruction: str
    opcode: str
    spills: bool
    kind: str
    tag: str


@dataclass(frozen=True, slots=True)
class Part:
    """One line of the sums: `section` is "device", "usage" (of it), "program" or "assignment" (GPU).

    The amount is below zero for what is missing after a request.
    """

    section: str
    name: str
    amount: Amount


@dataclass(slots=True)
class _Entry:
    rank: int | None = None
    fields: dict[str, str] = field(default_factory=dict)


def parse_listing(text: str, start: int) -> tuple[str, tuple[ListedAllocation, ...]]:
    """The memory space and entries of the list that follows position `start`, else of the last before.

    ("", ()) where there is none. `text` keeps its line ends: a value ends with its line or where the next
    field begins.
    """
    headers = list(_HEADER.finditer(text))
    if not headers:
        return "", ()
    chosen = next((at for at, header in enumerate(headers) if header.start() >= start), len(headers) - 1)
    end = headers[chosen + 1].start() if chosen + 1 < len(headers) else len(text)
    entries = _entries(text[headers[chosen].end() : end])
    listed = (_listed(at, entry) for at, entry in enumerate(entries, start=1))
    return headers[chosen]["space"] or "", tuple(listed)


def parse_parts(collapsed: str) -> tuple[Part, ...]:
    """The sums in their order, from text with its white space collapsed; repeats are taken once."""
    parts: dict[tuple[str, str], Part] = {}
    for match in _DEVICE.finditer(collapsed):
        amount = exactly(int(match["amount"].replace(",", "") or 0))
        name = match["name"].lower()
        parts.setdefault(("device", name), Part("device", name, amount))
    for section, name, text in _named_amounts(collapsed):
        if (printed := printed_amount(text)) is not None:
            parts.setdefault((section, name), Part(section, name, printed))
    return tuple(parts.values())


def _named_amounts(collapsed: str) -> Iterator[tuple[str, str, str | None]]:
    sections = list(_SECTION.finditer(collapsed))
    for at, section in enumerate(sections):
        if section["stop"]:
            continue
        name = "usage" if section["total"] else "program" if section["program"] else "assignment"
        yield name, "total", section["used"] or section["need"]
        end = sections[at + 1].start() if at + 1 < len(sections) else len(collapsed)
        for match in _PART.finditer(collapsed, section.end(), min(end, section.end() + MOST_SUMS)):
            yield name, match["name"].removesuffix(" allocation"), match["amount"]


def _entries(text: str) -> list[_Entry]:
    """Split into entries: one ends at a rule of equal signs, or where a field comes a second time."""
    entries: list[_Entry] = []
    entry = _Entry()
    matches = list(_FIELD.finditer(text))
    for at, match in enumerate(matches):
        label = (match["label"] or "").lower()
        if match["end"] or match["number"] or label in entry.fields:
            if entry.fields:
                entries.append(entry)
            entry = _Entry(int(match["number"]) if match["number"] else None)
            if len(entries) >= MOST_LISTED:
                return entries
        if label:
            stop = matches[at + 1].start() if at + 1 < len(matches) else len(text)
            entry.fields[label] = text[match.end() : stop].split("\n", 1)[0].strip()
            entry.rank = int(match["rank"]) if match["rank"] else entry.rank
    return [*entries, entry] if entry.fields else entries


def _listed(position: int, entry: _Entry) -> ListedAllocation:
    fields = entry.fields
    metadata = {
        key: quoted or number for key, quoted, number in _METADATA.findall(fields.get("operator", ""))
    }
    label = fields.get("xla label", "")
    named = _LABEL.match(label[:4000])
    spills = _SPILLS.match(label[:4000])
    line = metadata.get("source_line", "")
    return ListedAllocation(
        rank=position if entry.rank is None else entry.rank,
        size=printed_amount(_first_word(fields.get("size"))),
        unpadded=printed_amount(_first_word(fields.get("unpadded size"))),
        padding=printed_amount(_first_word(fields.get("extra memory due to padding"))),
        shape=fields.get("shape") or fields.get("entry parameter subshape", ""),
        op_name=metadata.get("op_name", ""),
        op_type=metadata.get("op_type", ""),
        source_file=metadata.get("source_file", ""),
        source_line=int(line) if line.isdecimal() else None,
        label=label,
        instruction=named[1] if named else (spills["instruction"] or "") if spills else "",
        spills=spills is not None,
        opcode=named[2] if named else label if re.fullmatch(r"[a-z][\w-]{0,40}", label) else "",
        kind=_kind(fields),
        tag=fields.get("tag", ""),
    )


def _kind(fields: dict[str, str]) -> str:
    return "entry parameter" if "entry parameter subshape" in fields else fields.get("allocation type", "")


def _first_word(text: str | None) -> str | None:
    return text.split(" ", 1)[0] if text else None
