"""A plan that contradicts itself says so, whatever was altered; no real one does."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tensorboard_plugin_memviewer.formats import wire
from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module
from tensorboard_plugin_memviewer.model.contradictions import contradictions
from tensorboard_plugin_memviewer.protos import memviewer_hlo_pb2 as pb
from tests.build import field_bytes, module
from tests.conftest import ROOT
from tests.cost import grows_in_proportion

MODULES = sorted((ROOT / "tests" / "data" / "modules").glob("*.hlo_proto.pb"))


def temporary(plan: pb.BufferAssignment) -> pb.BufferAllocation:
    """The temporary allocation of HBM with the most buffers."""
    found = (
        one
        for one in plan.buffer_allocations
        if not (one.is_entry_computation_parameter or one.is_constant or one.is_thread_local or one.color)
    )
    return max(found, key=lambda one: len(one.assigned))


def largest(plan: pb.BufferAssignment) -> pb.LogicalBuffer:
    return max(plan.logical_buffers, key=lambda one: one.size)


def lose_the_temporaries(plan: pb.BufferAssignment) -> None:
    plan.buffer_allocations.remove(temporary(plan))


def lose_the_first_allocation(plan: pb.BufferAssignment) -> None:
    del plan.buffer_allocations[0]


def put_all_at_the_begin(plan: pb.BufferAssignment) -> None:
    for one in temporary(plan).assigned:
        one.offset = 0


def double_a_buffer(plan: pb.BufferAssignment) -> None:
    largest(plan).size *= 2


def double_an_assigned_size(plan: pb.BufferAssignment) -> None:
    temporary(plan).assigned[0].size *= 2


def move_a_buffer_to_another_space(plan: pb.BufferAssignment) -> None:
    largest(plan).color += 1


def enlarge_an_allocation(plan: pb.BufferAssignment) -> None:
    temporary(plan).size += 1 << 20


def lose_the_parameter_flags(plan: pb.BufferAssignment) -> None:
    for one in plan.buffer_allocations:
        one.is_entry_computation_parameter = False


def exchange_two_parameters(plan: pb.BufferAssignment) -> None:
    first, second = [one for one in plan.buffer_allocations if one.is_entry_computation_parameter][:2]
    first.parameter_number, second.parameter_number = second.parameter_number, first.parameter_number


def lose_the_output_flags(plan: pb.BufferAssignment) -> None:
    for one in plan.buffer_allocations:
        one.maybe_live_out = False


def lose_the_constant_flags(plan: pb.BufferAssignment) -> None:
    for one in plan.buffer_allocations:
        one.is_constant = False


def cut_the_trace(plan: pb.BufferAssignment) -> None:
    for trace in plan.heap_simulator_traces:
        del trace.events[len(trace.events) // 2 :]


@pytest.mark.parametrize(
    ("alter", "says"),
    [
        (lose_the_temporaries, r"logical buffers are in no allocation \(.*\), so no total includes them"),
        (lose_the_first_allocation, "not numbered from 0 on"),
        (put_all_at_the_begin, "1 allocation is larger than the content"),
        (double_a_buffer, "gives a logical buffer another size"),
        (double_an_assigned_size, "1 × an allocation gives a logical buffer another size"),
        (move_a_buffer_to_another_space, "1 logical buffer has another memory space"),
        (enlarge_an_allocation, r"larger than the content \(1\.00 MiB in all\)"),
        (lose_the_parameter_flags, "arguments lie outside the allocations of arguments"),
        (exchange_two_parameters, "2 arguments lie in the allocation of another argument"),
        (lose_the_output_flags, "result lies outside the allocations of outputs"),
        (lose_the_constant_flags, "outside the allocations of constants"),
        (cut_the_trace, "never freed in the compiler's heap trace"),
    ],
)
@pytest.mark.parametrize("name", ["v5e_tf_remat", "h100_tf_scan"])
def test_an_altered_plan_says_so(
    data: Path, name: str, alter: Callable[[pb.BufferAssignment], None], says: str
) -> None:
    whole = (data / "modules" / f"{name}.hlo_proto.pb").read_bytes()
    parts = {number: whole[start:end] for number, _, start, end in wire.fields(whole)}
    plan = pb.BufferAssignment.FromString(parts[3])
    alter(plan)
    altered = decode_module(field_bytes(1, parts[1]) + field_bytes(3, plan.SerializeToString()))
    messages = [problem.message for problem in altered.problems]
    assert any(re.search(says, message) for message in messages), messages
    assert all(problem.advice for problem in altered.problems)


def test_a_shared_address_that_is_none() -> None:
    found = module("""
        entry main:
          p = f32[16] parameter()
          a = f32[16] add(p, p)
          b = f32[16] add(a, p)
          r = f32[16] multiply(b, p)
        alloc parameter 64: p:64
        alloc output 64: r:64
        alloc temp 128: a:64@0 b:64@64
        trace: +a ~b=a -a -b
    """)
    (problem,) = contradictions(found)
    assert problem.message == "1 buffer shares an address with a buffer that lies elsewhere"


@pytest.mark.parametrize("path", MODULES, ids=[path.name for path in MODULES])
def test_no_real_plan_contradicts_itself(path: Path) -> None:
    assert decode_module(path.read_bytes()).problems == ()


def test_checking_costs_in_proportion() -> None:
    parts = {count: module(many_buffers(400 * count)) for count in (1, 8)}
    assert grows_in_proportion(lambda count: contradictions(parts[count]))


def many_buffers(count: int) -> str:
    """A chain of instructions, each with a buffer, allocation and events of its own."""
    rows = range(1, count)
    lines = ["entry main:", "  a0 = f32[16] parameter()"]
    lines += [f"  a{row} = f32[16] add(a{row - 1}, a{row - 1})" for row in rows]
    lines += [f"alloc temp 64: a{row}:64@0" for row in rows]
    return "\n".join([*lines, "trace: " + " ".join(f"+a{row} -a{row}" for row in rows)])
