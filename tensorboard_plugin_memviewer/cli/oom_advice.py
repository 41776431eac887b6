"""What to try after an out-of-memory error: one table, by what ran out, memory space, platform and framework."""

from __future__ import annotations

from dataclasses import dataclass

from tensorboard_plugin_memviewer.cli.oom_words import block_of, shown
from tensorboard_plugin_memviewer.model.space import HBM, SFLAG, SMEM, VMEM
from tensorboard_plugin_memviewer.service.oom import (
    OomReport,
    Search,
    What,
    Wording,
    is_of_kernel,
    what_ran_out,
)

# A text that names no framework gets JAX's advice: XLA's own errors mostly come from there.
_JAX = ("jax", None)
_TENSORFLOW = ("tensorflow",)
_PYTORCH_XLA = ("pytorch_xla",)
_SCOPED = (Wording.TPU_SCOPED,)
_OPEN = (What.ALLOCATION, What.ARRAYS, What.FRAGMENTED, What.OUTPUTS)


@dataclass(frozen=True, slots=True)
class _Row:
    """One piece of advice, and when it holds; an empty tuple stands for any."""

    what: tuple[What, ...]
    text: str
    frameworks: tuple[str | None, ...] = ()
    platforms: tuple[str | None, ...] = ()
    spaces: tuple[int | None, ...] = ()
    wordings: tuple[Wording, ...] = ()

    def holds(self, report: OomReport, what: What) -> bool:
        return what in self.what and all(
            not allowed or value in allowed
            for value, allowed in (
                (report.framework, self.frameworks),
                (report.platform, self.platforms),
                (report.space, self.spaces),
                (report.wording, self.wordings),
            )
        )


