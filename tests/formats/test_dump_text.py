"""Text reports of a dump: the same plan as the proto beside them, and honest about what they lack."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensorboard_plugin_memviewer.analysis.usage import plan, space_usage
from tensorboard_plugin_memviewer.errors import Damaged
from tensorboard_plugin_memviewer.formats.dump_text import parse_allocations
from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module
from tensorboard_plugin_memviewer.formats.text_module import decode_text_module
from tensorboard_plugin_memviewer.model.module import AllocationType
from tests.cost import grows_in_proportion

DATA = Path(__file__).parents[1] / "data" / "dump_text"
STEM = "module_0006.jit_f.cpu_after_optimizations"
ASSIGNMENT = (DATA / f"{STEM}-buffer-assignment.txt").read_text()

OLD = """\
BufferAssignment:
allocation 0: 0x27017c46b600, size 32768, parameter 0, shape f32[256,32] at ShapeIndex {}:
 value: <3 parameter @0> (size=32768,offset=0): f32[256,32]{1,0}
allocation 1: size 128, output shape is |(f32[32], thread-local)|, maybe-live-out:
 value: <5 reduce @0> (size=128,offset=0): f32[32]{0}
allocation 2: size 4, thread-local:
 value: <0 x.1 @0> (size=4,offset=0): f32[]
allocation 3: size 4, constant:
 value: <4 init @0> (size=4,offset=0): f32[]
allocation 4: size 4096, color 1, preallocated-temp:
 value: <7 fusion{1,0} (phi) @1> (size=4096,offset=0): bf16[3,5]{1,0:T(8,128)(2,1)S(1)}
 value: <8 odd {name} @1> (size=64,offset=128): what[is]{this}

Total bytes used: 37000 (36.1KiB)

Used values:
<3 parameter @0>
 positions:
  parameter
 uses:
  reduce, operand 0
 from instruction: %parameter = f32[256,32]{1,0} parameter(0)
"""


def test_the_text_gives_the_same_plan_as_the_proto() -> None:
    text = decode_text_module(ASSIGNMENT, "jit_f", "cpu")
    proto = decode_module((DATA / f"{STEM}.hlo.pb").read_bytes(), "cpu")
    for column in ("index", "size", "space", "type", "live_out", "is_constant", "is_thread_local"):
        assert np.array_equal(getattr(text.allocations, column), getattr(proto.allocations, column)), column
    assert text.allocations.parameter_number == proto.allocations.parameter_number
    rows = {int(key): row for row, key in enumerate(proto.buffers.ids)}
    order = [rows[int(key)] for key in text.buffers.ids]
    assert sorted(order) == list(range(len(proto.buffers)))
    for column in ("size", "unpadded", "space", "offset", "allocation"):
        assert np.array_equal(getattr(text.buffers, column), getattr(proto.buffers, column)[order]), column
    assert text.buffers.shape_index == tuple(proto.buffers.shape_index[row] for row in order)
    for row, other in enumerate(order):
        mine, theirs = int(text.buffers.instruction[row]), int(proto.buffers.instruction[other])
        assert text.instructions.names[mine] == proto.instructions.names[theirs]
        assert text.shapes[text.buffers.shape[row]].text() == proto.shapes[proto.buffers.shape[other]].text()


def test_sums_are_exact_and_temporaries_count_as_untraced() -> None:
    text = plan(decode_text_module(ASSIGNMENT, "jit_f", "cpu"))
    proto = plan(decode_module((DATA / f"{STEM}.hlo.pb").read_bytes(), "cpu"))
    mine, theirs = space_usage(text, 0), space_usage(proto, 0)
    for name in ("allocated_bytes", "argument_bytes", "output_bytes", "temporary_bytes", "required_bytes"):
        assert getattr(mine.headline, name) == getattr(theirs.headline, name), name
    assert text.order.axis == "events"
    assert mine.headline.untraced_bytes == mine.headline.temporary_peak_bytes
    assert mine.headline.peak_bytes <= mine.headline.required_bytes


def test_the_module_says_what_is_missing_and_which_flag_adds_it() -> None:
    problem = decode_text_module(ASSIGNMENT, "jit_f").problems[0]
    assert problem.code == "no_lifetimes"
    assert "--xla_dump_hlo_as_proto" in problem.advice


def test_the_older_text() -> None:
    parameter, output, thread_local, constant, temporary = parse_allocations(OLD)
    assert [x.type for x in (parameter, output, thread_local, constant, temporary)] == list(AllocationType)
    assert (parameter.size, parameter.parameter, parameter.values[0].name) == (32768, 0, "parameter")
    assert "thread-local" not in output.flags, "the shape between bars is no flag"
    assert (temporary.space, len(temporary.values)) == (1, 2)
    assert temporary.values[0].shape_index == (1, 0)
    module = decode_text_module(OLD, "old")
    assert module.buffers.unpadded.tolist()[-2:] == [30, 64]
    assert [problem.code for problem in module.problems] == ["no_lifetimes", "shape_text"]


@pytest.mark.parametrize("text", ["", "HloModule jit_f\n", "allocation 1: size x, constant:\n"])
def test_what_is_no_buffer_assignment(text: str) -> None:
    with pytest.raises(Damaged, match="no buffer assignment"):
        decode_text_module(text, "x")


def test_more_memory_than_can_be_is_damage() -> None:
    with pytest.raises(Damaged):
        decode_text_module(f"allocation 0: size {10**18 * 2}, constant:\n" * 2, "x")


def test_a_value_in_two_allocations_keeps_its_first_place() -> None:
    value = " value: <1 a @0> (size=4,offset={}): f32[]\n"
    text = f"allocation 0: size 8, constant:\n{value.format(4)}allocation 1: size 4:\n{value.format(0)}"
    module = decode_text_module(text, "x")
    assert (module.buffers.allocation.tolist(), module.buffers.offset.tolist()) == ([0], [4])
    assert module.allocations.assigned.tolist() == [0, 0]


@settings(max_examples=150)
@given(st.lists(st.sampled_from([*OLD.split("\n"), *ASSIGNMENT.split("\n")[:40]])))
def test_shuffled_lines_are_read_or_refused(lines: list[str]) -> None:
    try:
        module = decode_text_module("\n".join(lines), "x")
    except Damaged:
        return
    for space in plan(module).spaces:
        headline = space_usage(plan(module), space).headline
        assert 0 <= headline.peak_bytes <= headline.required_bytes


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        decode_text_module(text, "x")
    except Damaged as error:
        assert error.advice  # noqa: PT017 (refusing is one of two right answers)


@pytest.mark.parametrize(
    ("begin", "repeated", "end"),
    [
        ("allocation 0: size 1, ", "parameter 0, shape |" * 2_500, ":"),
        (" value: <1 ", "{1}" * 7_500, " @0> (size=1,offset=0): f32[]"),
        (" value: <1 a @0> (size=1,offset=0): ", "(" * 25_000, ""),
        (" value: <1 a @0> (size=1,offset=0): f32[", "1," * 12_500, ""),
        (" value: <", "9" * 25_000, ""),
    ],
)
def test_hostile_lines_cost_no_more_than_their_length(begin: str, repeated: str, end: str) -> None:
    def decode(times: int) -> None:
        decode_text_module(f"allocation 0: size 1, constant:\n{begin}{repeated * times}{end}\n", "x")

    assert grows_in_proportion(decode)
