"""What to try after an out-of-memory error, as one table.

Advice follows what ran out, the memory space, the platform and the framework.
"""

from __future__ import annotations

from dataclasses import dataclass

from tensorboard_plugin_memviewer.model.space import SFLAG, SMEM, VMEM
from tensorboard_plugin_memviewer.service.oom import OomReport, What, Wording

# A text that names no framework gets JAX's advice: XLA's own errors mostly come from there.
_JAX = ("jax", None)
_TENSORFLOW = ("tensorflow",)
_PYTORCH_XLA = ("pytorch_xla",)
_SCOPED = (Wording.TPU_SCOPED,)
_OPEN = (What.ALLOCATION, What.ARRAYS, What.FRAGMENTED, What.OUTPUTS)


@dataclass(frozen=True, slots=True)
class Row:
    """One piece of advice, and when it holds; an empty tuple stands for any."""

    what: tuple[What, ...]
    text: str
    frameworks: tuple[str | None, ...] = ()
    platforms: tuple[str | None, ...] = ()
    spaces: tuple[int | None, ...] = ()
    wordings: tuple[Wording, ...] = ()

    def holds(self, report: OomReport, what: What) -> bool:
        """Whether it is advice for an error, `what` having run out."""
        return what in self.what and all(
            not allowed or value in allowed
            for value, allowed in (
                (report.framework, self.frameworks),
                (report.platform, self.platforms),
                (report.space, self.spaces),
                (report.wording, self.wordings),
            )
        )


