"""Which sentence of a text counts, and that no text, however hostile, breaks the reader or holds it up."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensorboard_plugin_memviewer.formats.oom_kinds import Wording
from tensorboard_plugin_memviewer.formats.oom_text import MOST_TEXT, parse_oom
from tensorboard_plugin_memviewer.formats.oom_wordings import SENTENCES
from tests.cost import grows_in_proportion
from tests.formats.oom_texts import GPU_LIST, SCOPED, TPU_LIST, read


def test_the_last_error_of_a_log_counts() -> None:
    def error(size: int) -> str:
        return f"RESOURCE_EXHAUSTED: Out of memory while trying to allocate {size} bytes.\n"

    report = read(error(1) + error(2) + "retrying\n" + error(3))
    assert report.failed is not None
    assert report.failed.size is not None
    assert (report.failed.size.bytes, report.count) == (3, 3)


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


@pytest.mark.parametrize(
    "text", ["", "all is well", "INVALID_ARGUMENT: shapes differ", "MemoryError", "Used 3G of it"]
)
def test_what_is_no_out_of_memory_text(text: str) -> None:
    assert parse_oom(text) is None


def test_every_wording_has_a_sentence() -> None:
    assert {sentence.wording for sentence in SENTENCES} == set(Wording) - {Wording.UNKNOWN}


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
        "cuGraphA",
        "Failed to create graph ",
        "failed to load in-memory CUBIN ",
        "NCCL operation ",
        "quota exceeded RESOURCE_EXHAUSTED ",
        "out of memory ",
        "allocate 1GiB free RESOURCE_EXHAUSTED ",
        "\x1b[",
        "XLA label: register allocator spill slots ",
    ],
)
def test_hostile_repeats_cost_no_more_than_their_length(seed: str) -> None:
    eighth = seed * (MOST_TEXT // len(seed) // 64)
    assert grows_in_proportion(
        lambda times: parse_oom("Largest program allocations in hbm:\n" + eighth * times)
    )
