"""An out-of-memory report in words and as JSON: what it says in one sentence, and what to try."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from tensorboard_plugin_memviewer.cli.output import Json
from tensorboard_plugin_memviewer.errors import DUMP_FLAGS
from tensorboard_plugin_memviewer.model.space import HBM, SFLAG, SMEM, VMEM, space_name
from tensorboard_plugin_memviewer.service.oom import Amount, ListedAllocation, ModuleMatch, OomReport, Wording
from tensorboard_plugin_memviewer.units import format_bytes

_PLATFORMS = {"tpu": "TPU", "gpu": "GPU", "cpu": "CPU"}
_WHEN = {
    "compile": "the compiler refused the program",
    "load": "the compiled program did not fit beside what is in memory already",
    "run": "an allocation failed while the program ran",
}

_DUMP = (
    f"Run again with {DUMP_FLAGS} (XLA writes its plan also when it"
    " refuses a program), then: memviewer explain-oom FILE --dump DIR"
)
_KERNEL = "A kernel's blocks are too large for on-chip memory: make its block sizes smaller"
_MORE = ", or allow it more with pltpu.CompilerParams(vmem_limit_bytes=…)"
_COMPILERS = (
    "An operation of the compiler's own needs more on-chip memory than it may have: allow more with"
    " compiler_options={'xla_tpu_scoped_vmem_limit_kib': …}."
)
_WHOLE = (
    "A kernel keeps too much in scalar memory, which is small: put arrays elsewhere (pltpu.VMEM, pl.ANY), and"
    " only scalars and indices there."
)
_FLAGS = "A kernel has too many semaphores: use fewer, and wait for one before it is used again."
_GPU_SHARE = (
    "The GPU's allocator takes a share of the device at the start: XLA_PYTHON_CLIENT_MEM_FRACTION=.95 makes"
    " it larger; another process on the device makes it smaller."
)
_BY_TIME = {
    "compile": (
        "Donate what is not used again (jax.jit(…, donate_argnums=…)): its memory is reused for outputs.",
        "Recompute activations instead of keeping them (jax.checkpoint), shard, or make the batch smaller.",
    ),
    "load": (
        "Free arrays that are not needed any more before this program runs: jax.live_arrays() lists them.",
    ),
    "run": ("See what else is in memory: jax.live_arrays(), jax.profiler.save_device_memory_profile(FILE).",),
}


def shown(amount: Amount | None) -> str:
    """An amount with a sign where the text rounded it."""
    if amount is None:
        return ""
    return f"{'≈ ' if amount.approximate else ''}{format_bytes(amount.bytes)}"


def sentence(report: OomReport) -> str:
    """What the error says, in one sentence."""
    where = _PLATFORMS.get(report.platform or "", "")
    space = report.space_text if report.space is None else space_name(report.space)
    if report.platform == "cpu":
        space = ""
    parts = [f"{where}: {_WHEN[report.when]}".removeprefix(": ")]
    if report.required is not None:
        parts.append(f"it needs {shown(report.required)} of {space or 'memory'}")
    elif report.failed is not None and report.failed.size is not None:
        who = f" by {report.failed.instruction}" if report.failed.instruction else ""
        parts.append(f"{shown(report.failed.size)} of {space or 'memory'} were asked for{who}")
    if report.capacity is not None:
        over = f", {shown(report.exceeded)} too much" if report.exceeded is not None else ""
        parts.append(f"{shown(report.capacity)} are there{over}")
    if report.free is not None:
        parts.append(f"{shown(report.free)} were free")
    return "; ".join(parts)


def advice(report: OomReport, matches: Sequence[ModuleMatch]) -> list[str]:
    """What to try next, the most telling first; nothing that the findings of a matched module say better."""
    lines = [] if matches or report.platform == "cpu" else [_DUMP]
    if not any(match.findings for match in matches) or report.when != "compile" or report.space != HBM:
        lines.extend(_in_space(report))
    if report.platform == "gpu" and report.when == "run":
        lines.append(_GPU_SHARE)
    return lines


def _in_space(report: OomReport) -> tuple[str, ...]:
    """More can be allowed only where a limit was passed, not the end of the memory."""
    if report.space == VMEM:
        if report.failed is not None and report.failed.opcode not in ("", "custom-call"):
            return (_COMPILERS,)
        more = _MORE if report.wording is Wording.TPU_SCOPED else ""
        return (f"{_KERNEL}{more}.",)
    if report.wording is Wording.TPU_SPARSECORE:
        return (f"{_KERNEL}.",)
    if report.space == SMEM:
        return (_WHOLE,)
    return (_FLAGS,) if report.space == SFLAG else _BY_TIME[report.when]


def report_json(report: OomReport) -> Json:
    """The report; each figure with its range, since the text rounds."""
    failed = report.failed
    return {
        "wording": report.wording.value,
        "platform": report.platform,
        "when": report.when,
        "space": None if report.space is None else space_name(report.space),
        "color": report.space,
        "space_text": report.space_text,
        "required": _amount(report.required),
        "capacity": _amount(report.capacity),
        "exceeded": _amount(report.exceeded),
        "free": _amount(report.free),
        "failed": None if failed is None else {**asdict(failed), "size": _amount(failed.size)},
        "module": report.module,
        "device": report.device,
        "parts": [{**asdict(part), "amount": _amount(part.amount)} for part in report.parts],
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