_ROWS = (
    _Row(
        (What.UNKNOWN,),
        "The text says that memory ran out, but this wording is new here: what its figures stand for is read off the"
        " words beside them.",
    ),
    # A program's plan.
    _Row(
        (What.SPARSECORE,),
        "Most of it is SparseCore's, so look at the embedding tables: shard them over more chips, or make them"
        " smaller (fewer rows, narrower vectors, bfloat16).",
    ),
    _Row(
        (What.PROGRAM, What.OUTPUTS),
        "Donate what is not used again (jax.jit(…, donate_argnums=…)): its memory is reused for outputs.",
        _JAX,
    ),
    _Row(
        (What.PROGRAM, What.TEMPORARIES),
        "Recompute activations instead of keeping them (jax.checkpoint), shard, or make the batch smaller.",
        _JAX,
    ),
    _Row(
        (What.PROGRAM, What.TEMPORARIES, What.OUTPUTS),
        "Make the batch smaller, recompute activations (tf.recompute_grad), or compute in 16 bits"
        " (tf.keras.mixed_precision).",
        _TENSORFLOW,
    ),
    _Row(
        (What.PROGRAM, What.TEMPORARIES, What.OUTPUTS),
        "Make the batch smaller, recompute activations (torch_xla.utils.checkpoint.checkpoint), shard the model"
        " (FSDP or SPMD), or end the graph earlier with torch_xla.sync().",
        _PYTORCH_XLA,
    ),
    _Row(
        (What.CONSTANT,),
        "A constant of the program is too large, such as an array that a function closes over: pass it as an"
        " argument instead, so that it is stored once and not in every program.",
    ),
    # What is in memory beside it.
    _Row(
        (What.FRAGMENTED,),
        "Enough is free in all, but not in one piece: allocate the large arrays first, and do not keep small ones"
        " alive between them.",
    ),
    _Row(
        (What.LOAD,),
        "Free arrays that are not needed any more before this program runs: jax.live_arrays() lists them.",
        _JAX,
    ),
    _Row(
        _OPEN,
        "See what else is in memory: jax.live_arrays(), jax.profiler.save_device_memory_profile(FILE).",
        _JAX,
    ),
    _Row(
        (*_OPEN, What.LOAD),
        "Release tensors and datasets that are not needed any more, or make the batch smaller.",
        _TENSORFLOW,
    ),
    _Row(
        _OPEN,
        "tf.config.experimental.get_memory_info('GPU:0') says how much is in use; TF_GPU_ALLOCATOR=cuda_malloc_async"
        " helps against fragmentation.",
        _TENSORFLOW,
        ("gpu",),
    ),
    _Row(
        (*_OPEN, What.LOAD),
        "Release tensors that are not needed any more (del), and call torch_xla.sync() so that graphs that hold them"
        " are run; torch_xla.core.xla_model.get_memory_info(device) says how much is in use.",
        _PYTORCH_XLA,
    ),
    _Row(
        (What.ARRAYS, What.LOAD, What.FRAGMENTED),
        "LIBTPU_INIT_ARGS=--tpu_log_allocations_on_oom=true makes the runtime log what is allocated.",
        platforms=("tpu",),
    ),
    _Row(
        _OPEN,
        "The GPU's allocator takes a share of the device at the start: XLA_PYTHON_CLIENT_MEM_FRACTION=.95 makes"
        " it larger; another process on the device makes it smaller.",
        _JAX,
        ("gpu",),
    ),
    _Row(
        (What.PROCESS,),
        "This is the memory of the host: see what else the process holds, and what limit its container or job"
        " has.",
    ),
    _Row((What.PROCESS,), "jax.live_arrays() lists the arrays that are alive.", _JAX, ("cpu",)),
    # On-chip memory.
    _Row(
        (What.KERNEL, What.ON_CHIP),
        "A kernel asks for more shared memory than one block of threads may have: make its block sizes smaller, or"
        " use fewer pipeline stages (num_stages), each of which keeps a copy of the blocks.",
        platforms=("gpu",),
    ),
    _Row(
        (What.KERNEL,),
        "A kernel's blocks are too large for on-chip memory: make its block sizes smaller.",
        platforms=("tpu",),
        spaces=(VMEM, None),
    ),
    _Row(
        (What.ON_CHIP,),
        "On-chip memory ran out, and the text does not say for what. If it is a kernel, make its block sizes"
        " smaller.",
        platforms=("tpu", None),
    ),
    _Row(
        (What.KERNEL, What.ON_CHIP),
        "Allow a kernel more with pltpu.CompilerParams(vmem_limit_bytes=…).",
        _JAX,
        spaces=(VMEM,),
        wordings=_SCOPED,
    ),
    _Row(
        (What.KERNEL, What.ON_CHIP),
        "A kernel keeps too much in scalar memory, which is small: put arrays elsewhere (pltpu.VMEM, pl.ANY), and"
        " only scalars and indices there.",
        spaces=(SMEM,),
    ),
    _Row(
        (What.KERNEL, What.ON_CHIP),
        "A kernel has too many semaphores: use fewer, and wait for one before it is used again.",
        spaces=(SFLAG,),
    ),
    _Row(
        (What.COMPILER,),
        "An operation of the compiler's own needs more on-chip memory than it may have: allow more with"
        " compiler_options={'xla_tpu_scoped_vmem_limit_kib': …}.",
        _JAX,
        wordings=_SCOPED,
    ),
    _Row(
        (What.COMPILER,),
        "An operation of the compiler's own needs more on-chip memory than it may have: allow more with"
        " LIBTPU_INIT_ARGS=--xla_tpu_scoped_vmem_limit_kib=….",
        (*_PYTORCH_XLA, *_TENSORFLOW),
        wordings=_SCOPED,
    ),
    _Row(
        (What.COMPILER,),
        "This should not happen for the compiler's own operations: report it to XLA"
        " (https://github.com/openxla/xla/issues) with the dump. Until then, other shapes, a smaller batch or"
        " another version of the compiler may avoid it.",
    ),
    # The host's memory that devices reach.
    _Row(
        (What.HOST,),
        "This is pinned memory of the host, not the GPU's: allow more with XLA_PJRT_GPU_HOST_MEMORY_LIMIT_GB=…, or"
        " keep less there (fewer offloaded arrays, fewer transfers at a time).",
        (*_JAX, *_PYTORCH_XLA),
        ("gpu",),
    ),
    _Row(
        (What.HOST,),
        "This is pinned memory of the host, not the GPU's: allow more with TF_GPU_HOST_MEM_LIMIT_IN_MB=…, or prefetch"
        " less.",
        _TENSORFLOW,
    ),
    _Row(
        (What.HOST,),
        "This is memory of the host, not the device's: keep less there (fewer offloaded arrays, fewer transfers at"
        " a time), and see what limit its container or job has.",
        (*_JAX, *_PYTORCH_XLA),
        ("tpu", None),
    ),
    _Row(
        (What.DMA,),
        "This is memory of the host that the device reaches by DMA, which must be locked: raise the limit"
        " (ulimit -l unlimited; in Docker --ulimit memlock=-1), and move less at a time.",
    ),
    # The driver's memory, beside the pool.
    _Row(
        (What.COMMAND_BUFFERS,),
        "Command buffers (CUDA graphs) lie in the driver's memory, beside the pool. XLA_FLAGS="
        "--xla_gpu_enable_command_buffer= (empty) switches them off; fewer programs alive at a time need fewer.",
    ),
    _Row(
        (What.CODE,),
        "The code of a program lies in the driver's memory, beside the pool. Large constants that functions close"
        " over make it larger: pass them as arguments.",
    ),
    _Row((What.CODE, What.COMMAND_BUFFERS), "Drop programs that are done: jax.clear_caches().", _JAX),
    _Row(
        (What.COLLECTIVES,),
        "Collective operations have buffers of their own, most of them beside the pool: NCCL_BUFFSIZE and"
        " NCCL_MAX_NCHANNELS make NCCL's smaller.",
    ),
    _Row(
        (What.DRIVER,),
        "This is asked of the driver, beside the pool that the framework takes at the start; nvidia-smi shows what"
        " other processes hold.",
    ),
    _Row(
        (What.CODE, What.COMMAND_BUFFERS, What.COLLECTIVES, What.DRIVER),
        "Leave the driver more: a lower XLA_PYTHON_CLIENT_MEM_FRACTION (such as .60; the default is .75), or"
        " XLA_PYTHON_CLIENT_PREALLOCATE=false.",
        _JAX,
    ),
    _Row(
        (What.CODE, What.COMMAND_BUFFERS, What.COLLECTIVES, What.DRIVER),
        "Leave the driver more: tf.config.experimental.set_memory_growth, or a memory_limit for the device.",
        _TENSORFLOW,
    ),
    _Row(
        (What.SCRATCH,),
        "An algorithm of a library found no memory to work in. XLA tries others where it can; make room as for"
        " arrays, or switch trying off with XLA_FLAGS=--xla_gpu_autotune_level=0.",
    ),
    _Row(
        (What.UNIFIED,),
        "Unified memory takes from the host what the GPU lacks, and neither has enough: lower"
        " XLA_PYTHON_CLIENT_MEM_FRACTION (above 1 it counts the host), or keep less alive.",
        _JAX,
    ),
    _Row(
        (What.TORCH,),
        "This is PyTorch's own allocator, and XLA has no plan of it: see torch.cuda.memory_summary();"
        " PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True helps against fragmentation.",
    ),
    _Row(
        (What.WARNING,),
        "Nothing has failed by this: look further down in the log for an error.",
    ),
)


