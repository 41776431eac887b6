"""The sentences in which XLA, its runtimes and the frameworks around it say that memory ran out, as patterns.

A wording says which figures the sentence holds; it knows nothing of the lists that may follow. Patterns are
matched on text whose white space is collapsed and whose log prefixes are gone, and each is linear in the
text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from tensorboard_plugin_memviewer.formats.printed_bytes import AMOUNT


class Wording(str, Enum):
    """How the error was put; the value is its name in JSON."""

    TPU_TOTAL = "tpu_total"
    TPU_MEMORY_SPACE = "tpu_memory_space"
    TPU_CORES = "tpu_cores"
    TPU_ALLOCATION = "tpu_allocation"
    TPU_SCOPED = "tpu_scoped"
    TPU_STACK = "tpu_stack"
    TPU_SPARSECORE = "tpu_sparsecore"
    TPU_DEVICE_BUFFER = "tpu_device_buffer"
    TPU_PROGRAM_LOAD = "tpu_program_load"
    GPU_ALLOCATION = "gpu_allocation"
    GPU_REQUEST = "gpu_request"
    GPU_SHARED_MEMORY = "gpu_shared_memory"
    GPU_ALLOCATOR = "gpu_allocator"
    GPU_DRIVER = "gpu_driver"
    CPU_ALLOCATION = "cpu_allocation"
    TENSORFLOW_TENSOR = "tensorflow_tensor"
    REMATERIALIZATION = "rematerialization"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One wording: where it comes from and its pattern.

    Named groups: `required` (what the program needs), `requested` (one allocation), `capacity` (the limit),
    `exceeded`, `free`, `space`, `shape`, `instruction`, `opcode`, `module`, `device`, `allocation`, `facts`,
    `sparse`. A `log` line accompanies an error or warns of one, so it is taken only where nothing better is
    there.
    """

    wording: Wording
    platform: str | None
    when: str
    pattern: re.Pattern[str]
    log: bool = False


def _compiled(pattern: str) -> re.Pattern[str]:
    """`pattern` compiled; in it @name stands for a printed amount and @SPACE for a memory space's name."""
    pattern = pattern.replace("@SPACE", r"(?P<space>hbm|vmem|smem|cmem|sflag|host|sparsecore)")
    pattern = re.sub(r"@([a-z]+)", lambda name: f"(?P<{name[1]}>{AMOUNT})", pattern)
    return re.compile(pattern, re.ASCII | re.IGNORECASE)


