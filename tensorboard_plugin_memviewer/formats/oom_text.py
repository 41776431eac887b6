"""An out-of-memory error text, as pasted by a user, to the facts it states.

Facts only: what the text says, with the range of bytes each rounded figure stands for. Knows nothing of
modules; what the figures belong to is found elsewhere. Log prefixes, wrapped lines, wrappers of frameworks
and repeats are allowed.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace

from tensorboard_plugin_memviewer.formats.oom_clean import cleaned, collapsed
from tensorboard_plugin_memviewer.formats.oom_framework import framework_of
from tensorboard_plugin_memviewer.formats.oom_kinds import SPACES, Sentence, What, Wording
from tensorboard_plugin_memviewer.formats.oom_listing import (
    ListedAllocation,
    Part,
    parse_listing,
    parse_parts,
)
from tensorboard_plugin_memviewer.formats.oom_unknown import no_memory, platform_near, stated, unknown_error
from tensorboard_plugin_memviewer.formats.oom_wordings import SENTENCES
from tensorboard_plugin_memviewer.formats.printed_bytes import Amount, exactly, printed_amount
from tensorboard_plugin_memviewer.model import space as spaces

MOST_TEXT = 4 * 2**20
"""Characters that are read; of longer text, such as a log, the last so many: the last error counts."""

_FACT = re.compile(r"(\w{1,40}) ?= ?(?:'([^']{0,1000})'|([^\s,\]]{1,200}))", re.ASCII)
_TAG_INSTRUCTION = re.compile(
    r"scoped memory for %?([^\s'@{]{1,400})|output of %?([^\s'@{]{1,400})", re.ASCII
)
# Ends every error of a program that JAX runs.
_EXECUTABLE = re.compile(r"\[executable_name=['\"]?([^'\"\]]{1,400})", re.ASCII)
_MOST_BEHIND = 2000
"""Characters behind the sentence in which the program's name is looked for."""

_TENSOR = re.compile(r"\[([\d, ]{0,200})\] and type (\w{1,20})", re.ASCII)
_BITS = {"bool": 8, "half": 16, "bfloat16": 16, "float": 32, "double": 64, "complex64": 64, "complex128": 128}
_SIZED_TYPE = re.compile(r"(?:q?u?int|float)(\d{1,2})(?:_\w{1,12})?", re.ASCII)

_OF_DEVICE = (
    Wording.TPU_TOTAL,
    Wording.TPU_EARLY,
    Wording.TPU_MEMORY_SPACE,
    Wording.TPU_CORES,
    Wording.TPU_PROGRAM_LOAD,
    Wording.GPU_ASYNC,
)
# Their limit is passed together with what is there already, so nothing is known to be too much.
_POOLS = (What.HOST, What.DMA, What.SCRATCH, What.WARNING)


@dataclass(frozen=True, slots=True)
class FailedAllocation:
    """The one allocation that failed, where the text names it. Text is empty if it is not stated."""

    size: Amount | None
    shape: str
    instruction: str
    opcode: str
    tag: str
    name: str


@dataclass(frozen=True, slots=True)
class OomReport:
    """The facts in an out-of-memory text.

    `platform` is "tpu", "gpu", "cpu" or None; `when` is "compile", "load" or "run"; `what` ran out, as far as
    the sentence alone tells; `framework` is "jax", "tensorflow", "pytorch_xla", "pytorch" or None. `space` is
    the memory space's number, None if the text does not state it; `space_text` its name as printed.
    `required` is what the program needs in total, `failed` the one allocation that failed; `capacity` the
    limit, `free` what was left of it, `contiguous` the longest piece of that; `exceeded` is the excess over
    either. `listed` are the largest allocations and `parts` the sums, as the text lists them. `amounts` are
    all figures near an error in an unknown wording. `count` is how often the error stands in the text.
    """

    wording: Wording
    platform: str | None
    when: str
    what: What
    framework: str | None
    space: int | None
    space_text: str
    required: Amount | None
    capacity: Amount | None
    exceeded: Amount | None
    free: Amount | None
    contiguous: Amount | None
    failed: FailedAllocation | None
    module: str
    device: str
    parts: tuple[Part, ...]
    listed: tuple[ListedAllocation, ...]
    amounts: tuple[Amount, ...]
    count: int

    @property
    def needed(self) -> Amount | None:
        """What the program needs in all, else the size of the one allocation that failed."""
        return self.required or (self.failed.size if self.failed is not None else None)

    def part(self, section: str, name: str) -> Amount | None:
        """One of the sums, None where the text has none of that name."""
        return next(
            (part.amount for part in self.parts if (part.section, part.name) == (section, name)), None
        )

    def device_bytes(self, space: int) -> int | None:
        """What the device has of a memory space for a program, where the text says; not the limit of one
        kernel.
        """
        said = self.wording in _OF_DEVICE and self.space == space and self.capacity is not None
        return self.capacity.bytes if said and self.capacity is not None else None