_DUMP = (
    "Run again with XLA_FLAGS='--xla_dump_to=DIR --xla_dump_hlo_as_proto' (XLA writes its plan also when it"
    " refuses a program), then: memviewer explain-oom FILE --dump DIR"
)
# Where the plan is the answer it comes first, where it may help, last; of the rest no plan knows.
_PLAN_FIRST = (What.PROGRAM, What.TEMPORARIES, What.OUTPUTS)
_PLAN_LAST = (
    *(What.SPARSECORE, What.LOAD, What.ALLOCATION, What.CONSTANT),
    *(What.KERNEL, What.COMPILER, What.ON_CHIP, What.WARNING, What.UNKNOWN),
)
_MOST_LOOKED_AT = 3


def advice(report: OomReport, search: Search | None) -> list[str]:
    """What to try next, the most telling first; nothing that the findings of a matched module say better.

    `search` is what a dump was found to hold, None where there is none to look at.
    """
    match = search.matches[0] if search is not None and search.matches else None
    what = what_ran_out(report, match)
    lines = [] if search is None else _of_search(report, search, what)
    if search is None and what in _PLAN_FIRST:
        lines.append(_DUMP)
    lines.extend(_of_sums(report, what))
    lines.extend(_of_list(report, what))
    findings_say_it = match is not None and match.findings and what is What.PROGRAM and report.space == HBM
    if not findings_say_it:
        lines.extend(row.text for row in _ROWS if row.holds(report, what))
    # A GPU's kernel is refused before the program has a plan.
    if search is None and what in _PLAN_LAST and not (what is What.KERNEL and report.platform == "gpu"):
        lines.append(_DUMP)
    return lines


