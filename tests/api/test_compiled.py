"""Programs of this process: what JAX compiled here, against a capture of the same, on CPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tensorboard_plugin_memviewer as memviewer
from tensorboard_plugin_memviewer.api.module import Module
from tensorboard_plugin_memviewer.errors import BadParameter
from tensorboard_plugin_memviewer.service.live import MemorySums, from_assignment, from_sums

jax = pytest.importorskip("jax", reason="jax is not installed")


@pytest.fixture(scope="module")
def lowered() -> Any:
    import jax.numpy as jnp

    def named_for_this_test(weights: Any, x: Any) -> Any:
        for _ in range(3):
            x = jnp.tanh(x @ weights)
        return jnp.sum(x * x), jnp.cumsum(x, 0), weights * 2

    arrays = jax.ShapeDtypeStruct((256, 256), "float32"), jax.ShapeDtypeStruct((128, 256), "float32")
    return jax.jit(named_for_this_test, donate_argnums=0).lower(*arrays)


@pytest.fixture(scope="module")
def compiled(lowered: Any) -> Any:
    return lowered.compile()


def same_numbers(one: Module, other: Module) -> None:
    assert one.spaces == other.spaces
    for space in one.spaces:
        mine, theirs = one.usage(space), other.usage(space)
        assert mine.headline == theirs.headline
        assert mine.usage.tolist() == theirs.usage.tolist()
        assert mine.unpadded.tolist() == theirs.unpadded.tolist()
        assert mine.instructions.tolist() == theirs.instructions.tolist()
        # Ids are counted up over all that a process compiles.
        assert mine.buffers.bytes.tolist() == theirs.buffers.bytes.tolist()
        assert mine.buffers.start.tolist() == theirs.buffers.start.tolist()
        assert mine.buffers.instruction.tolist() == theirs.buffers.instruction.tolist()


def test_a_compiled_program_equals_its_capture(compiled: Any, tmp_path: Path) -> None:
    found = memviewer.from_compiled(compiled)
    jax.profiler.start_trace(str(tmp_path))
    jax.profiler.stop_trace()
    same_numbers(found, memviewer.open(tmp_path).module("jit_named_for_this_test"))
    assert found.platform == "cpu" or found.platform is None
    assert found.problems == () and found.usage().headline.untraced_bytes == 0
    assert found.usage().headline.aliased_bytes == 256 * 256 * 4


def test_a_lowered_program_gives_the_same(lowered: Any, compiled: Any) -> None:
    found = memviewer.from_lowered(lowered)
    same_numbers(found, memviewer.from_compiled(compiled))
    assert found.problems == () and found.name == "jit_named_for_this_test"


def test_of_programs_with_one_name_the_right_one_is_found() -> None:
    def twice(x: Any) -> Any:
        return x * 2

    sizes = (64, 32, 96)
    programs = [jax.jit(twice).lower(jax.ShapeDtypeStruct((size,), "float32")).compile() for size in sizes]
    arguments = [memviewer.from_compiled(program).usage().headline.argument_bytes for program in programs]
    assert arguments == [4 * size for size in sizes]


def test_while_a_profile_is_taken_the_compiled_object_itself_answers(compiled: Any, tmp_path: Path) -> None:
    whole = memviewer.from_compiled(compiled).usage().headline
    jax.profiler.start_trace(str(tmp_path))
    try:
        found = memviewer.from_compiled(compiled)
    finally:
        jax.profiler.stop_trace()
    head = found.usage().headline
    assert head.allocated_bytes == whole.allocated_bytes == head.peak_bytes
    if found.problems == ():  # JAX before 0.7 hands out the traces too
        assert head == whole
        return
    assert [problem.code for problem in found.problems] == ["no_lifetimes"]
    assert "from_lowered" in found.problems[0].advice
    assert head.untraced_bytes == head.temporary_bytes == whole.temporary_bytes


def test_a_module_of_sums_adds_up(compiled: Any) -> None:
    module = compiled.runtime_executable().hlo_modules()[0].as_serialized_hlo_module_proto()
    loaded = from_sums(module, MemorySums(700, 500, 100, 40), MemorySums(9, 0, 0, 0), "tpu")
    head = loaded.usage(0).headline
    assert (head.argument_bytes, head.aliased_bytes, head.output_bytes) == (700, 100, 400)
    assert head.temporary_bytes == head.untraced_bytes == 40
    assert head.allocated_bytes == head.peak_bytes == head.required_bytes == 1140
    assert loaded.usage(5).headline.argument_bytes == 9
    assert [problem.code for problem in loaded.plan.problems] == ["sums_only"]
    assert loaded.plan.order.axis == "schedule"
    names = {loaded.module.instructions.names[row] for row in loaded.module.buffers.instruction}
    assert "(all temporaries)" in names and "(all arguments that are kept on the host)" in names


def test_the_statistics_of_a_compiled_program_are_its_plan(compiled: Any) -> None:
    """The sums that a runtime gives where it gives no more, against the plan, where it gives both."""
    statistics = compiled.memory_analysis()
    module = compiled.runtime_executable().hlo_modules()[0].as_serialized_hlo_module_proto()
    plan = from_assignment(module, statistics.serialized_buffer_assignment_proto, "cpu").usage(0).headline
    sums = MemorySums(
        statistics.argument_size_in_bytes,
        statistics.output_size_in_bytes,
        statistics.alias_size_in_bytes,
        statistics.temp_size_in_bytes,
    )
    head = from_sums(module, sums, MemorySums(0, 0, 0, 0), "cpu").usage(0).headline
    assert head.argument_bytes == plan.argument_bytes
    assert head.aliased_bytes == plan.aliased_bytes
    assert head.temporary_bytes == plan.temporary_bytes
    assert abs(head.output_bytes - plan.output_bytes) <= 64, "a tuple's pointers"


@pytest.mark.parametrize("wrong", [None, 3, "jit_f", lambda x: x])
def test_what_is_no_program_is_said(wrong: Any) -> None:
    with pytest.raises(BadParameter, match="not a compiled program"):
        memviewer.from_compiled(wrong)
    with pytest.raises(BadParameter, match="not a lowered program"):
        memviewer.from_lowered(wrong)
