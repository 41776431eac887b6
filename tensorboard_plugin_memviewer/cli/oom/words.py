"""An out-of-memory report in words (one sentence, and its sums) and as JSON."""

from __future__ import annotations

import re
from dataclasses import asdict

from tensorboard_plugin_memviewer.cli.output import Json
from tensorboard_plugin_memviewer.model.space import HBM, HOST, space_name
from tensorboard_plugin_memviewer.service.oom import (
    Amount,
    ListedAllocation,
    OomReport,
    What,
    Wording,
)
from tensorboard_plugin_memviewer.units import format_bytes

_PLATFORMS = {"tpu": "TPU", "gpu": "GPU", "cpu": "CPU"}
_WHEN = {
    "compile": "the compiler refused the program",
    "load": "the compiled program did not fit beside what is in memory already",
    "run": "an allocation failed while the program ran",
}
# Where the time alone would say too little or too much.
_HEADS = {
    What.KERNEL: "the compiler refused a kernel of the program",
    What.TEMPORARIES: "the block with all temporaries of a program could not be allocated as it started",
    What.OUTPUTS: "the outputs of a program could not be allocated as it started",
    What.HOST: "an allocation in the host's memory for transfers failed",
    What.DMA: "host memory could not be mapped for the device",
    What.PROCESS: "the memory of the host ran out",
    What.DRIVER: "the GPU's driver had no memory left",
    What.CODE: "the code of a program could not be loaded",
    What.COMMAND_BUFFERS: "the driver had no memory for command buffers",
    What.COLLECTIVES: "the buffers of a collective operation could not be allocated",
    What.CONSTANT: "a constant of the program could not be allocated",
    What.SCRATCH: "an algorithm found no memory to work in",
    What.UNIFIED: "unified memory, of GPU and host, ran out",
    What.TORCH: "PyTorch's own allocator ran out of memory",
    What.UNKNOWN: "out of memory; this wording is new here",
    What.FRAGMENTED: "no piece of the free memory is long enough",
}
_NAMES = {Wording.GPU_SHARED_MEMORY: "shared memory", Wording.GPU_TENSOR_MEMORY: "tensor memory"}
_SECTIONS = {
    "device": "the device",
    "usage": "all use",
    "program": "the program",
    "assignment": "the program",
}
_BLOCK = re.compile(
    r"window allocation for operator (?P<of>\w{1,20} \d{1,4})\b"
    r".{0,20}?window shape is (?P<block>\w+\[[\d,]*\])"
    r".{0,40}?full shape is (?P<full>\w+\[[\d,]*\])(?:.{0,200}?(?P<buffers>\w{1,20}) buffered)?",
    re.ASCII,
)


def shown(amount: Amount | None) -> str:
    """An amount with a sign where the text rounded it."""
    if amount is None:
        return ""
    return f"{'≈ ' if amount.approximate else ''}{format_bytes(amount.bytes)}"


def sentence(report: OomReport, what: What) -> str:
    """The error in one sentence; `what` is what ran out."""
    where = _PLATFORMS.get(report.platform or "", "")
    head = _warning(report) if what is What.WARNING else _HEADS.get(what, _WHEN[report.when])
    if report.wording is Wording.UNKNOWN and what is not What.UNKNOWN:
        head = _HEADS[What.UNKNOWN]
    memory = _memory(report)
    parts = [f"{where}: {head}".removeprefix(": ")]
    if report.required is not None:
        parts.append(f"{shown(report.required)} of {memory} are required")
    elif report.failed is not None and report.failed.size is not None:
        who = f" by {report.failed.instruction}" if report.failed.instruction else ""
        parts.append(f"{shown(report.failed.size)} of {memory} were asked for{who}")
    elif memory != "memory":
        parts.append(f"it is {memory} that ran out")
    if report.capacity is not None:
        goal = (
            "are its target" if what is What.WARNING else "are allowed" if what is What.HOST else "are there"
        )
        parts.append(f"{shown(report.capacity)} {goal}{'' if report.free else _over(report.exceeded)}")
    if report.free is not None:
        piece = "" if report.contiguous is None else f", in one piece at most {shown(report.contiguous)}"
        piece = "" if report.contiguous == report.free else piece
        parts.append(f"{shown(report.free)} were free{piece}{_over(report.exceeded)}")
    if report.module:
        parts.append(f"the program is {report.module}")
    if report.amounts:
        parts.append(f"the text names {', '.join(map(shown, report.amounts))}")
    return "; ".join(parts)


def _warning(report: OomReport) -> str:
    if report.wording is Wording.REMATERIALIZATION:
        return "a warning: rematerialization did not reach its target, and compiling went on"
    return "a warning: an allocation failed and was tried another way"


def _memory(report: OomReport) -> str:
    """The memory's name; not every GPU has HBM, and the CPU's is the host's."""
    if report.wording in _NAMES:
        return _NAMES[report.wording]
    if report.space is None:
        return report.space_text or "memory"
    if report.space == HBM and report.platform != "tpu":
        return "memory" if report.platform == "cpu" else "device memory"
    return "host memory" if report.space == HOST else space_name(report.space)


def _over(exceeded: Amount | None) -> str:
    """How much is too much: both figures are rounded, so a small difference has only a limit."""
    if exceeded is None or exceeded.high <= 0:
        return ""
    if exceeded.bytes <= 0:
        return f", at most {format_bytes(exceeded.high)} too much"
    return f", {shown(exceeded)} too much"


def block_of(tag: str) -> str:
    """The block of a kernel that an allocation is for, in few words; "" where its tag names none."""
    found = _BLOCK.search(tag)
    if found is None:
        return ""
    buffers = f", {found['buffers']} buffered" if found["buffers"] else ""
    return f"{found['block']} for {found['of']}, {found['full']}{buffers}"


def used_for(entry: ListedAllocation) -> str:
    """What a listed allocation is for, beside its kind."""
    return "register spill slots" if entry.spills else block_of(entry.tag) or entry.tag


def parts_shown(report: OomReport) -> list[tuple[str, str, str]]:
    """The sums that the error lists, without those that are nothing: what, of what, how much."""
    return [
        (part.name, _SECTIONS.get(part.section, part.section), shown(part.amount))
        for part in report.parts
        if part.amount.bytes
    ]


def report_json(report: OomReport, what: What) -> Json:
    """The report, and what ran out; each figure with its range, since the text rounds."""
    failed = report.failed
    return {
        "wording": report.wording.value,
        "platform": report.platform,
        "when": report.when,
        "what": what.value,
        "framework": report.framework,
        "space": None if report.space is None else space_name(report.space),
        "color": report.space,
        "space_text": report.space_text,
        "required": _amount(report.required),
        "capacity": _amount(report.capacity),
        "exceeded": _amount(report.exceeded),
        "free": _amount(report.free),
        "contiguous": _amount(report.contiguous),
        "failed": None if failed is None else {**asdict(failed), "size": _amount(failed.size)},
        "module": report.module,
        "device": report.device,
        "parts": [{**asdict(part), "amount": _amount(part.amount)} for part in report.parts],
        "amounts": [_amount(amount) for amount in report.amounts],
        "times": report.count,
    }


def listed_json(entry: ListedAllocation) -> Json:
    """An entry of the list of largest allocations."""
    amounts = {name: _amount(getattr(entry, name)) for name in ("size", "unpadded", "padding")}
    return {**asdict(entry), **amounts}


def _amount(amount: Amount | None) -> Json | None:
    if amount is None:
        return None
    return {
        "bytes": amount.bytes,
        "least": amount.low,
        "most": amount.high,
        "approximate": amount.approximate,
    }