ROWS = (
    Row(
        (What.UNKNOWN,),
        "The text reports that memory ran out, but in an unknown wording: the meaning of its figures is"
        " inferred from the words around them.",
    ),
    # A program's plan.
    Row(
        (What.SPARSECORE,),
        "Most of it is SparseCore's, so look at the embedding tables: shard them over more chips, or make"
        " them smaller (fewer rows, narrower vectors, bfloat16).",
    ),
    Row(
        (What.PROGRAM, What.OUTPUTS),
        "Donate what is not used again (jax.jit(…, donate_argnums=…)): its memory is reused for outputs.",
        _JAX,
    ),
    Row(
        (What.PROGRAM, What.TEMPORARIES),
        "Recompute activations instead of keeping them (jax.checkpoint), shard, or make the batch smaller.",
        _JAX,
    ),
    Row(
        (What.PROGRAM, What.TEMPORARIES, What.OUTPUTS),
        "Make the batch smaller, recompute activations (tf.recompute_grad), or compute in 16 bits"
        " (tf.keras.mixed_precision).",
        _TENSORFLOW,
    ),
    Row(
        (What.PROGRAM, What.TEMPORARIES, What.OUTPUTS),
        "Make the batch smaller, recompute activations (torch_xla.utils.checkpoint.checkpoint), shard the"
        " model (FSDP or SPMD), or end the graph earlier with torch_xla.sync().",
        _PYTORCH_XLA,
    ),
    Row(
        (What.CONSTANT,),
        "A constant of the program is too large, such as an array that a function closes over: pass it as an"
        " argument instead, so that it is stored once and not in every program.",
    ),
    # What is in memory beside it.
    Row(
        (What.FRAGMENTED,),
        "Enough memory is free in total, but not contiguous: allocate the large arrays first, and do not keep"
        " small ones alive between them.",
    ),
    Row(
        (What.LOAD,),
        "Free arrays that are not needed any more before this program runs: jax.live_arrays() lists them.",
        _JAX,
    ),
    Row(
        _OPEN,
        "See what else is in memory: jax.live_arrays(), jax.profiler.save_device_memory_profile(FILE).",
        _JAX,
    ),
    Row(
        (*_OPEN, What.LOAD),
        "Release tensors and datasets that are not needed any more, or make the batch smaller.",
        _TENSORFLOW,
    ),
    Row(
        _OPEN,
        "tf.config.experimental.get_memory_info('GPU:0') shows how much is in use;"
        " TF_GPU_ALLOCATOR=cuda_malloc_async helps against fragmentation.",
        _TENSORFLOW,
        ("gpu",),
    ),
    Row(
        (*_OPEN, What.LOAD),
        "Release tensors that are not needed any more (del), and call torch_xla.sync() so that graphs that"
        " hold them are run; torch_xla.core.xla_model.get_memory_info(device) shows how much is in use.",
        _PYTORCH_XLA,
    ),
    Row(
        (What.ARRAYS, What.LOAD, What.FRAGMENTED),
        "LIBTPU_INIT_ARGS=--tpu_log_allocations_on_oom=true makes the runtime log what is allocated.",
        platforms=("tpu",),
    ),
    Row(
        _OPEN,
        "The GPU's allocator takes a share of the device at the start: XLA_PYTHON_CLIENT_MEM_FRACTION=.95"
        " makes it larger; another process on the device makes it smaller.",
        _JAX,
        ("gpu",),
    ),
    Row(
        _OPEN,
        "The GPU's allocator takes a share of the device at the start: PJRT_ALLOCATOR_FRACTION=.95 makes it"
        " larger; another process on the device makes it smaller.",
        _PYTORCH_XLA,
        ("gpu",),
    ),
    Row(
        (What.PROCESS,),
        "This is the memory of the host: see what else the process holds, and what limit its container or job"
        " has.",
    ),
    Row((What.PROCESS,), "jax.live_arrays() lists the arrays that are alive.", _JAX, ("cpu",)),
    # On-chip memory.
    Row(
        (What.KERNEL, What.ON_CHIP),
        "A kernel asks for more shared memory than one block of threads may have: make its block sizes"
        " smaller, or use fewer pipeline stages (num_stages), each of which keeps a copy of the blocks.",
        platforms=("gpu",),
    ),
    Row(
        (What.KERNEL,),
        "A kernel's blocks are too large for on-chip memory: make its block sizes smaller.",
        platforms=("tpu",),
        spaces=(VMEM, None),
    ),
    Row(
        (What.ON_CHIP,),
        "On-chip memory ran out, and the text does not name the cause. If it is a kernel, make its block"
        " sizes smaller.",
        platforms=("tpu", None),
    ),
    Row(
        (What.KERNEL, What.ON_CHIP),
        "Allow a kernel more with pltpu.CompilerParams(vmem_limit_bytes=…).",
        _JAX,
        spaces=(VMEM,),
        wordings=_SCOPED,
    ),
    Row(
        (What.KERNEL, What.ON_CHIP),
        "Allow kernels more with LIBTPU_INIT_ARGS=--xla_tpu_scoped_vmem_limit_kib=….",
        (*_PYTORCH_XLA, *_TENSORFLOW),
        spaces=(VMEM,),
        wordings=_SCOPED,
    ),
    Row(
        (What.KERNEL, What.ON_CHIP),
        "A kernel keeps too much in scalar memory, which is small: put arrays elsewhere (pltpu.VMEM,"
        " pl.ANY), and only scalars and indices there.",
        spaces=(SMEM,),
    ),
    Row(
        (What.KERNEL, What.ON_CHIP),
        "A kernel has too many semaphores: use fewer, and wait for one before it is used again.",
        spaces=(SFLAG,),
    ),
    Row(
        (What.COMPILER,),
        "An operation of the compiler's own needs more on-chip memory than it may have: allow more with"
        " compiler_options={'xla_tpu_scoped_vmem_limit_kib': …}.",
        _JAX,
        wordings=_SCOPED,
    ),
    Row(
        (What.COMPILER,),
        "An operation of the compiler's own needs more on-chip memory than it may have: allow more with"
        " LIBTPU_INIT_ARGS=--xla_tpu_scoped_vmem_limit_kib=….",
        (*_PYTORCH_XLA, *_TENSORFLOW),
        wordings=_SCOPED,
    ),
    Row(
        (What.COMPILER,),
        "This should not happen for the compiler's own operations: report it to XLA"
        " (https://github.com/openxla/xla/issues) with the dump. Until then, other shapes, a smaller batch or"
        " another version of the compiler may avoid it.",
    ),
    # The host's memory that devices reach.
    Row(
        (What.HOST,),
        "This is pinned memory of the host, not the GPU's: allow more with"
        " XLA_PJRT_GPU_HOST_MEMORY_LIMIT_GB=…, or keep less there (fewer offloaded arrays, fewer transfers"
        " at a time).",
        (*_JAX, *_PYTORCH_XLA),
        ("gpu",),
    ),
    Row(
        (What.HOST,),
        "This is pinned memory of the host, not the GPU's: allow more with TF_GPU_HOST_MEM_LIMIT_IN_MB=…,"
        " or prefetch less.",
        _TENSORFLOW,
    ),
    Row(
        (What.HOST,),
        "This is memory of the host, not the device's: keep less there (fewer offloaded arrays, fewer"
        " transfers at a time), and see what limit its container or job has.",
        (*_JAX, *_PYTORCH_XLA),
        ("tpu", None),
    ),
    Row(
        (What.DMA,),
        "This is memory of the host that the device reaches by DMA, which must be locked: raise the limit"
        " (ulimit -l unlimited; in Docker --ulimit memlock=-1), and move less at a time.",
    ),
    # The driver's memory, beside the pool.
    Row(
        (What.COMMAND_BUFFERS,),
        "Command buffers (CUDA graphs) lie in the driver's memory, beside the pool."
        ' XLA_FLAGS="$XLA_FLAGS --xla_gpu_enable_command_buffer=" (empty) switches them off; fewer programs'
        " alive at a time need fewer.",
    ),
    Row(
        (What.CODE,),
        "The code of a program lies in the driver's memory, beside the pool. Large constants that"
        " functions close over make it larger: pass them as arguments.",
    ),
    Row((What.CODE, What.COMMAND_BUFFERS), "Drop programs that are done: jax.clear_caches().", _JAX),
    Row(
        (What.COLLECTIVES,),
        "Collective operations have buffers of their own, most of them beside the pool: NCCL_BUFFSIZE and"
        " NCCL_MAX_NCHANNELS make NCCL's smaller.",
    ),
    Row(
        (What.DRIVER,),
        "This is asked of the driver, beside the pool that the framework takes at the start; nvidia-smi"
        " shows what other processes hold.",
    ),
    Row(
        (What.CODE, What.COMMAND_BUFFERS, What.COLLECTIVES, What.DRIVER),
        "Leave the driver more: a lower XLA_PYTHON_CLIENT_MEM_FRACTION (such as .60; the default is .75), or"
        " XLA_PYTHON_CLIENT_PREALLOCATE=false.",
        _JAX,
    ),
    Row(
        (What.CODE, What.COMMAND_BUFFERS, What.COLLECTIVES, What.DRIVER),
        "Leave the driver more: tf.config.experimental.set_memory_growth, or a memory_limit for the device.",
        _TENSORFLOW,
    ),
    Row(
        (What.CODE, What.COMMAND_BUFFERS, What.COLLECTIVES, What.DRIVER),
        "Leave the driver more: a lower PJRT_ALLOCATOR_FRACTION, or PJRT_ALLOCATOR_PREALLOCATE=false.",
        _PYTORCH_XLA,
    ),
    Row(
        (What.SCRATCH,),
        "An algorithm of a library found no memory to work in. XLA tries others where it can; make room as"
        ' for arrays, or switch trying off with XLA_FLAGS="$XLA_FLAGS --xla_gpu_autotune_level=0".',
    ),
    Row(
        (What.UNIFIED,),
        "Unified memory takes from the host what the GPU lacks, and neither has enough: lower"
        " XLA_PYTHON_CLIENT_MEM_FRACTION (above 1 it counts the host), or keep less alive.",
        _JAX,
    ),
    Row(
        (What.TORCH,),
        "This is PyTorch's own allocator, and XLA has no plan of it: see torch.cuda.memory_summary();"
        " PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True helps against fragmentation.",
    ),
    Row(
        (What.WARNING,),
        "Nothing has failed by this: look further down in the log for an error.",
    ),
)
