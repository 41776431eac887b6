"""What ran out, from everything in an error text and from the module that it matches.

The sentence alone often leaves it open: the same words stand for a block of temporaries and for one array,
for a kernel's blocks and for the compiler's own operations. The sums and lists behind it tell them apart.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from tensorboard_plugin_memviewer.formats.oom_kinds import What, Wording
from tensorboard_plugin_memviewer.formats.oom_listing import ListedAllocation
from tensorboard_plugin_memviewer.formats.oom_text import OomReport
from tensorboard_plugin_memviewer.model.space import CMEM, SFLAG, SMEM, VMEM

_ON_CHIP = (VMEM, SMEM, SFLAG, CMEM)
# A program that needs less fits any device that XLA compiles for: something else has filled it.
_SMALL = 2**30
_KERNELS = re.compile(r"custom-call|pallas_call|tpu_custom_call|mosaic", re.IGNORECASE)
_BLOCK = re.compile(r"window|scratch operand|semaphore|prefetch", re.IGNORECASE)


def ran_out(report: OomReport, numbers: Collection[str] = ()) -> What:
    """What ran out. `numbers` name those of the matched module that the allocation that failed fits."""
    if report.what is What.ON_CHIP and report.wording is Wording.UNKNOWN:
        return What.ON_CHIP
    if report.what is What.PROGRAM:
        return _of_program(report)
    return _allocation(report, numbers) if report.what is What.ALLOCATION else report.what


def is_of_kernel(entry: ListedAllocation) -> bool:
    """Whether a listed allocation is for a kernel that the user or a library wrote."""
    text = f"{entry.opcode} {entry.op_name} {entry.label}"
    return _KERNELS.search(text) is not None or _BLOCK.search(entry.tag) is not None


def _of_program(report: OomReport) -> What:
    if report.space in _ON_CHIP:
        return _on_chip(report)
    sparse, dense = report.part("usage", "SparseCore"), report.part("usage", "TensorCore")
    if sparse is not None and dense is not None and sparse.bytes > dense.bytes:
        return What.SPARSECORE
    return What.PROGRAM


def _on_chip(report: OomReport) -> What:
    """Whose the on-chip memory is: XLA's own operations and spilled registers need it too."""
    failed = report.failed
    if failed is not None and failed.opcode:
        return What.KERNEL if failed.opcode == "custom-call" else What.COMPILER
    if (failed is not None and _BLOCK.search(failed.tag)) or any(map(is_of_kernel, report.listed)):
        return What.KERNEL
    return What.COMPILER if report.listed else What.ON_CHIP


def _allocation(report: OomReport, numbers: Collection[str]) -> What:
    total, temporaries = report.part("assignment", "total"), report.part("assignment", "preallocated temp")
    outputs = report.part("assignment", "maybe_live_out")
    size = report.failed.size if report.failed is not None else None
    if total is not None and total.bytes < _SMALL:
        return What.ARRAYS
    if any(number.startswith("temporary") for number in numbers):
        return What.TEMPORARIES
    if any(number.startswith("output") for number in numbers):
        return What.OUTPUTS
    if size is not None and temporaries is not None and size.overlaps(temporaries):
        return What.TEMPORARIES
    if size is not None and outputs is not None and size.overlaps(outputs):
        return What.OUTPUTS
    return What.ALLOCATION