def _of_sums(report: OomReport, what: What) -> list[str]:
    """A small program that finds no room is not what fills the device."""
    total = report.part("assignment", "total")
    if what is not What.ARRAYS or total is None:
        return []
    return [f"The whole program needs only {shown(total)}, so the device is full of something else."]


def _of_list(report: OomReport, what: What) -> list[str]:
    """What the list of the largest allocations tells of on-chip memory: the block to shrink, and spills."""
    if what not in (What.KERNEL, What.COMPILER):
        return []
    lines = []
    blocks = [(entry.size.bytes, entry) for entry in report.listed if entry.size and block_of(entry.tag)]
    if blocks:
        largest = max(blocks, key=lambda pair: pair[0])[1]
        whose = f" of {largest.instruction}" if largest.instruction else ""
        lines.append(f"The largest block{whose} takes {shown(largest.size)}: {block_of(largest.tag)}.")
    spills = next((entry for entry in report.listed if entry.spills), None)
    if spills is not None:
        size = f"{shown(spills.size)} of it" if spills.size is not None else "One of the allocations listed"
        whose = f" of {spills.instruction}" if spills.instruction else ""
        more = (
            "; smaller blocks, or fewer values in use at a time in the kernel's body, spill less"
            if what is What.KERNEL
            else ""
        )
        lines.append(f"{size} holds values that did not fit in the registers{whose} (spill slots){more}.")
    return lines


def _of_search(report: OomReport, search: Search, what: What) -> list[str]:
    """What was looked at and why nothing fits; or what the allocation that failed is of the module that does."""
    if not search.matches:
        return [_nothing_fits(report, search)]
    match, size = search.matches[0], report.failed.size if report.failed is not None else None
    name = match.summary.program.key
    if what is What.TEMPORARIES:
        return [f"The allocation that failed is all temporaries of {name}, in one block."]
    if what is What.OUTPUTS:
        return [f"The allocation that failed is the outputs of {name}."]
    if what is What.ALLOCATION and size is not None and all(found.bytes is None for found in match.evidence):
        return [
            f"The plan of {name} has no allocation of {shown(size)}: this may be the plan of another version of"
            " the program, or an array that is made outside of it."
        ]
    return []


def _nothing_fits(report: OomReport, search: Search) -> str:
    if not search.looked_at:
        return "The dump holds no module to look at."
    names = ", ".join(search.looked_at[:_MOST_LOOKED_AT])
    count = len(search.looked_at)
    if count > _MOST_LOOKED_AT:
        names += f" and {count - _MOST_LOOKED_AT} more"
    failed, wanted = report.failed, []
    if report.module:
        wanted.append(f"is named {report.module}")
    instruction = failed.instruction if failed is not None else ""
    instruction = instruction or next((entry.instruction for entry in report.listed if entry.instruction), "")
    if instruction:
        wanted.append(f"has the instruction {instruction}")
    if report.required is not None:
        wanted.append(f"needs {shown(report.required)}")
    elif failed is not None and failed.size is not None:
        wanted.append(f"has an allocation of {shown(failed.size)}")
    if not wanted:
        return (
            f"Looked at {names}: the error has no name and no size that would tell which module it is about."
        )
    return f"Looked at {count} module{'s' * (count != 1)} ({names}): none {' or '.join(wanted)}."
