"""Out-of-memory texts in every known wording, and what is taken from them: our texts, real forms."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensorboard_plugin_memviewer.formats.oom_text import MOST_TEXT, OomReport, parse_oom
from tensorboard_plugin_memviewer.formats.oom_wordings import SENTENCES, Wording
from tensorboard_plugin_memviewer.formats.printed_bytes import printed_amount

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


def test_tpu_total_of_hlo_temporaries() -> None:
    report = read(
        "jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: Ran out of memory on HBM, the total"
        " memory required for HLO"
        " temporaries (18.00G) exceeds available HBM (15.75G). HLO module: jit_fwd_bwd."
    )
    assert (report.wording, report.platform, report.when) == (Wording.TPU_TOTAL, "tpu", "compile")
    assert (report.space, report.space_text, report.module) == (0, "HBM", "jit_fwd_bwd")
    assert report.required is not None
    assert report.capacity is not None
    assert report.exceeded is not None
    assert report.required.admits(18 * GIB + 512)
    assert report.required.approximate
    assert not report.required.admits(18 * GIB + 16 * MIB)
    assert report.capacity.bytes == 16911433728
    assert report.exceeded.bytes == 9 * GIB // 4
    assert report.exceeded.admits(18 * GIB + 512 - 16911433728)


def test_tpu_memory_space_with_its_list() -> None:
    report = read(TPU_LIST)
    assert (report.wording, report.space, report.count) == (Wording.TPU_MEMORY_SPACE, 0, 1)
    assert report.exceeded is not None
    assert report.exceeded.admits(round(5.02 * GIB))
    parts = {(part.section, part.name): part.amount.bytes for part in report.parts}
    assert parts["usage", "reserved"] == 530 * MIB
    assert parts["usage", "arguments"] == 0
    assert parts["program", "scoped"] == round(1.17 * MIB)
    assert parts["program", "global"] == 276 * KIB
    first, second = report.listed
    assert (first.rank, first.opcode, first.instruction, first.kind) == (1, "iota", "iota.2", "HLO temp")
    assert (first.op_name, first.op_type) == ("jit(step)/net/one_hot", "OneHot")
    assert (first.source_file, first.source_line) == ("/home/u/my net.py", 12)
    assert first.shape == "s32[29360128,10]{1,0:T(8,128)}"
    assert first.size is not None
    assert first.size.admits(29360128 * 128 * 4)
    assert first.padding is not None
    assert first.padding.bytes == round(12.91 * GIB)
    assert second.padding is None
    assert second.source_line is None
    assert (second.instruction, second.opcode) == ("fusion.9.remat3", "fusion")


def test_the_same_list_flattened_to_one_line_and_with_log_prefixes() -> None:
    flat = read(" ".join(TPU_LIST.split()))
    tagged = read(
        "".join(f"(Core pid=106) ERROR 06-03 07:41:11 [core.py:11] {x}\n" for x in TPU_LIST.split("\n"))
    )
    original = read(TPU_LIST)
    for other in (flat, tagged):
        assert other.parts == original.parts
        assert [(x.size, x.shape, x.instruction, x.kind) for x in other.listed] == [
            (x.size, x.shape, x.instruction, x.kind) for x in original.listed
        ]


def test_vmem_and_smem_are_numbered_as_the_hardware_is() -> None:
    smem = read(
        "Ran out of memory in memory space smem. Used 1.00M of 1.00M smem. Exceeded smem capacity by 1.7K."
    )
    vmem = read(
        "Ran out of memory in memory space vmem. Used 65.05M of 64.00M vmem. Exceeded vmem capacity by 1.05M"
    )
    assert (smem.space, vmem.space) == (4, 1)
    assert smem.exceeded is not None
    assert (smem.exceeded.low, smem.exceeded.high) == (1690, 1792)


def test_tpu_cores_are_added() -> None:
    report = read(
        "RESOURCE_EXHAUSTED: TPU TensorCore Hbm usage: 34.82G, SparseCore Hbm usage 174.10G,"
        " exceeding available"
        " bytes: 95.74G"
    )
    assert report.wording is Wording.TPU_CORES
    assert report.required is not None
    assert report.required.bytes == pytest.approx(208.92 * GIB, abs=2)
    assert [part.name for part in report.parts] == ["TensorCore", "SparseCore"]


def test_tpu_allocation_names_its_instruction() -> None:
    report = read(
        "XlaRuntimeError: RESOURCE_EXHAUSTED: Allocation (size=134217728) would exceed memory"
        " (size=67108864) ::"
        " #allocation25 [shape = 'u8[134217728]{0}', space=vmem, size = 0x8000000, tag = 'scoped memory for"
        " my_kernel.2'] :: my_kernel.2"
    )
    assert (report.wording, report.space) == (Wording.TPU_ALLOCATION, 1)
    assert report.failed is not None
    assert report.failed.size == printed_amount("134217728")
    assert (report.failed.shape, report.failed.instruction) == ("u8[134217728]{0}", "my_kernel.2")
    assert (report.failed.tag, report.failed.name) == ("scoped memory for my_kernel.2", "allocation25")
    assert report.exceeded is not None
    assert report.exceeded.bytes == 67108864


def test_tpu_allocation_whose_tag_is_prose() -> None:
    """Brackets and sentences inside the tag end nothing."""
    report = read(
        "RESOURCE_EXHAUSTED: Allocation (size=16777216) would exceed memory (size=1048576) :: #allocation2"
        " [shape = 'u8[16777216]{0}', space=smem, size = 0x1000000, scoped, tag = 'input window allocation"
        " for operator input 0. The window shape is s32[4096,1024], while the full shape is s32[4096,1024]."
        " The u8 shape/size shown above represents the raw byte size of this window in VMEM.'] ::"
        " smem_kernel.1"
    )
    assert (report.space, report.space_text) == (4, "smem")
    assert report.failed is not None
    assert report.failed.instruction == "smem_kernel.1"
    assert report.failed.tag.endswith("of this window in VMEM.")


def test_sparsecore_kernel_counts_in_words() -> None:
    report = read(
        "INTERNAL: Failed to run MLO pass pipeline.gather.6:57:1: error: 'memref.alloca' op E3000:"
        " CompileTimeSparseCoreAllocationFailure: current allocation offset upper bound (134217727 words)"
        " exceeds the legitimate user allocatable offset upper bound (2097151 words) in memory space spmem"
        " when allocating 134217728 words\nSee https://openxla.org/xla/errors/error_3000 for more details."
    )
    assert (report.wording, report.when, report.space_text) == (Wording.TPU_SPARSECORE, "compile", "spmem")
    assert report.failed is not None
    assert report.failed.size is not None
    assert report.capacity is not None
    assert (report.failed.instruction, report.failed.size.bytes) == ("gather.6", 512 * MIB)
    assert report.capacity.bytes == 8 * MIB - 4


def test_tpu_allocation_without_an_instruction_takes_it_from_the_tag() -> None:
    report = read(
        "Allocation (size=107374182400) would exceed memory (size=17179869184) :: #allocation7 [shape ="
        " 'u8[327680,327680]{1,0:T(8,128)(4,1)}', space=hbm, size = 0xffffffffffffffff, tag = 'output of"
        " xor_convert_fusion@{}'] :: <no-hlo-instruction>"
    )
    assert report.failed is not None
    assert report.failed.instruction == "xor_convert_fusion"
    assert report.space == 0


def test_scoped_error_takes_its_instruction_from_the_sentence_before() -> None:
    report = read(SCOPED)
    assert (report.wording, report.space) == (Wording.TPU_SCOPED, 1)
    assert report.failed is not None
    assert report.failed.size is not None
    assert report.exceeded is not None
    assert (report.failed.instruction, report.failed.opcode) == ("flash.27", "custom-call")
    assert report.failed.shape == "bf16[1,2,37888,72]{3,2,1,0:T(8,128)(2,1)}"
    assert report.failed.size.bytes == round(19.85 * MIB)
    assert report.exceeded.bytes == round(3.85 * MIB)


def test_a_bare_sentence_has_no_figures_and_an_old_list_no_sizes() -> None:
    report = read(
        "Compilation failure: Ran out of memory in memory space vmem. It should not be possible"
        " to run out of vmem\n\n"
        "Largest program allocations in vmem:\n\n  XLA label: register allocator spill slots\n "
        " Allocation type: scoped\n\n"
        "  XLA label: %fusion.177 = (bf16[], f32[256]{0}) fusion(f32[256]{0}, ...(+13)), kind=kOutput\n"
        "  Allocation type: scoped\n"
    )
    assert report.wording is Wording.TPU_STACK
    assert report.required is None
    assert report.capacity is None
    assert [(x.rank, x.size, x.instruction, x.kind) for x in report.listed] == [
        (1, None, "", "scoped"),
        (2, None, "fusion.177", "scoped"),
    ]


def test_tpu_run_time() -> None:
    buffer = read(
        "ValueError: RESOURCE_EXHAUSTED: Error allocating device buffer: Attempting to allocate"
        " 8.00M. That was not"
        " possible. There are 6.43M free.; (0x0x1_HBM0)"
    )
    assert (buffer.wording, buffer.when, buffer.device, buffer.space) == (
        "tpu_device_buffer",
        "run",
        "0x0x1_HBM0",
        0,
    )
    assert buffer.failed is not None
    assert buffer.failed.size is not None
    assert buffer.free is not None
    assert buffer.failed.size.bytes == 8 * MIB
    assert buffer.free.bytes == round(6.43 * MIB)
    program = read(
        "RESOURCE_EXHAUSTED: Error loading program 'jit_step_fn': Attempting to reserve 29.49G"
        " at the bottom of"
        " memory. That was not possible. There are 147.64M free, 0B reserved, and 147.64M"
        " reservable. Scope: unknown"
    )
    assert (program.wording, program.when, program.module) == ("tpu_program_load", "load", "jit_step_fn")
    assert program.required is not None
    assert program.required.bytes == round(29.49 * GIB)


def test_tpu_program_load_with_the_state_of_the_device() -> None:
    report = read(
        "Attempting to reserve 3.95G at the bottom of memory. That was not possible. There are"
        " 1.92G free, 0B reserved,"
        " and 1.92G reservable.; \nHBM capacity 8.00G:\n   Top-of-Memory reserved:  529.00M (  "
        "   554,696,704 bytes)\n"
        "   Currently allocated:    6.08G (   6,532,939,776 bytes)\n"
    )
    assert report.capacity is not None
    assert report.capacity.bytes == 8 * GIB
    assert {p.name: p.amount.bytes for p in report.parts}["currently allocated"] == 6532939776


def test_gpu_run_time_with_its_peak_buffers() -> None:
    report = read(GPU_LIST)
    assert (report.wording, report.platform, report.space) == (Wording.GPU_ALLOCATION, "gpu", 0)
    assert report.failed is not None
    assert report.failed.size is not None
    assert report.failed.size.bytes == 2110783616
    assert not report.failed.size.approximate
    assert {p.name for p in report.parts} == {
        "parameter",
        "constant",
        "maybe_live_out",
        "preallocated temp",
        "preallocated temp fragmentation",
        "total",
        "total fragmentation",
    }
    first, second = report.listed
    assert (first.rank, first.opcode, first.shape) == (1, "custom-call", "f32[5104,257152]")
    assert first.size is not None
    assert first.size.admits(5104 * 257152 * 4)
    assert (second.kind, second.shape) == ("entry parameter", "f16[2048,257152]")


ONE_LINE = {
    "Out of memory while trying to allocate 214748364800 bytes.": ("gpu_allocation", 200 * GIB),
    "Out of memory while trying to allocate 16.00GiB.": ("gpu_allocation", 16 * GIB),
    "Out \nof memory while trying to allocate 5520758552 bytes.": ("gpu_allocation", 5520758552),
    "Failed to allocate request for 154.06GiB (165425291480B) on device ordinal 0": (
        "gpu_request",
        165425291480,
    ),
    "Shared memory size limit exceeded: requested 4194304, available: 101376": ("gpu_shared_memory", 4194304),
    "Out of memory allocating 17592186044416 bytes.": ("cpu_allocation", 2**44),
    "Allocator (GPU_1_bfc) ran out of memory trying to allocate 27.93GiB (rounded to 29995136256)requested": (
        "gpu_allocator",
        29995136256,
    ),
    "failed to allocate 154.06GiB (165425291480 bytes) from device: HIP_ERROR_OutOfMemory": (
        "gpu_driver",
        165425291480,
    ),
}


@pytest.mark.parametrize("text", ONE_LINE)
def test_one_line_wordings(text: str) -> None:
    wording, size = ONE_LINE[text]
    report = read(f"Bad StatusOr access: RESOURCE_EXHAUSTED: {text} [type.googleapis.com/x.DerivedStatus='']")
    assert (report.wording, report.platform) == (wording, wording[:3])
    assert report.failed is not None
    assert report.failed.size is not None
    assert report.failed.size.bytes == size


def test_tensorflow_tensor_has_a_shape_and_no_size() -> None:
    report = read(
        "OOM when allocating tensor with shape[16,112,112,147] and type float on"
        " /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc"
    )
    assert report.platform == "gpu"
    assert report.failed is not None
    assert report.failed.size is None
    assert report.failed.shape == "[16,112,112,147] and type float"


def test_a_warning_is_taken_where_there_is_no_error() -> None:
    warning = (
        "Can't reduce memory use below 22.27GiB (23917347918 bytes) by rematerialization;"
        " only reduced to 37.90GiB"
    )
    report = read(warning)
    assert report.wording is Wording.REMATERIALIZATION
    assert report.capacity is not None
    assert report.capacity.admits(23917347918)
    both = read(f"Out of memory while trying to allocate 10 bytes.\n{warning}")
    assert both.wording is Wording.GPU_ALLOCATION


def test_the_last_error_of_a_log_counts() -> None:
    def error(size: int) -> str:
        return f"RESOURCE_EXHAUSTED: Out of memory while trying to allocate {size} bytes.\n"

    report = read(error(1) + error(2) + "retrying\n" + error(3))
    assert report.failed is not None
    assert report.failed.size is not None
    assert (report.failed.size.bytes, report.count) == (3, 3)


@pytest.mark.parametrize(
    "text", ["", "all is well", "INVALID_ARGUMENT: shapes differ", "MemoryError", "Used 3G of it"]
)
def test_what_is_no_out_of_memory_text(text: str) -> None:
    assert parse_oom(text) is None


def printed(count: int) -> str:
    """As XLA's printer writes `count` bytes: integer divisions, then one or two decimals."""
    if count < KIB:
        return f"{count}B"
    unit = 0
    while count >= MIB:
        count //= KIB
        unit += 1
    return f"{count / 1024:.1f}K" if unit == 0 else f"{count / 1024:.2f}{'KMGTPE'[unit]}"


