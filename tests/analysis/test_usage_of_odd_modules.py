"""Usage by program point, one odd case of docs/numbers.md a test, each a module of a few lines."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tensorboard_plugin_memviewer.analysis.grouping.table import grouping
from tensorboard_plugin_memviewer.analysis.live_set import breakdown
from tensorboard_plugin_memviewer.analysis.replay import SpanSource
from tensorboard_plugin_memviewer.analysis.usage import Plan, SpaceUsage, plan, space_usage
from tests.build import module

STRAIGHT = """
entry main:
  p = f32[16] parameter()
  a = f32[16] add(p, p)
  b = f32[16] add(a, p)
  c = f32[16] add(b, b)
  r = f32[16] multiply(c, p)
"""


def planned(text: str, space: int = 0) -> tuple[Plan, SpaceUsage]:
    found = plan(module(text))
    return found, space_usage(found, space)


def usage_of(text: str, space: int = 0) -> list[int]:
    usage: list[int] = planned(text, space)[1].usage.tolist()
    return usage


def test_worked_example_of_six_events() -> None:
    """The one of docs/numbers.md."""
    found, usage = planned(
        """
        entry main:
          p = f32[16] parameter()
          a = f32[16] add(p, p)
          b = f32[16] add(p, p)
          c = f32[16] add(b, b)
          q = f32[16] bitcast(p)
          r = f32[16] multiply(a, c)
        alloc parameter 64: p:64
        alloc output 64: r:64
        alloc temp 192: a:64@0 b:64@64 c:64@128
        trace: +a +b +c -b -a -c
        """
    )
    assert found.order.axis == "schedule"
    assert usage.usage.tolist() == [128, 192, 256, 320, 256, 256]
    head = usage.headline
    assert (head.peak_bytes, head.peak_point) == (320, 3)
    assert (head.argument_bytes, head.output_bytes, head.temporary_bytes) == (64, 64, 192)
    assert head.allocated_bytes == head.required_bytes == 320
    assert head.fragmentation_bytes == 0
    assert found.problems == ()


def test_freed_after_its_last_reader() -> None:
    assert usage_of(STRAIGHT + "alloc temp 64: a:64@0\ntrace: +a -a") == [0, 64, 64, 0, 0]


def test_freed_before_the_next_allocation_of_its_trace_whatever_reads_it_later() -> None:
    text = STRAIGHT + "alloc temp 128: a:64@0 b:64@64\ntrace: +a -a +b -b"
    assert usage_of(text) == [0, 64, 64, 64, 0]


def test_not_freed_before_an_allocation_that_comes_before_its_free() -> None:
    text = STRAIGHT + "alloc temp 128: a:64@0 c:64@64\ntrace: +a +c -a -c"
    assert usage_of(text) == [0, 64, 64, 128, 64]


def test_frees_between_two_allocations_keep_their_order() -> None:
    """b is freed after c, which is read at 4: so b is held until then, although it is last read at 3."""
    text = STRAIGHT + "alloc temp 192: a:64@0 b:64@64 c:64@128\ntrace: +a +b +c -a -c -b"
    assert usage_of(text) == [0, 64, 128, 192, 128]


def test_never_freed_lives_to_the_end() -> None:
    assert usage_of(STRAIGHT + "alloc temp 64: b:64@0\ntrace: +b") == [0, 0, 64, 64, 64]


def test_sharing_is_counted_once() -> None:
    text = STRAIGHT + "alloc temp 64: a:64@0 b:64@0\ntrace: +a ~b=a -a -b"
    assert usage_of(text) == [0, 64, 64, 64, 0]


def test_sharing_after_the_canonical_buffer_was_freed() -> None:
    found, usage = planned(STRAIGHT + "alloc temp 64: a:64@0 b:64@0\ntrace: +a -a ~b=a -b")
    assert usage.usage.tolist() == [0, 64, 64, 64, 0]
    assert found.problems == ()


def test_live_buffers_that_share_addresses_without_saying_so() -> None:
    """The union of [0, 64) and [32, 96), not their sum; it never exceeds the allocation."""
    found, usage = planned(STRAIGHT + "alloc temp 96: a:64@0 b:64@32 c:64@0\ntrace: +a +b +c -a -b -c")
    assert usage.usage.tolist() == [0, 64, 96, 96, 64]
    assert usage.headline.temporary_peak_bytes == 96
    assert usage.headline.fragmentation_bytes == 0
    assert found.problems == ()


def test_allocated_anew_in_each_branch_it_is_one_value_that_lives_between_them() -> None:
    text = """
    computation one:
      q = f32[16] parameter()
      x = f32[16] add(q, q)
    computation two:
      s = f32[16] parameter()
      y = f32[16] add(s, s)
    entry main:
      k = s32[] parameter()
      p = f32[16] parameter() number=1
      a = f32[16] add(p, p)
      b = f32[16] add(p, p)
      c = f32[16] conditional(k, a, a) calls=one,two
      r = f32[16] add(c, c)
    alloc temp 192: a:64@0 b:64@64 x:64@64 y:64@64 c:64@128
    trace: +a -a +b -b +a +x -x -a +a +y -y -a +c -c
    """
    found, usage = planned(text)
    names = [found.module.instructions.names[row] for row in found.order.instruction]
    assert names == ["k", "p", "a", "b", "q", "x", "s", "y", "c", "r"]
    rows = usage.buffers.buffer == 0
    spans = zip(usage.buffers.start[rows].tolist(), usage.buffers.end[rows].tolist(), strict=True)
    assert list(spans) == [(2, 9)]
    # A branch's result is held until the next branch begins.
    assert usage.usage.tolist()[2:9] == [64, 128, 64, 128, 128, 128, 128]


def test_on_the_axis_of_events_allocated_again_has_two_spans() -> None:
    text = STRAIGHT.replace("entry", "unscheduled entry")
    _, usage = planned(text + "alloc temp 128: a:64@0 c:64@64\ntrace: +a -a +c +a -a -c")
    spans = zip(usage.buffers.start.tolist(), usage.buffers.end.tolist(), strict=True)
    assert list(spans) == [(0, 1), (2, 5), (3, 4)]


def test_allocation_out_of_order_happens_at_the_current_point() -> None:
    text = STRAIGHT + "alloc temp 128: a:64@0 c:64@64\ntrace: +c +a -a -c"
    assert usage_of(text) == [0, 0, 0, 128, 64]


def test_a_second_free_extends_what_was_allocated_once() -> None:
    """Two allocations of one value at one time are written once, and both of their frees."""
    text = STRAIGHT + "alloc temp 128: a:64@0 b:64@64\ntrace: +a +b -a -b -a"
    found, usage = planned(text)
    # It comes after the free of b, which is read at 3.
    assert usage.usage.tolist() == [0, 64, 128, 128, 0]
    assert found.problems == ()
    assert len(usage.buffers) == 2


def test_several_traces_of_one_space_have_clocks_of_their_own() -> None:
    text = STRAIGHT + "alloc temp 64: c:64@0\nalloc temp 32: a:32@0\ntrace: +c -c\ntrace: +a -a"
    assert usage_of(text) == [0, 32, 32, 64, 64]


def test_what_no_trace_lists_lives_to_its_last_reader_and_is_counted_apart() -> None:
    _, usage = planned(STRAIGHT + "alloc temp 96: a:64@0 b:16@64 c:16@72\ntrace: +a -a")
    assert usage.usage.tolist() == [0, 64, 80, 24, 16]
    assert usage.headline.untraced_bytes == 24
    assert [SpanSource(known).name for known in usage.buffers.source.tolist()] == [
        "TRACED",
        "INFERRED",
        "INFERRED",
    ]


def test_allocated_while_it_is_live_on_the_axis_of_events() -> None:
    text = STRAIGHT.replace("entry", "unscheduled entry") + "alloc temp 64: a:64@0\ntrace: +a +a -a"
    found, usage = planned(text)
    assert ["allocated while it is alive" in problem.message for problem in found.problems] == [True]
    assert usage.usage.tolist() == [64, 64, 0]


def test_a_plan_without_any_trace_is_inferred_and_says_so() -> None:
    found, usage = planned(STRAIGHT + "alloc temp 128: a:64@0 b:64@64 c:64@0")
    assert usage.usage.tolist() == [0, 64, 128, 128, 64]
    assert [problem.code for problem in found.problems] == ["no_heap_trace"]
    assert "inferred" in found.problems[0].message
    nothing, _ = planned(STRAIGHT.replace("entry", "unscheduled entry") + "alloc temp 64: a:64@0")
    assert "live throughout" in nothing.problems[0].message


@pytest.mark.parametrize(
    ("offset", "problems"),
    [(0, ["lifetimes"]), (32, ["lifetimes"]), (64, [])],
)
def test_inferred_buffers_that_would_overlap_are_named(offset: int, problems: list[str]) -> None:
    """a and x are both needed from 2 to 4."""
    text = STRAIGHT.replace("r = f32[16] multiply(c, p)", "x = f32[16] add(p, p)\n  r = f32[16] add(a, x)")
    found, _ = planned(text + f"alloc temp 128: a:64@0 b:64@{offset}\ntrace: +a -a")
    assert [problem.code for problem in found.problems] == problems


def test_a_result_written_in_place_by_the_last_reader_is_no_contradiction() -> None:
    found, _ = planned(STRAIGHT + "alloc temp 64: a:64@0 b:64@0\ntrace: +a -a")
    assert found.problems == ()


def test_what_nothing_is_known_of_counts_at_every_point() -> None:
    text = "unscheduled computation other:\n  x = f32[16] add()\n" + STRAIGHT
    _, usage = planned(text + "alloc temp 96: a:64@0 x:16@64\ntrace: +a -a")
    assert usage.usage.tolist() == [16, 80, 80, 16, 16]
    assert SpanSource.UNKNOWN in usage.buffers.source


def test_trace_without_events() -> None:
    assert usage_of(STRAIGHT + "alloc parameter 64: p:64\ntrace:") == [64] * 5


def test_indefinite_only() -> None:
    found, usage = planned(STRAIGHT + "alloc constant 32 space=4: b:32\nalloc thread_local 8 space=4: c:8", 4)
    assert found.spaces == (4,)
    assert usage.usage.tolist() == [32] * 5
    assert (usage.headline.constant_bytes, usage.headline.thread_local_bytes) == (32, 8)


def test_thread_local_memory_counts_in_no_other_number() -> None:
    without, with_it = (
        planned(STRAIGHT + "alloc constant 32 space=4: b:32" + more, 4)[1]
        for more in ("", "\nalloc thread_local 4096 space=4: c:4096")
    )
    assert with_it.headline.thread_local_bytes == 4096
    assert replace(with_it.headline, thread_local_bytes=0) == without.headline
    assert with_it.usage.tolist() == without.usage.tolist()
    assert len(with_it.buffers) == len(without.buffers) == 1


def test_a_space_of_thread_local_memory_alone_is_empty() -> None:
    found, usage = planned(STRAIGHT + "alloc thread_local 8 space=4: c:8", 4)
    assert found.spaces == (4,)
    assert usage.usage.tolist() == [0] * 5
    assert usage.headline.required_bytes == 0


def test_unknown_space_is_kept() -> None:
    found, usage = planned(STRAIGHT + "alloc temp 64 space=42: a:64@0\ntrace: +a -a", 42)
    assert found.spaces == (42,)
    assert usage.headline.peak_bytes == 64


def test_scoped_memory_counts_at_its_point_only() -> None:
    text = """
    entry main:
      p = f32[16] parameter()
      a = f32[16] custom-call(p) scoped=1:1000
      b = f32[16] add(a, a) scoped=1:300
    alloc temp 500 space=1: a:500@0
    trace: +a -a
    """
    found, usage = planned(text, 1)
    assert found.spaces == (1,)
    assert usage.usage.tolist() == [0, 1500, 800]
    head = usage.headline
    assert (head.peak_bytes, head.scoped_at_peak_bytes, head.max_scoped_bytes) == (1500, 1000, 1000)
    assert (head.allocated_bytes, head.required_bytes) == (500, 1500)


def test_the_largest_scoped_memory_is_required_wherever_it_is() -> None:
    text = """
    entry main:
      p = f32[16] parameter()
      a = f32[16] custom-call(p) scoped=1:10
      b = f32[16] custom-call(p) scoped=1:300
    alloc temp 500 space=1: a:500@0
    trace: +a -a
    """
    head = planned(text, 1)[1].headline
    assert (head.peak_bytes, head.scoped_at_peak_bytes, head.max_scoped_bytes) == (510, 10, 300)
    assert head.required_bytes == 500 + 300


def test_space_with_scoped_memory_and_no_allocation() -> None:
    text = "entry main:\n  a = f32[16] custom-call() scoped=1:1000\nalloc output 64: a:64"
    found, usage = planned(text, 1)
    assert found.spaces == (0, 1)
    assert (usage.headline.allocated_bytes, usage.headline.required_bytes) == (0, 1000)


def test_while_condition_comes_before_body_and_both_before_the_loop() -> None:
    text = """
    computation body:
      bp = f32[16] parameter()
      bx = f32[16] add(bp, bp)
    computation cond:
      cp = f32[16] parameter()
      cx = pred[] compare(cp, cp)
    entry main:
      p = f32[16] parameter()
      w = f32[16] while(p) calls=body,cond
      r = f32[16] add(w, p)
    alloc temp 128: cx:1@0 bx:64@64
    trace: +cx -cx +bx -bx
    """
    found, usage = planned(text)
    names = [found.module.instructions.names[row] for row in found.order.instruction]
    assert names == ["p", "cp", "cx", "bp", "bx", "w", "r"]
    # The condition's result is held until the body begins; the body's is the loop's result, which r reads.
    assert usage.usage.tolist() == [0, 0, 1, 1, 64, 64, 64]
    assert [(r.kind, r.start, r.end) for r in found.order.regions] == [("condition", 1, 3), ("while", 3, 5)]


def test_called_twice_has_its_points_once() -> None:
    text = """
    computation f:
      fp = f32[16] parameter()
      fx = f32[16] add(fp, fp)
    entry main:
      p = f32[16] parameter()
      a = f32[16] call(p) calls=f
      b = f32[16] call(a) calls=f
    """
    found, _ = planned(text)
    assert [found.module.instructions.names[row] for row in found.order.instruction] == [
        "p",
        "fp",
        "fx",
        "a",
        "b",
    ]


def test_computation_that_calls_itself_ends() -> None:
    text = "computation f:\n  x = f32[16] call() calls=f\nentry main:\n  y = f32[16] call() calls=f"
    found, _ = planned(text)
    assert found.order.points == 2


def test_without_schedule_the_axis_is_the_events() -> None:
    text = """
    unscheduled entry main:
      p = f32[16] parameter()
      a = f32[16] add(p, p)
    alloc parameter 64: p:64
    alloc temp 64: a:64@0
    trace: +a -a
    """
    found, usage = planned(text)
    assert found.order.axis == "events"
    assert usage.usage.tolist() == [128, 64]


def test_traced_instruction_that_the_schedule_lacks() -> None:
    text = """
    unscheduled computation other:
      x = f32[16] add()
    entry main:
      p = f32[16] parameter()
    """
    # What the schedule leaves out is not decoded, so its buffer has no known instruction.
    found = plan(module(text + "alloc temp 64: x:64@0\ntrace: +x -x"))
    assert found.order.axis == "events"
    assert space_usage(found, 0).headline.peak_bytes == 64


def test_traces_of_a_module_without_buffers() -> None:
    found, usage = planned("unscheduled entry main:\n  p = f32[16] parameter()\ntrace: +nothing -nothing")
    assert found.order.instruction.tolist() == [-1, -1]
    assert usage.usage.tolist() == [0, 0]
    assert [p for p in found.problems if "unknown logical buffer" in p.message]


def test_traces_of_a_schedule_without_buffers() -> None:
    found, usage = planned("entry main:\n  p = f32[16] parameter()\ntrace: +nothing -nothing")
    assert found.order.axis == "schedule"
    assert usage.usage.tolist() == [0]


def test_module_with_nothing_at_all_has_one_point() -> None:
    found, usage = planned("unscheduled entry main:\n  p = f32[16] parameter()")
    assert found.spaces == ()
    assert usage.usage.tolist() == [0]


@pytest.mark.parametrize(
    ("events", "problem", "usage"),
    [
        ("-a +b", "freed that is not alive", [0, 0, 64, 64, 64]),
        ("+a +nothing -a +b -b", "unknown logical buffer", [0, 64, 64, 64, 0]),
    ],
)
def test_contradictions_are_reported_and_the_rest_shows(events: str, problem: str, usage: list[int]) -> None:
    found, space = planned(STRAIGHT + f"alloc temp 128: a:64@0 b:64@64\ntrace: {events}")
    assert [p for p in found.problems if problem in p.message]
    assert space.usage.tolist() == usage


def test_event_of_a_parameter_is_a_contradiction() -> None:
    found, usage = planned(STRAIGHT + "alloc parameter 64: p:64\ntrace: +p -p")
    assert "no temporary allocation" in found.problems[0].message
    assert usage.usage.tolist() == [64] * 5


def test_buffer_outside_its_allocation_counts_as_far_as_it_is_inside() -> None:
    found, usage = planned(STRAIGHT + "alloc temp 64: a:64@32\ntrace: +a -a")
    assert "outside its allocation" in found.problems[0].message
    assert usage.usage.tolist() == [0, 32, 32, 0, 0]


def test_aliased_parameter() -> None:
    _, usage = planned(STRAIGHT + "alloc parameter+output 64: p:64\nalloc parameter 32: a:32")
    assert (usage.headline.argument_bytes, usage.headline.aliased_bytes) == (96, 64)


def test_padding_counts_indefinite_buffers_too() -> None:
    """f32[16] needs 64 bytes; stored in 512."""
    _, usage = planned(STRAIGHT + "alloc parameter 512: p:512\nalloc temp 512: a:512@0\ntrace: +a -a")
    assert usage.unpadded.tolist() == [64, 128, 128, 64, 64]
    assert usage.headline.padding_bytes == 1024 - 128


def test_unpadded_usage_is_never_more_than_the_union() -> None:
    _, usage = planned(STRAIGHT + "alloc temp 64: a:64@0 b:64@0\ntrace: +a +b -a -b")
    assert usage.unpadded.tolist() == [0, 64, 64, 64, 0]


def test_largest_buffer_stands_for_an_indefinite_allocation() -> None:
    _, usage = planned(STRAIGHT + "alloc parameter 512: a:16 p:64 b:64")
    rows = usage.buffers.represents
    assert usage.buffers.size[rows].tolist() == [512]
    assert usage.headline.unpadded_at_peak_bytes == 64


def test_zero_size() -> None:
    _, usage = planned("entry main:\n  z = f32[0,4] constant()\nalloc temp 0: z:0@0\ntrace: +z -z")
    assert usage.usage.tolist() == [0]
    assert usage.headline.peak_point == 0


def test_a_scope_that_is_called_as_what_has_none_is_no_group_of_its_own() -> None:
    found, usage = planned(
        """
        entry main:
          p = f32[16] parameter()
          a = f32[16] add(p, p) op="(no name)/add"
        alloc parameter 64: p:64
        alloc output 64: a:64
        """
    )
    groups = breakdown(usage, grouping(found, usage, "scope"), 0).groups
    assert [(group.key, group.bytes) for group in groups] == [("(no name)", 128)]
