"""The table of wordings for TPU: out-of-memory messages of its compiler and its runtime."""

from __future__ import annotations

from tensorboard_plugin_memviewer.formats.oom_kinds import What, Wording, sentence
from tensorboard_plugin_memviewer.model import space as spaces

SENTENCES = (
    sentence(
        Wording.TPU_TOTAL,
        "compile",
        What.PROGRAM,
        "hlo temporaries",
        r"HLO temporaries \(@required\) exceeds available @SPACE \(@capacity\)"
        r"(?:\. HLO module: (?P<module>\S{1,400}?)\.?(?=\s|$))?",
    ),
    sentence(
        Wording.TPU_EARLY,
        "compile",
        What.PROGRAM,
        "available",
        r"unlikely to have enough device memory\. Requires @required, has @capacity available",
        space=spaces.HBM,
    ),
    sentence(
        Wording.TPU_MEMORY_SPACE,
        "compile",
        What.PROGRAM,
        "used ",
        r"Used @required of @capacity @SPACE\b\.?"
        r"(?: ?Exceeded \w+ capacity by @exceeded)?"
        r"(?:\.? HLO module: (?P<module>\S{1,400}?)\.?(?=\s|$))?",
    ),
    sentence(
        Wording.TPU_CORES,
        "compile",
        What.PROGRAM,
        "sparsecore",
        r"TensorCore @SPACE usage:? @required, SparseCore \w+ usage:? @sparse,"
        r" exceeding available bytes:? @capacity",
    ),
    sentence(
        Wording.TPU_ALLOCATION,
        "compile",
        What.PROGRAM,
        "would exceed memory",
        r"Allocation \(size=@requested\) would exceed memory \(size=@capacity\)"
        r"(?: :: (?P<allocation>#?\w{1,80})"
        r" \[(?P<facts>[^'\]]{0,200}(?:'[^']{0,1000}'[^'\]]{0,200}){0,20})\]"
        r"(?: :: (?P<instruction>[^\s:]{1,400}))?)?",
    ),
    sentence(
        Wording.TPU_SCOPED,
        "compile",
        What.PROGRAM,
        "scoped allocation",
        r"Scoped allocation with size @requested and limit @capacity exceeded"
        r" scoped @SPACE limit(?: by @exceeded)?",
    ),
    sentence(
        Wording.TPU_SCOPED,
        "compile",
        What.PROGRAM,
        "sparsecore async",
        r"SparseCore async scoped @SPACE allocation \(@requested\) exceeds limit \(@capacity\)"
        r"(?: at instruction %?(?P<instruction>[^\s,]{1,400}?)\.?(?=\s|,|$))?",
    ),
    sentence(
        Wording.TPU_STACK,
        "compile",
        What.PROGRAM,
        "in memory space",
        r"Ran out of memory in memory space @SPACE(?: while allocating on stack for"
        r" %?(?P<instruction>[^\s=]{1,400})"
        r"(?: = (?P<shape>\(.{0,600}?\)|[a-z]\w{0,20}\[\S{0,400}) (?P<opcode>[a-z][\w-]{0,40})\()?)?",
    ),
    sentence(
        Wording.TPU_SPARSECORE,
        "compile",
        What.KERNEL,
        "sparsecoreallocationfailure",
        r"(?:pass pipeline\.(?P<instruction>[\w.-]{1,400}):\d{1,9}:\d{1,9}: error: .{0,200}?)?"
        r"CompileTimeSparseCoreAllocationFailure:"
        r" current allocation offset upper bound \(\d{1,20} words\)"
        r" exceeds the legitimate user allocatable offset upper bound \(@capacity\)"
        r" in memory space (?P<space>\w{1,40}) when allocating @requested",
    ),
    sentence(
        Wording.TPU_SPARSECORE,
        "compile",
        What.SPARSECORE,
        "scs smem",
        r"would exceed available SCS @SPACE \(@requested > @capacity\)",
    ),
    sentence(
        Wording.TPU_EMBEDDING,
        "run",
        What.SPARSECORE,
        "tpu embedding",
        r"TPU embedding: out of memory allocating @requested",
    ),
    sentence(
        Wording.TPU_REFUSED_BEFORE,
        "load",
        What.PROGRAM,
        "failed compilation due to oom",
        r"Attempting to load a program that failed compilation due to OOM",
    ),
    sentence(
        Wording.TPU_DEVICE_BUFFER,
        "run",
        What.ARRAYS,
        "that was not possible",
        r"Attempting to allocate @requested\. That was not possible\. There are @free free"
        r"(?:\.? [^;]{0,80}?largest contiguous region of free memory is @contiguous)?"
        r"(?:\.?;? \((?P<device>[\dx]{1,40}_(?P<space>[A-Z]{1,12}?)\d{0,4})\))?",
    ),
    sentence(
        Wording.TPU_PROGRAM_LOAD,
        "load",
        What.LOAD,
        "that was not possible",
        r"(?:Error loading program '(?P<module>[^']{1,400})': )?"
        r"Attempting to reserve @required at the bottom of memory\. That was not possible\."
        r" There are @free free(?:, @reserved reserved,? and @contiguous reservable)?"
        r"(?:.{0,260}? (?P<space>HBM) capacity @capacity)?",
        space=spaces.HBM,
    ),
    sentence(
        Wording.TPU_DMA,
        "run",
        What.DMA,
        "failed to map",
        r"Failed to map (?:@requested (?:bytes )?of (?:host )?memory|transfer buffer chunk) for DMA",
        space=spaces.HOST,
    ),
    sentence(
        Wording.TPU_DMA,
        "run",
        What.DMA,
        "dmamapper:",
        r"DmaMapper: requested @requested size \(\d{1,12} pages\) exceeds maximum supported @capacity size",
        space=spaces.HOST,
    ),
    sentence(
        Wording.TPU_DMA,
        "run",
        What.DMA,
        "premap",
        r"(?:Failed to allocate using premapped buffer for \(size, alignment\) = \(@requested"
        r"|Allocation from premap failed\. Bytes:? ?(?P<requested_too>\d{1,18}))",
        space=spaces.HOST,
    ),
)
