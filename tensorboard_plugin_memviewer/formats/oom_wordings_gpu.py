"""The table of wordings for GPU: XLA's allocators, the drivers of CUDA and ROCm, compilers of kernels."""

from __future__ import annotations

from tensorboard_plugin_memviewer.formats.oom_kinds import What, Wording, logged, sentence
from tensorboard_plugin_memviewer.model.space import HBM

_OUT = r"(?:out[ _]?of[ _]?memory)"

SENTENCES = (
    sentence(
        Wording.GPU_ALLOCATION,
        "run",
        What.ALLOCATION,
        "trying to allocate",
        r"Out of (?:device )?memory while trying to allocate @requested",
        space=HBM,
    ),
    sentence(
        Wording.GPU_REQUEST,
        "run",
        What.ALLOCATION,
        "failed to allocate request",
        r"Failed to allocate request for [\d.]{1,20}\w{1,4} \(@requested\)"
        r" on device ordinal (?P<device>\d{1,6})",
        space=HBM,
    ),
    sentence(
        Wording.GPU_ASYNC,
        "run",
        What.ALLOCATION,
        "async failed to allocate",
        r"(?:cuMemAlloc|cudaMalloc|hipMalloc)Async failed to allocate @requested"
        r"(?:.{0,300}?Free memory/Total memory: @free/@capacity)?",
        space=HBM,
    ),
    sentence(
        Wording.GPU_UNIFIED,
        "run",
        What.UNIFIED,
        "unified memory",
        r"failed to alloc(?:ate)? (?:[\d.]{1,20}\w{1,4} \(@requested\)|(?P<requested_too>\d{1,18}) bytes)"
        r" (?:of )?unified memory",
    ),
    sentence(
        Wording.GPU_CONSTANT,
        "load",
        What.CONSTANT,
        "constant",
        r"Failed to allocate @requested for (?:new |a )?constants?",
        space=HBM,
    ),
    sentence(
        Wording.GPU_SCRATCH,
        "compile",
        What.SCRATCH,
        "exceeds the memory limit",
        r"Allocating @requested exceeds the memory limit of @capacity",
        space=HBM,
    ),
    sentence(
        Wording.GPU_SCRATCH,
        "run",
        What.SCRATCH,
        "fail",
        r"Failed to allocate (?:scratch memory for|work ?(?:area|space))"
        r"|Scratch (?:space )?allocation failed",
        space=HBM,
    ),
    sentence(
        Wording.GPU_CODE,
        "load",
        What.CODE,
        "load",
        rf"(?:Failed to load (?:in-memory (?:CUBIN|PTX|module|HSACO|code object)|(?:PTX|HSACO|CUBIN)\b)"
        rf"|(?:cuModuleLoad|cuLibraryLoad|hipModuleLoad)\w{{0,20}}\b).{{0,200}}?{_OUT}",
    ),
    sentence(
        Wording.GPU_COMMAND_BUFFER,
        "run",
        What.COMMAND_BUFFERS,
        "instantiat",
        r"ran out of memory trying to instantiate (?:command buffer|graph)",
    ),
    sentence(
        Wording.GPU_COMMAND_BUFFER,
        "run",
        What.COMMAND_BUFFERS,
        "graph",
        rf"(?:Failed to (?:instantiate|create|update|launch|upload|add)[\w ]{{0,30}}\bgraph"
        rf"|(?:cu|hip)Graph\w{{1,40}}\b).{{0,200}}?{_OUT}",
    ),
    sentence(
        Wording.GPU_COLLECTIVE,
        "run",
        What.COLLECTIVES,
        "failed to allocate",
        r"Failed to allocate @requested (?:of |for )?(?:a |the )?"
        r"(?:collective memory|NCCL|RCCL|all-reduce|all-gather|reduce-scatter|all-to-all"
        r"|ragged[- ]all-to-all|symmetric)",
        space=HBM,
    ),
    sentence(
        Wording.GPU_COLLECTIVE,
        "run",
        What.COLLECTIVES,
        "ccl",
        rf"\b[NR]CCL (?:operation|error|WARN|call).{{0,400}}?{_OUT}",
    ),
    sentence(
        Wording.GPU_COLLECTIVE,
        "run",
        What.COLLECTIVES,
        "ragged",
        r"Failed to allocate RaggedAllToAll barrier buffers",
    ),
    sentence(
        Wording.GPU_LIBRARY,
        "run",
        What.DRIVER,
        "alloc",
        r"\b(?:CUBLAS|CUDNN|CUSOLVER|CUSPARSE|CUFFT|CURAND|NVSHMEM|HIPBLAS|MIOPEN)_?(?:STATUS_)?ALLOC_?FAILED"
        r"|failed to create \w{1,20} handle: the resource allocation failed",
    ),
    logged(
        sentence(
            Wording.GPU_LIBRARY,
            "run",
            What.DRIVER,
            "due to oom",
            r"Failure to initialize \w{1,20} may be due to OOM",
        )
    ),
    sentence(
        Wording.GPU_SHARED_MEMORY,
        "compile",
        What.KERNEL,
        "shared memory size limit",
        r"Shared memory size limit exceeded: requested @requested, available: @capacity"
        r"(?:, context: \[(?P<instruction>[\w.-]{1,400})\])?",
    ),
    sentence(
        Wording.GPU_SHARED_MEMORY,
        "compile",
        What.KERNEL,
        "available shared memory",
        r"exceeds available shared memory:? (?:smem_bytes=)?@requested > (?:max_smem_bytes=)?@capacity",
    ),
    sentence(
        Wording.GPU_SHARED_MEMORY,
        "compile",
        What.KERNEL,
        "out of resource",
        r"out of resources?: shared memory,? ?Required: ?(?P<requested>\d{1,15}),? ?"
        r"Hardware limit(?:ation)?: ?@capacity",
    ),
    sentence(
        Wording.GPU_SHARED_MEMORY,
        "compile",
        What.KERNEL,
        "device resources",
        r"Shared memory requested \((?P<requested>\d{1,15}) ?b(?:ytes)?\) exceeds device resources"
        r" \((?P<capacity>\d{1,15})",
    ),
    sentence(
        Wording.GPU_SHARED_MEMORY,
        "compile",
        What.KERNEL,
        "of shared memory",
        r"@requested of shared memory, which exceeds the (?:\w{1,20} )?limit of @capacity",
    ),
    sentence(
        Wording.GPU_SHARED_MEMORY,
        "compile",
        What.KERNEL,
        "too much shared data",
        r"(?:function '(?P<instruction>[^'\s]{1,400})' )?uses too much shared data"
        r" \((?P<requested>0x[0-9a-f]{1,15}) bytes, (?P<capacity>0x[0-9a-f]{1,15}) max",
    ),
    sentence(
        Wording.GPU_SHARED_MEMORY,
        "compile",
        What.KERNEL,
        "local memory (",
        r"local memory \(@requested\) exceeds limit \(@capacity\)"
        r"(?: in function '(?P<instruction>[^'\s]{1,400})')?",
    ),
    sentence(
        Wording.GPU_SHARED_MEMORY,
        "compile",
        What.KERNEL,
        "ran out of shared memory",
        r"Ran out of shared memory",
    ),
    # Its figures are columns, not bytes.
    sentence(
        Wording.GPU_TENSOR_MEMORY,
        "compile",
        What.KERNEL,
        "mem",
        r"Tensor memory size limit exceeded|TMEM allocation exceeds memory limit"
        r"|out of resources?: tensor memory",
    ),
    logged(
        sentence(
            Wording.GPU_ALLOCATOR,
            "run",
            What.ALLOCATION,
            "ran out of memory trying",
            r"Allocator \((?P<device>[^)\s]{1,80})\) ran out of memory trying to allocate"
            r" (?:[\d.]{1,20}\w{1,4} \(rounded to @requested\)|(?P<requested_too>[\d.]{1,20}[KMGT]?i?B))"
            r"(?:(?:requested by op| with freed_by_count=\d{1,9})?\.? ?"
            r"(?P<warning>The caller indicates that this is not a failure))?",
            space=HBM,
        )
    ),
    logged(
        sentence(
            Wording.GPU_DRIVER,
            "run",
            What.DRIVER,
            "from device",
            r"Failed to allocate [\d.]{1,20}\w{1,4} \(@requested\) from device",
            space=HBM,
        )
    ),
)
