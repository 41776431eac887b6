"""An out-of-memory error text, as pasted by a user, to the facts it states.

Facts only: what the text says, with the range of bytes each rounded figure stands for. Knows nothing of
modules; what the figures belong to is found elsewhere. Log prefixes, wrapped lines, wrappers of frameworks
and repeats are allowed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tensorboard_plugin_memviewer.formats.oom_listing import (
    ListedAllocation,
    Part,
    parse_listing,
    parse_parts,
)
from tensorboard_plugin_memviewer.formats.oom_wordings import SENTENCES, Sentence, Wording
from tensorboard_plugin_memviewer.formats.printed_bytes import Amount, printed_amount
from tensorboard_plugin_memviewer.model import space as spaces

MOST_TEXT = 4 * 2**20
"""Characters that are read; of longer text, such as a log, the last so many: the last error counts."""

# Two forms seen in pasted logs: a worker's tag with an optional Python logger's header, and that of C++ logs.
_LOG_PREFIX = re.compile(
    r"^(?:\(\w{1,40} pid=\d{1,10}(?:, [^)\n]{1,80})?\) ?)?"
    r"(?:[A-Z]{4,8} \d\d-\d\d \d\d:\d\d:\d\d \[[^\]\n]{1,80}\] ?)?"
    r"(?:(?:\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{1,9}: )?[EWIF] ?(?:\d{4} \d\d:\d\d:\d\d\.\d{1,9})?"
    r"[ \t]{0,12}\d{0,10} [\w./-]{1,200}:\d{1,6}\] )?",
    re.MULTILINE | re.ASCII,
)
_BLANKS = re.compile(r"[ \t\r\f\v]*\n[ \t\r\f\v\n]*|[ \t\r\f\v]+")
_FACT = re.compile(r"(\w{1,40}) ?= ?(?:'([^']{0,1000})'|([^\s,\]]{1,200}))", re.ASCII)
_TAG_INSTRUCTION = re.compile(
    r"scoped memory for %?([^\s'@{]{1,400})|output of %?([^\s'@{]{1,400})", re.ASCII
)

# XLA's error texts name the hardware's memories, not what is in the list that its memory reports print.
_SPACES = {
    "hbm": spaces.HBM,
    "vmem": spaces.VMEM,
    "sflag": spaces.SFLAG,
    "cmem": spaces.CMEM,
    "smem": spaces.SMEM,
    "host": spaces.HOST,
}

_OF_DEVICE = (Wording.TPU_TOTAL, Wording.TPU_MEMORY_SPACE, Wording.TPU_CORES, Wording.TPU_PROGRAM_LOAD)


@dataclass(frozen=True, slots=True)
class FailedAllocation:
    """The one allocation that failed, where the text names it. Text is empty where it is not said."""

    size: Amount | None
    shape: str
    instruction: str
    opcode: str
    tag: str
    name: str


@dataclass(frozen=True, slots=True)
class OomReport:
    """What an out-of-memory text says.

    `platform` is "tpu", "gpu", "cpu" or None; `when` is "compile", "load" or "run". `space` is the memory
    space's number, None where the text does not say; `space_text` its name as printed. `required` is what the
    program needs in all, `failed` the one allocation that failed; `capacity` the limit, `free` what was left
    of it. `listed` are the largest allocations and `parts` the sums, as the text lists them. `count` is how
    often the error stands in the text.
    """

    wording: Wording
    platform: str | None
    when: str
    space: int | None
    space_text: str
    required: Amount | None
    capacity: Amount | None
    exceeded: Amount | None
    free: Amount | None
    failed: FailedAllocation | None
    module: str
    device: str
    parts: tuple[Part, ...]
    listed: tuple[ListedAllocation, ...]
    count: int

    def device_bytes(self, space: int) -> int | None:
        """What the device has of a memory space for a program, where the text says; not the limit of one
        kernel.
        """
        said = self.wording in _OF_DEVICE and self.space == space and self.capacity is not None
        return self.capacity.bytes if said and self.capacity is not None else None


def parse_oom(text: str) -> OomReport | None:
    """The report of the last out-of-memory error in `text`, None where there is none. Never raises."""
    stripped = _LOG_PREFIX.sub("", text[-MOST_TEXT:])
    collapsed = _BLANKS.sub(" ", stripped)
    found = [(match, sentence) for sentence in SENTENCES for match in sentence.pattern.finditer(collapsed)]
    if not found:
        return None
    match, sentence = max(found, key=lambda pair: (_rank(pair[1]), pair[0].start()))
    count = sum(1 for _, other in found if other is sentence)
    report = _report(match, sentence, count, parse_parts(collapsed))
    listed_space, listed = parse_listing(stripped, _start_in(stripped, match[0]))
    report = replace(report, listed=listed)
    if report.space is None and listed_space:
        report = replace(report, space=_SPACES.get(listed_space.lower()), space_text=listed_space)
    return _with_stack(report, found)


def _rank(sentence: Sentence) -> int:
    """Errors before log lines, and errors with figures before the bare sentence that heads them."""
    return 0 if sentence.log else 1 if sentence.wording is Wording.TPU_STACK else 2


def _report(match: re.Match[str], sentence: Sentence, count: int, parts: tuple[Part, ...]) -> OomReport:
    groups = {key: value for key, value in match.groupdict().items() if value}
    required, capacity = printed_amount(groups.get("required")), printed_amount(groups.get("capacity"))
    sparse = printed_amount(groups.get("sparse"))
    if required is not None and sparse is not None:
        parts = (*parts, Part("usage", "TensorCore", required), Part("usage", "SparseCore", sparse))
        required = required + sparse
    failed = _failed(groups)
    needed = required if required is not None else failed.size if failed else None
    exceeded = printed_amount(groups.get("exceeded"))
    if exceeded is None and needed is not None and capacity is not None:
        exceeded = needed - capacity
    space_text = groups.get("space") or _facts(groups).get("space", "")
    return OomReport(
        wording=sentence.wording,
        platform=_platform(sentence, groups),
        when=sentence.when,
        space=_SPACES.get(space_text.lower()) if space_text else _default_space(sentence),
        space_text=space_text,
        required=required,
        capacity=capacity,
        exceeded=exceeded,
        free=printed_amount(groups.get("free")),
        failed=failed,
        module=groups.get("module", ""),
        device=groups.get("device", ""),
        parts=parts,
        listed=(),
        count=count,
    )


def _failed(groups: dict[str, str]) -> FailedAllocation | None:
    facts = _facts(groups)
    size = printed_amount(groups.get("requested"))
    shape = groups.get("shape") or facts.get("shape", "")
    if size is None and not shape and "instruction" not in groups:
        return None
    tag = facts.get("tag", "")
    instruction = groups.get("instruction", "")
    if not instruction or instruction.startswith("<"):
        in_tag = _TAG_INSTRUCTION.search(tag)
        instruction = (in_tag[1] or in_tag[2]) if in_tag else ""
    opcode, name = groups.get("opcode", ""), groups.get("allocation", "").lstrip("#")
    return FailedAllocation(size, shape, instruction, opcode, tag, name)


def _facts(groups: dict[str, str]) -> dict[str, str]:
    """`shape = '…', space=vmem, size = 0x8000000, tag = '…'` as a dict."""
    return {key: quoted or bare for key, quoted, bare in _FACT.findall(groups.get("facts", ""))}


def _platform(sentence: Sentence, groups: dict[str, str]) -> str | None:
    if sentence.wording is not Wording.TENSORFLOW_TENSOR:
        return sentence.platform
    device = groups.get("device", "").upper()
    return next((name.lower() for name in ("TPU", "GPU", "CPU") if f":{name}:" in device), None)


def _default_space(sentence: Sentence) -> int | None:
    """Errors of a GPU's or the CPU's allocator are about the device's own memory without naming it."""
    on_chip = sentence.wording is Wording.GPU_SHARED_MEMORY
    return spaces.HBM if sentence.platform in ("gpu", "cpu") and not on_chip else None


def _start_in(text: str, collapsed_match: str) -> int:
    """Where the sentence stands in the text that keeps its lines; 0 where its first words wrap."""
    return max(0, text.rfind(collapsed_match[:24]))


def _with_stack(report: OomReport, found: list[tuple[re.Match[str], Sentence]]) -> OomReport:
    """A scoped allocation's error is two sentences: take the instruction from the one that heads it."""
    stacks = [
        match for match, sentence in found if sentence.wording is Wording.TPU_STACK and match["instruction"]
    ]
    if report.wording is not Wording.TPU_SCOPED or report.failed is None or not stacks:
        return report
    head = stacks[-1]
    failed = replace(
        report.failed, instruction=head["instruction"], shape=head["shape"] or "", opcode=head["opcode"] or ""
    )
    return replace(report, failed=failed)