SENTENCES = (
    Sentence(
        Wording.TPU_TOTAL,
        "tpu",
        "compile",
        _compiled(
            r"HLO temporaries \(@required\) exceeds available @SPACE \(@capacity\)"
            r"(?:\. HLO module: (?P<module>\S{1,400}?)\.?(?=\s|$))?"
        ),
    ),
    Sentence(
        Wording.TPU_MEMORY_SPACE,
        "tpu",
        "compile",
        _compiled(
            r"Used @required of @capacity @SPACE\b\.?"
            r"(?: ?Exceeded \w+ capacity by @exceeded)?"
        ),
    ),
    Sentence(
        Wording.TPU_CORES,
        "tpu",
        "compile",
        _compiled(
            r"TensorCore @SPACE usage:? @required, SparseCore \w+ usage:? @sparse,"
            r" exceeding available bytes:? @capacity"
        ),
    ),
    Sentence(
        Wording.TPU_ALLOCATION,
        "tpu",
        "compile",
        _compiled(
            r"Allocation \(size=@requested\) would exceed memory \(size=@capacity\)"
            r"(?: :: (?P<allocation>#?\w{1,80})"
            r" \[(?P<facts>[^'\]]{0,200}(?:'[^']{0,1000}'[^'\]]{0,200}){0,20})\]"
            r"(?: :: (?P<instruction>[^\s:]{1,400}))?)?"
        ),
    ),
    Sentence(
        Wording.TPU_SCOPED,
        "tpu",
        "compile",
        _compiled(
            r"Scoped allocation with size @requested and limit @capacity exceeded"
            r" scoped @SPACE limit(?: by @exceeded)?"
        ),
    ),
    Sentence(
        Wording.TPU_STACK,
        "tpu",
        "compile",
        _compiled(
            r"Ran out of memory in memory space @SPACE(?: while allocating on stack for"
            r" %?(?P<instruction>[^\s=]{1,400})"
            r"(?: = (?P<shape>\(.{0,600}?\)|[a-z]\w{0,20}\[\S{0,400}) (?P<opcode>[a-z][\w-]{0,40})\()?)?"
        ),
    ),
    Sentence(
        Wording.TPU_SPARSECORE,
        "tpu",
        "compile",
        _compiled(
            r"(?:pass pipeline\.(?P<instruction>[\w.-]{1,400}):\d{1,9}:\d{1,9}: error: .{0,200}?)?"
            r"CompileTimeSparseCoreAllocationFailure:"
            r" current allocation offset upper bound \(\d{1,20} words\)"
            r" exceeds the legitimate user allocatable offset upper bound \(@capacity\)"
            r" in memory space (?P<space>\w{1,40}) when allocating @requested"
        ),
    ),
    Sentence(
        Wording.TPU_DEVICE_BUFFER,
        "tpu",
        "run",
        _compiled(
            r"Attempting to allocate @requested\. That was not possible\. There are @free free"
            r"(?:\.?;? \((?P<device>[\dx]{1,40}_(?P<space>[A-Z]{1,12}?)\d{0,4})\))?"
        ),
    ),
    Sentence(
        Wording.TPU_PROGRAM_LOAD,
        "tpu",
        "load",
        _compiled(
            r"(?:Error loading program '(?P<module>[^']{1,400})': )?"
            r"Attempting to reserve @required at the bottom of memory\. That was not possible\."
            r" There are @free free"
            r"(?:.{0,160}? (?P<space>HBM) capacity @capacity)?"
        ),
    ),
    Sentence(
        Wording.GPU_ALLOCATION,
        "gpu",
        "run",
        _compiled(r"Out of memory while trying to allocate @requested"),
    ),
    Sentence(
        Wording.GPU_REQUEST,
        "gpu",
        "run",
        _compiled(
            r"Failed to allocate request for [\d.]{1,20}\w{1,4} \(@requested\)"
            r" on device ordinal (?P<device>\d{1,6})"
        ),
    ),
    Sentence(
        Wording.GPU_SHARED_MEMORY,
        "gpu",
        "compile",
        _compiled(r"Shared memory size limit exceeded: requested @requested, available: @capacity"),
    ),
    Sentence(
        Wording.CPU_ALLOCATION,
        "cpu",
        "run",
        _compiled(r"Out of memory allocating @requested"),
    ),
    Sentence(
        Wording.TENSORFLOW_TENSOR,
        None,
        "run",
        _compiled(
            r"OOM when allocating tensor with shape(?P<shape>\[[\d, ]{0,200}\] and type \w{1,20})"
            r" on (?P<device>\S{1,200}) by allocator \w{1,80}"
        ),
    ),
    Sentence(
        Wording.GPU_ALLOCATOR,
        "gpu",
        "run",
        _compiled(
            r"Allocator \((?P<device>[^)\s]{1,80})\) ran out of memory trying to allocate [\d.]{1,20}\w{1,4}"
            r" \(rounded to @requested\)"
        ),
        log=True,
    ),
    Sentence(
        Wording.GPU_DRIVER,
        "gpu",
        "run",
        _compiled(r"Failed to allocate [\d.]{1,20}\w{1,4} \(@requested\) from device"),
        log=True,
    ),
    Sentence(
        Wording.REMATERIALIZATION,
        None,
        "compile",
        _compiled(
            r"Can't reduce memory use below @capacity(?: \(\d{1,20} bytes\))?"
            r"(?: by rematerialization)?; only reduced to @required"
        ),
        log=True,
    ),
)