def parse_oom(text: str) -> OomReport | None:
    """The report of the last out-of-memory error in `text`, None where there is none. Never raises."""
    lines = cleaned(text[-MOST_TEXT:])
    flat = collapsed(lines)
    found = _found(flat)
    if not found:
        return None
    match, sentence = max(found, key=lambda pair: (_rank(pair[1]), pair[0].start()))
    report = _report(match, sentence, flat)
    listed_space, listed = parse_listing(lines, _start_in(lines, match[0]))
    report = replace(report, listed=listed, count=sum(1 for _, other in found if other is sentence))
    if report.space is None and listed_space:
        report = replace(report, space=SPACES.get(listed_space.lower()), space_text=listed_space)
    return _with_exceeded(_with_companions(report, match, found))


def refusal_of(text: str) -> str | None:
    """What ran out instead of memory, in words, where `text` only looks like an out-of-memory error."""
    return no_memory(collapsed(cleaned(text[-MOST_TEXT:])))


def _found(flat: str) -> list[tuple[re.Match[str], Sentence]]:
    """Everything in the text that is in the table; else what looks like an error."""
    lower = flat.lower()
    found = [
        (match, sentence)
        for sentence in SENTENCES
        if sentence.key in lower
        for match in sentence.pattern.finditer(flat)
    ]
    if any(_what(match, sentence) is not What.WARNING for match, sentence in found):
        return found
    unknown = unknown_error(flat, [match for match, _ in found])
    return [unknown] if unknown is not None else found


def _rank(sentence: Sentence) -> int:
    """Errors before log lines, and errors with figures before the bare sentence that heads them."""
    return 0 if sentence.log else 1 if sentence.wording is Wording.TPU_STACK else 2


def _report(match: re.Match[str], sentence: Sentence, flat: str) -> OomReport:
    groups = {key.removesuffix("_too"): value for key, value in match.groupdict().items() if value}
    parts = parse_parts(flat)
    amounts: tuple[Amount, ...] = ()
    if sentence.wording is Wording.UNKNOWN:
        groups, amounts = stated(flat, match)
    required = printed_amount(groups.get("required"))
    sparse = printed_amount(groups.get("sparse"))
    if required is not None and sparse is not None:
        parts = (*parts, Part("usage", "TensorCore", required), Part("usage", "SparseCore", sparse))
        required = required + sparse
    space_text = groups.get("space") or _facts(groups).get("space", "")
    executable = _EXECUTABLE.search(flat, match.end(), match.end() + _MOST_BEHIND)
    return OomReport(
        wording=sentence.wording,
        platform=_platform(sentence, groups) or platform_near(flat, match),
        when=sentence.when,
        what=_what(match, sentence),
        framework=framework_of(flat, match.start(), match.end()),
        space=SPACES.get(space_text.lower(), sentence.space),
        space_text=space_text,
        required=required,
        capacity=printed_amount(groups.get("capacity")),
        exceeded=printed_amount(groups.get("exceeded")),
        free=printed_amount(groups.get("free")),
        contiguous=printed_amount(groups.get("contiguous")),
        failed=_failed(groups),
        module=groups.get("module") or (executable[1] if executable else ""),
        device=groups.get("device", ""),
        parts=parts,
        listed=(),
        amounts=amounts,
        count=1,
    )


def _what(match: re.Match[str], sentence: Sentence) -> What:
    return What.WARNING if match.groupdict().get("warning") else sentence.what


