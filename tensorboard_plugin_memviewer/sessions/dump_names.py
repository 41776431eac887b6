"""Parses the names of XLA's dump files: module, stage and platform. Reads no file.

XLA writes `[usec.]module_NNNN.<module>[.cl_N].<stage>` (xla/service/dump.cc, FilenameFor); a module's name
may itself hold dots. Of all stages only `after_optimizations` holds the buffer assignment, on GPU behind the
chip's name (`sm_9.0a_gpu_`), on CPU behind `cpu_`; `after_codegen` of the same module, on TPU, tells the
scoped memory really used. Where only text was written, the plan is in several files.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from tensorboard_plugin_memviewer.sessions.packing import PACKED, plain_name

HLO = "hlo"
CODEGEN = "codegen"
BUFFER_ASSIGNMENT = "buffer_assignment"
REPORT = "report"
MODULE_TEXT = "module_text"
ASSIGNED_TEXT = "assigned_text"
UNASSIGNED_TEXT = "unassigned_text"
CODEGEN_TEXT = "codegen_text"
VALUES = "values"
LIVE_RANGES = "live_ranges"

_STAGES = {
    "after_optimizations.hlo.pb": HLO,
    "after_codegen.hlo.pb": CODEGEN,
    "after_optimizations-buffer-assignment.txt": BUFFER_ASSIGNMENT,
    "after_optimizations-memory-usage-report.txt": REPORT,
    "after_optimizations.txt": MODULE_TEXT,
    "after_optimizations_after_buffer_assignment.txt": ASSIGNED_TEXT,
    "after_optimizations_before_buffer_assignment.txt": UNASSIGNED_TEXT,
    "after_codegen.txt": CODEGEN_TEXT,
    "after_optimizations-buffer-assignment-values.txt": VALUES,
    "after_optimizations-live-range.txt": LIVE_RANGES,
}
# What makes no module without a buffer assignment beside it.
TEXTS = frozenset((MODULE_TEXT, ASSIGNED_TEXT, UNASSIGNED_TEXT, CODEGEN_TEXT, VALUES, LIVE_RANGES))
_TARGET = r"(?P<target>(?:sm_[0-9.]+[a-z]?|[A-Za-z0-9_:+\-]+?)_gpu_|gpu_|cpu_|)"
_STAGE = "(?P<stage>" + "|".join(re.escape(stage) for stage in _STAGES) + r")(?:\.gz|\.xz)?"
# Patterns stay text until a name needs them: most logdirs hold no dump.
_NAMES = (
    r"(?:(?P<usec>\d{1,20})\.)?module_(?P<number>\d{1,20})\.(?P<module>.+?)(?P<changelist>\.cl_\d+)?\."
    + _TARGET
    + _STAGE,
    r"(?:(?P<module>.+?)\.)?" + _TARGET + _STAGE,
    r"(?P<module>.*?)[._\-]?(?P<target>)" + _STAGE,
)

Part = Literal["host computation", "extracted"]


class DumpName(NamedTuple):
    """A parsed name. `stage` is one of this file's constants; `number` counts the process's modules, `usec`
    is when the file was written; `target` is the chip (`sm_9.0a`). Each is None if the name lacks it.
    `part` says that the module may be a part of another program of the same dump.
    """

    module: str
    stage: str
    number: int | None
    usec: int | None
    platform: str | None
    target: str | None
    part: Part | None = None

    @property
    def group(self) -> tuple[int | None, str]:
        """Equal for the files of one module of one process."""
        return self.number, self.module

    @property
    def key(self) -> str:
        """The module as XLA's files name it: `module_0003.jit_f`, or its bare name."""
        return self.module if self.number is None else f"module_{self.number:04d}.{self.module}"


def parse(name: str) -> DumpName | None:
    """The parts of a file's name; None if it is not a supported dump (earlier stages, binary reports)."""
    if not _may_be_dump(name):
        return None
    matches = (re.fullmatch(pattern, name, re.DOTALL | re.ASCII) for pattern in _NAMES)
    match = next((match for match in matches if match is not None), None)
    if match is None:
        return None
    known = match.groupdict()
    platform, target = _platform(known["target"], known.get("changelist"))
    return DumpName(
        known["module"] or "module",
        _STAGES[known["stage"]],
        None if known.get("number") is None else int(known["number"]),
        None if known.get("usec") is None else int(known["usec"]),
        platform,
        target,
        _part(known["module"], known["target"], known.get("changelist")),
    )


def siblings(name: str) -> tuple[str, ...]:
    """The names under which XLA leaves the other stages of the same module."""
    plain = plain_name(name)
    for stage in _STAGES:
        if plain.endswith(stage):
            start = plain.removesuffix(stage)
            others = (start + other for other in _STAGES if other != stage)
            return tuple(other + packed for other in others for packed in ("", *PACKED))
    return ()


def _platform(prefix: str, changelist: str | None) -> tuple[str | None, str | None]:
    """Platform and chip. Only the TPU compiler names the changelist that it was built from."""
    if prefix == "cpu_":
        return "cpu", None
    if prefix:
        return "gpu", prefix.removesuffix("gpu_").rstrip("_") or None
    return ("tpu" if changelist else None), None


def _part(module: str | None, prefix: str, changelist: str | None) -> Part | None:
    """The TPU compiler plans a host computation of a program for the CPU, under its own changelist; XLA calls
    every module that it cuts out of a program `extracted`.
    """
    if changelist and prefix == "cpu_":
        return "host computation"
    return "extracted" if module == "extracted" and not prefix else None


def _may_be_dump(name: str) -> bool:
    """Cheap refusal: a dump folder holds thousands of files of other stages."""
    return plain_name(name).endswith(tuple(_STAGES))
