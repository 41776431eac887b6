"""What a TPU's compiler says where a program needs too much memory, and what is taken from it."""

from __future__ import annotations

import pytest

from tensorboard_plugin_memviewer.formats.oom_kinds import Wording
from tensorboard_plugin_memviewer.formats.printed_bytes import printed_amount
from tests.formats.oom_texts import GIB, KIB, MIB, SCOPED, TPU_LIST, read


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


def test_tpu_allocation_without_an_instruction_takes_it_from_the_tag() -> None:
    report = read(
        "Allocation (size=107374182400) would exceed memory (size=17179869184) :: #allocation7 [shape ="
        " 'u8[327680,327680]{1,0:T(8,128)(4,1)}', space=hbm, size = 0xffffffffffffffff, tag = 'output of"
        " xor_convert_fusion@{}'] :: <no-hlo-instruction>"
    )
    assert report.failed is not None
    assert report.failed.instruction == "xor_convert_fusion"
    assert report.space == 0


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
