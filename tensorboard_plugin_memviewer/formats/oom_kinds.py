"""The records of the table of wordings: the form of an error, what ran out, and the pattern of a sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum

from tensorboard_plugin_memviewer.formats.printed_bytes import AMOUNT
from tensorboard_plugin_memviewer.model import space as spaces


class Wording(str, Enum):
    """How the error was put; the value is its name in JSON."""

    TPU_TOTAL = "tpu_total"
    TPU_EARLY = "tpu_early"
    TPU_MEMORY_SPACE = "tpu_memory_space"
    TPU_CORES = "tpu_cores"
    TPU_ALLOCATION = "tpu_allocation"
    TPU_SCOPED = "tpu_scoped"
    TPU_STACK = "tpu_stack"
    TPU_SPARSECORE = "tpu_sparsecore"
    TPU_EMBEDDING = "tpu_embedding"
    TPU_DEVICE_BUFFER = "tpu_device_buffer"
    TPU_PROGRAM_LOAD = "tpu_program_load"
    TPU_REFUSED_BEFORE = "tpu_refused_before"
    TPU_DMA = "tpu_dma"
    GPU_ALLOCATION = "gpu_allocation"
    GPU_REQUEST = "gpu_request"
    GPU_ASYNC = "gpu_async"
    GPU_UNIFIED = "gpu_unified"
    GPU_CONSTANT = "gpu_constant"
    GPU_SCRATCH = "gpu_scratch"
    GPU_CODE = "gpu_code"
    GPU_COMMAND_BUFFER = "gpu_command_buffer"
    GPU_COLLECTIVE = "gpu_collective"
    GPU_LIBRARY = "gpu_library"
    GPU_SHARED_MEMORY = "gpu_shared_memory"
    GPU_TENSOR_MEMORY = "gpu_tensor_memory"
    GPU_ALLOCATOR = "gpu_allocator"
    GPU_DRIVER = "gpu_driver"
    HOST_POOL = "host_pool"
    CPU_ALLOCATION = "cpu_allocation"
    PROCESS_KILLED = "process_killed"
    TENSORFLOW_TENSOR = "tensorflow_tensor"
    TORCH = "torch"
    REMATERIALIZATION = "rematerialization"
    UNKNOWN = "unknown"


class What(str, Enum):
    """What ran out or could not be had, on which the advice depends; the value is its name in JSON."""

    PROGRAM = "program"
    """The memory plan of a program, as its compiler sees it."""
    TEMPORARIES = "temporaries"
    """The block with all temporaries of a program, asked for as it starts."""
    OUTPUTS = "outputs"
    """The block with the outputs of a program, asked for as it starts."""
    SPARSECORE = "sparsecore"
    """SparseCore's part of the memory: embedding tables."""
    LOAD = "load"
    """Room for a compiled program beside what is in memory."""
    ALLOCATION = "allocation"
    """One allocation of a running program: an array, or a program's temporaries. The text leaves it open."""
    ARRAYS = "arrays"
    """Room for one array, or for a small program, beside other arrays."""
    FRAGMENTED = "fragmented"
    """A piece of memory long enough, although there is more than enough in all."""
    ON_CHIP = "on_chip"
    """On-chip memory; the text does not state whose."""
    KERNEL = "kernel"
    """On-chip memory for the blocks of a kernel."""
    COMPILER = "compiler"
    """On-chip memory for the compiler's own operations or spilled registers."""
    HOST = "host"
    """The host's memory for transfers and offloading, which is pinned."""
    DMA = "dma"
    """Host memory that the device may reach: mappings of the IOMMU."""
    PROCESS = "process"
    """The host process's own memory."""
    DRIVER = "driver"
    """The driver's memory, beside the pool that the framework has taken."""
    CODE = "code"
    """Memory for a program's machine code."""
    COMMAND_BUFFERS = "command_buffers"
    """The driver's memory for command buffers (CUDA graphs)."""
    COLLECTIVES = "collectives"
    """Buffers of collective operations."""
    CONSTANT = "constant"
    """A constant of the program."""
    SCRATCH = "scratch"
    """Memory that a library's algorithm works in."""
    UNIFIED = "unified"
    """Memory shared by the GPU and the host."""
    TORCH = "torch"
    """The allocator of PyTorch, which XLA has no part in."""
    WARNING = "warning"
    """Nothing: the text is a warning, and the work went on."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One wording: where it comes from, what ran out, and its pattern.

    Named groups: `required` (what the program needs), `requested` (one allocation), `capacity` (the limit),
    `exceeded`, `free`, `contiguous` (the longest free piece), `space`, `shape`, `instruction`, `opcode`,
    `module`, `device`, `allocation`, `facts`, `sparse`. `key` is a lower-case piece of every text that fits,
    which is looked for first: most texts have few. A `log` line accompanies an error or warns of one, so it
    is taken only where nothing better is there. `space` is what the sentence is about where the text names
    none.
    """

    wording: Wording
    platform: str | None
    when: str
    what: What
    key: str
    pattern: re.Pattern[str]
    space: int | None = None
    log: bool = False


def sentence(
    wording: Wording,
    when: str,
    what: What,
    key: str,
    pattern: str,
    *,
    space: int | None = None,
) -> Sentence:
    """A row of the table.

    In `pattern` @name stands for a printed amount and @SPACE for the name of a memory space. The platform is
    the first word of the wording's name, None where that is no platform.
    """
    platform = wording.value.partition("_")[0]
    pattern = pattern.replace("@SPACE", r"(?P<space>hbm|vmem|smem|cmem|sflag|host|sparsecore)")
    pattern = re.sub(r"@([a-z]+)", lambda name: f"(?P<{name[1]}>{AMOUNT})", pattern)
    return Sentence(
        wording=wording,
        platform=platform if platform in ("tpu", "gpu", "cpu") else None,
        when=when,
        what=what,
        key=key,
        pattern=re.compile(pattern, re.ASCII | re.IGNORECASE),
        space=space,
    )


def logged(row: Sentence) -> Sentence:
    """The row for a line of a log, which accompanies an error or warns of one."""
    return replace(row, log=True)


# XLA's error texts name the hardware's memories, not what is in the list that its memory reports print.
SPACES = {
    "hbm": spaces.HBM,
    "vmem": spaces.VMEM,
    "sflag": spaces.SFLAG,
    "cmem": spaces.CMEM,
    "smem": spaces.SMEM,
    "host": spaces.HOST,
}