@given(st.integers(min_value=0, max_value=2**62))
def test_a_printed_figure_admits_the_value_it_was_printed_from(count: int) -> None:
    amount = printed_amount(printed(count))
    assert amount is not None
    assert amount.admits(count)
    assert amount.low <= amount.bytes <= amount.high


@given(st.integers(min_value=0, max_value=2**50), st.integers(min_value=0, max_value=2**50))
def test_a_difference_of_printed_figures_admits_the_true_difference(first: int, second: int) -> None:
    larger, smaller = printed_amount(printed(max(first, second))), printed_amount(printed(min(first, second)))
    assert larger is not None
    assert smaller is not None
    assert (larger - smaller).admits(abs(first - second))


@settings(max_examples=200)
@given(
    st.lists(
        st.sampled_from(
            [*TPU_LIST.split(" "), *GPU_LIST.split("\n"), *SCOPED.split(" "), "\n", "(", "9" * 40]
        )
    )
)
def test_shuffled_words_never_raise(words: list[str]) -> None:
    parse_oom(" ".join(words))


@given(st.text())
def test_any_text_is_read_without_error(text: str) -> None:
    parse_oom(text)


@pytest.mark.parametrize(
    "seed",
    [
        "Allocation (size=1) would exceed memory (size=1) :: a [",
        "pass pipeline.a:1:1: error: CompileTimeSparseCoreAllocationFailure: ",
        "Allocation (size=1) would exceed memory (size=1) :: a [b = 'c', " + "d" * 300 + "'e'",
        "Ran out of memory in memory space vmem while allocating on stack for x = (",
        "Attempting to reserve 1G at the bottom of memory. That was not possible. There are 1G free HBM ",
        "Error loading program '",
        "Used 1G of 1G hbm. Exceeded ",
        "1. Size: ",
        "Largest program allocations in hbm: ",
        "Total hbm usage >= 1G program ",
        "(Core pid=1) ",
        "9",
        " \n",
        "XLA label: a = (",
        'Operator: a="',
        "OOM when allocating tensor with shape[1,",
    ],
)
def test_hostile_repeats_take_bounded_time(seed: str) -> None:
    text = "Largest program allocations in hbm:\n" + seed * (MOST_TEXT // len(seed) // 8)
    began = time.process_time()
    parse_oom(text)
    assert time.process_time() - began < 8


def test_every_wording_has_a_sentence() -> None:
    assert {sentence.wording for sentence in SENTENCES} == set(Wording)