def _failed(groups: dict[str, str]) -> FailedAllocation | None:
    facts = _facts(groups)
    shape = groups.get("shape") or facts.get("shape", "")
    size = printed_amount(groups.get("requested")) or _tensor_size(shape)
    if size is None and not shape and "instruction" not in groups:
        return None
    tag = facts.get("tag", "")
    instruction = groups.get("instruction", "")
    if not instruction or instruction.startswith("<"):
        in_tag = _TAG_INSTRUCTION.search(tag)
        instruction = (in_tag[1] or in_tag[2]) if in_tag else ""
    opcode, name = groups.get("opcode", ""), groups.get("allocation", "").lstrip("#")
    return FailedAllocation(size, shape, instruction, opcode, tag, name)


def _tensor_size(shape: str) -> Amount | None:
    """The bytes of TensorFlow's "[16384,51200] and type half"."""
    tensor = _TENSOR.fullmatch(shape)
    if tensor is None:
        return None
    sized = _SIZED_TYPE.fullmatch(tensor[2])
    bits = _BITS.get(tensor[2]) or (int(sized[1]) if sized else None)
    dims = [int(dim) for dim in tensor[1].split(",") if dim.strip().isdecimal()]
    return None if bits is None else exactly(math.prod(dims) * bits // 8)


def _facts(groups: dict[str, str]) -> dict[str, str]:
    """`shape = '…', space=vmem, size = 0x8000000, tag = '…'` as a dict."""
    return {key: quoted or bare for key, quoted, bare in _FACT.findall(groups.get("facts", ""))}


def _platform(sentence: Sentence, groups: dict[str, str]) -> str | None:
    """TensorFlow's sentence is the same for every device and names it."""
    device = groups.get("device", "").upper()
    named = (name for name in ("TPU", "GPU", "CPU") if f":{name}:" in device)
    return sentence.platform or next((name.lower() for name in named), None)


def _start_in(text: str, collapsed_match: str) -> int:
    """Where the sentence stands in the text that keeps its lines; 0 where its first words wrap."""
    return max(0, text.rfind(collapsed_match[:24]))


def _with_companions(
    report: OomReport, match: re.Match[str], found: list[tuple[re.Match[str], Sentence]]
) -> OomReport:
    """What sentences beside the error add to it.

    A scoped allocation's error is two sentences, and the first names the instruction. An allocator's log line
    before the error tells which pool it is: the host's has the same error as the device's.
    """
    before = [(other, sentence) for other, sentence in found if other.start() < match.start()]
    stacks = [other for other, sentence in before if sentence.wording is Wording.TPU_STACK]
    if report.wording is Wording.TPU_SCOPED and report.failed is not None and stacks:
        head = stacks[-1]
        if head["instruction"]:
            failed = replace(
                report.failed,
                instruction=head["instruction"],
                shape=head["shape"] or "",
                opcode=head["opcode"] or "",
            )
            return replace(report, failed=failed)
    allocators = [other["device"] for other, sentence in before if sentence.wording is Wording.GPU_ALLOCATOR]
    if report.what is What.ALLOCATION and "host" in (allocators or [report.device])[-1].lower():
        return replace(report, what=What.HOST, space=spaces.HOST)
    return report


def _with_exceeded(report: OomReport) -> OomReport:
    """What is too much of the limit, or of what was free where the program did run."""
    missing = report.part("device", "available after request")
    if missing is not None and missing.bytes < 0:
        return replace(report, exceeded=exactly(-missing.bytes))
    left = report.contiguous or report.free if report.when != "compile" else report.capacity
    needed = report.needed
    if report.what in _POOLS or report.exceeded is not None or left is None or needed is None:
        return report
    # More than enough in all, but not in one piece: the device says no more of how much is missing.
    fits = report.contiguous is None and report.when != "compile" and left.low >= needed.high
    return replace(
        report,
        exceeded=None if fits else needed - left,
        what=What.FRAGMENTED if _in_pieces(report, needed) else report.what,
    )


def _in_pieces(report: OomReport, needed: Amount) -> bool:
    return report.when != "compile" and report.free is not None and report.free.low >= needed.high
