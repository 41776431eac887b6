"""Out-of-memory texts of several lines, in their real forms and our words, and how a test reads one."""

from __future__ import annotations

from tensorboard_plugin_memviewer.formats.oom_text import OomReport, parse_oom

GIB, MIB, KIB = 2**30, 2**20, 2**10

TPU_LIST = """\
jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. \
Ran out of memory in memory space hbm. Used 20.50G of 15.48G hbm. Exceeded hbm capacity by 5.02G.

Total hbm usage >= 21.02G:
    reserved        530.00M
    program          20.50G
    arguments            0B

Output size 0B; shares 0B with arguments.

Program hbm requirement 20.50G:
    global           276.0K
    scoped            1.17M
    HLO temp         20.49G (33.1% utilization: Unpadded (6.78G) Padded (20.40G), 0.4% fragmentation (92.02M))

  Largest program allocations in hbm:

  1. Size: 14.00G
     Operator: op_type="OneHot" op_name="jit(step)/net/one_hot" source_file="/home/u/my net.py" source_line=12
     Shape: s32[29360128,10]{1,0:T(8,128)}
     Unpadded size: 1.09G
     Extra memory due to padding: 12.91G (12.8x expansion)
     XLA label: %iota.2 = s32[29360128,10]{1,0:T(8,128)} iota(), iota_dimension=1
     Allocation type: HLO temp
     ==========================

  2. Size: 2.62G
     Operator: op_name="jit(step)/transpose(jvp(net))/conv" stack_frame_id=459
     Shape: f32[128,256,896,18]{0,3,2,1:T(8,128)}
     Unpadded size: 1.97G
     XLA label: fusion.9.remat3 = fusion(get-tuple-element.4316, copy.3), kind=kLoop, calls=fused_computation
     Allocation type: HLO temp
     ==========================
"""

GPU_LIST = """\
2024-05-28 07:02:44.349554: W external/tsl/tsl/framework/bfc_allocator.cc:482] Allocator (GPU_0_bfc) \
ran out of memory trying to allocate 1.97GiB (rounded to 2110783744)requested by op
E0528 07:02:44.350251   27487 pjrt_stream_executor_client.cc:2826] Execution of replica 0 failed: \
RESOURCE_EXHAUSTED: Out of memory while trying to allocate 2110783616 bytes.
BufferAssignment OOM Debugging.
BufferAssignment stats:
             parameter allocation:    1.02GiB
              constant allocation:         0B
        maybe_live_out allocation:    4.89GiB
     preallocated temp allocation:    1.97GiB
  preallocated temp fragmentation:         0B (0.00%)
                 total allocation:    7.88GiB
              total fragmentation:       112B (0.00%)
Peak buffers:
\tBuffer 1:
\t\tSize: 4.89GiB
\t\tOperator: op_name="jit(dot)/jit(main)/dot_general" source_file="/u/gemma.py" source_line=175
\t\tXLA Label: custom-call
\t\tShape: f32[5104,257152]
\t\t==========================

\tBuffer 2:
\t\tSize: 1004.50MiB
\t\tEntry Parameter Subshape: f16[2048,257152]
\t\t==========================
"""

SCOPED = (
    "RESOURCE_EXHAUSTED: E1001: CompileTimeScopedVmemOom:\nRan out of memory in memory space"
    " vmem while allocating"
    " on stack for %flash.27 = bf16[1,2,37888,72]{3,2,1,0:T(8,128)(2,1)} custom-call(%bitcast.1), "
    'custom_call_target="tpu_custom_call".\nScoped allocation with size 19.85M and limit 16.00M exceeded'
    " scoped vmem limit by 3.85M. It should not be possible to run out of scoped vmem"
)


def read(text: str) -> OomReport:
    report = parse_oom(text)
    assert report is not None
    return report
