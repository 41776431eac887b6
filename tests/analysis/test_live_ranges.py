"""Lifetimes against XLA's own words: the live ranges that it writes beside a dump."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tensorboard_plugin_memviewer.analysis.lifetimes.readers import find_readers
from tensorboard_plugin_memviewer.analysis.replay import SpanSource
from tensorboard_plugin_memviewer.analysis.usage import Plan, plan, space_usage
from tensorboard_plugin_memviewer.errors import MemviewerError
from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module
from tests.build import module
from tests.conftest import CASES, DATA
from tools.score_lifetimes import Score, dumps_in, read_truth, score

OURS = dumps_in(DATA / "live_ranges")
GIVEN = [*dumps_in(CASES / "live_ranges"), *dumps_in(CASES / "owners")] if CASES.is_dir() else []
MODULES = sorted((DATA / "modules").glob("*.hlo_proto.pb"))


def scored(name: str, module_file: Path, text: Path) -> Score:
    return score(name, decode_module(module_file.read_bytes()), read_truth(text.read_text(errors="replace")))


@pytest.mark.parametrize(("name", "module_file", "text"), OURS, ids=[name for name, *_ in OURS])
def test_order_ranges_and_curve_are_those_of_xla(name: str, module_file: Path, text: Path) -> None:
    found = scored(name, module_file, text)
    assert found.order_equal
    assert found.equal == found.ranges > 0
    for space in found.spaces:
        assert (space.close, space.area, space.peak) == (space.points, space.true_area, space.true_peak)


@pytest.mark.cases
@pytest.mark.skipif(not GIVEN, reason="no dumps beside the repository")
def test_all_dumps_beside_the_repository() -> None:
    scores = [scored(*dump) for dump in GIVEN]
    assert all(one.order_equal and one.equal == one.ranges for one in scores)
    spaces = [space for one in scores for space in one.spaces]
    assert all(space.peak == space.true_peak for space in spaces)
    for wanted, least in ((True, 0.999), (False, 0.995)):
        some = [space for space in spaces if (space.space == 0) == wanted]
        assert sum(space.close for space in some) >= least * sum(space.points for space in some)
        assert abs(sum(space.area for space in some) / sum(space.true_area for space in some) - 1) < 0.005


@cache
def planned(path: Path) -> Plan:
    return plan(decode_module(path.read_bytes()))


@pytest.mark.cases
def test_curves_of_a_slow_independent_implementation() -> None:
    """One differs, and XLA's own live ranges (tests/data/live_ranges/v5e_while_cond) say that it is not ours:
    while.11{1} is read by the conditional at 99, so it is in memory at 98.
    """
    expected: dict[str, Any] = json.loads((CASES / "expected_curves.json").read_text())
    other = []
    for name, modes in expected.items():
        found = planned(CASES / "modules" / f"{name}.hlo_proto.pb")
        for space, true in modes["inferred"].items():
            usage = space_usage(found, int(space)).usage
            at20 = [int(usage[k * (len(usage) - 1) // 19]) for k in range(20)]
            assert (len(usage), int(usage.max()), int(usage.argmax())) == (
                true["points"],
                true["peak"],
                true["peak_point"],
            )
            assert at20 == true["at20"]
            if int(usage.sum()) != true["sum"]:
                other.append((name, space, int(usage.sum()) - true["sum"]))
    assert other == [("v5e_while_cond", "1", 2 << 20)]


def contradictions_of(found: Plan) -> list[str]:
    """Spans that do not fit their readers or allocations. A buffer may end before a reader only where the
    next value of its memory takes it over: at its end, or at its last point.
    """
    wrong = []
    spans, buffers, readers = found.spans, found.module.buffers, find_readers(found)
    offset, size = buffers.offset[spans.buffer], buffers.size[spans.buffer]
    allocation = buffers.allocation[spans.buffer]
    for row, buffer in enumerate(spans.buffer.tolist()):
        points, end = readers.of(buffer), int(spans.end[row])
        if len(points) and points[0] < spans.start[row]:
            wrong.append(f"{buffers.ids[buffer]} begins after a reader")
        if len(points) and points[-1] >= end:
            beside = (allocation == allocation[row]) & np.isin(spans.start, (end - 1, end))
            beside &= (offset < offset[row] + size[row]) & (offset[row] < offset + size)
            beside[row] = False
            if not beside.any():
                wrong.append(f"{buffers.ids[buffer]} ends before a reader")
    for space in found.spaces:
        usage = space_usage(found, space)
        if (usage.usage - usage.scoped > usage.headline.allocated_bytes).any():
            wrong.append(f"usage of {space} is above what is allocated")
    return wrong


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name.partition(".")[0])
def test_spans_fit_readers_and_allocations(path: Path) -> None:
    assert contradictions_of(planned(path)) == []


@pytest.mark.cases
def test_spans_of_every_module_beside_the_repository() -> None:
    files = [*CASES.glob("[a-z]*/*.hlo_proto.pb"), *CASES.glob("found/*/*.hlo_proto.pb")]
    files += [module_file for _, module_file, _ in GIVEN]
    wrong, count = {}, 0
    for file in sorted(set(files)):
        try:
            found = plan(decode_module(file.read_bytes()))
        except MemviewerError:
            continue  # damaged on purpose
        count += 1
        if problems := contradictions_of(found):
            wrong[file.name] = problems
    assert wrong == {}
    assert count > 150


def ranges_of(text: str) -> dict[str, tuple[int, int]]:
    """Half-open live ranges by `name{index}`."""
    found = plan(module(text))
    assert found.lifetimes is not None
    buffers, names = found.module.buffers, found.module.instructions.names
    ranges = found.lifetimes.ranges
    return {
        names[buffers.instruction[row]] + buffers.index_text(row): (
            int(ranges.start[row]),
            int(ranges.end[row]),
        )
        for row in range(len(buffers))
    }


def test_a_loops_initial_value_ends_where_its_parameter_begins() -> None:
    text = """
    computation body:
      bp = (f32[4],f32[4]) parameter()
      b0 = f32[4] get-tuple-element(bp) index=0
      b1 = f32[4] get-tuple-element(bp) index=1
      bx = f32[4] add(b0, b1)
      bt = (f32[4],f32[4]) tuple(bx, b1)
    computation cond:
      cp = (f32[4],f32[4]) parameter()
      c0 = f32[4] get-tuple-element(cp) index=0
      cx = pred[] compare(c0, c0)
    entry main:
      p = f32[4] parameter()
      q = f32[4] add(p, p)
      k = f32[4] add(p, p)
      t = (f32[4],f32[4]) tuple(q, k)
      w = (f32[4],f32[4]) while(t) calls=body,cond
      w0 = f32[4] get-tuple-element(w) index=0
      w1 = f32[4] get-tuple-element(w) index=1
      r = f32[4] add(w0, w1)
    alloc temp 128: q:16@0 bp{0}:16@0 cp{0}:16@0 bx:16@0 w{0}:16@0 k:16@16 cx:1@32
    one: q cp{0} bp{0} bx w{0}
    """
    found = ranges_of(text)
    # p q k t | cp c0 cx | bp b0 b1 bx bt | w w0 w1 r
    assert found["q"] == (1, 5), "to where the condition's parameter begins"
    assert found["cp{0}"] == (4, 8)
    assert found["bp{0}"] == (7, 11)
    assert found["bx"] == (10, 13)
    assert found["w{0}"] == (12, 16)
    assert found["k"] == (2, 16), "what goes round unchanged lives until it is read last"
    assert found["cx"] == (6, 8), "the condition's result, until the body begins"


def test_late_binding_puts_an_asynchronous_computation_where_its_last_operand_is_bound() -> None:
    text = """
    computation work:
      x = f32[4] parameter()
      y = f32[4] parameter() number=1
      z = f32[4] add(x, y)
    entry main:
      a = f32[4] parameter()
      s = ((f32[4]),f32[4],s32[]) async-start(a) calls=work
      b = f32[4] add(a, a)
      u = ((f32[4],f32[4]),f32[4],s32[]) async-update(s, b)
      d = f32[4] async-done(u)
      r = f32[4] negate(d)
    alloc temp 64: b:16@0 z:16@16
    """
    found = plan(module(text))
    names = [found.module.instructions.names[row] for row in found.order.instruction]
    assert names == ["a", "s", "b", "x", "y", "z", "u", "d", "r"]
    ranges = ranges_of(text)
    assert ranges["b"] == (2, 8), "bound at u, read inside at z, held until the chain is done"
    assert ranges["z"] == (5, 9)


def test_slices_that_are_joined_without_a_copy_live_as_long_as_the_whole() -> None:
    text = """
    entry main:
      p = f32[8] parameter()
      a = f32[4] slice(p)
      b = f32[4] slice(p)
      j = f32[8] custom-call(a, b) target="ConcatBitcast"
      x = f32[8] negate(p)
      r = f32[8] add(j, x)
    alloc temp 32: a:16@0 b:16@16 j:32@0
    """
    found = plan(module(text))
    spans = dict(zip(found.spans.buffer.tolist(), found.spans.end.tolist(), strict=True))
    assert spans == {0: 6, 1: 6, 2: 6}
    assert (found.spans.source == SpanSource.INFERRED).all()


def test_tuples_that_multiply_beyond_all_bounds_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    from tensorboard_plugin_memviewer.analysis.lifetimes import lifetimes

    monkeypatch.setattr(lifetimes, "_MOST", 1)
    monkeypatch.setattr(lifetimes, "_MOST_AN_INSTRUCTION", 0)
    found = plan(module("entry main:\n  p = f32[4] parameter()\n  t = (f32[4],f32[4]) tuple(p, p)"))
    assert [problem.code for problem in found.problems] == ["lifetimes"]
    assert np.array_equal(found.order.instruction, [0, 1])


def test_where_tuples_are_given_up_what_they_hold_counts_at_every_point(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from tensorboard_plugin_memviewer.analysis.lifetimes import lifetimes

    monkeypatch.setattr(lifetimes, "_MOST", -1)
    monkeypatch.setattr(lifetimes, "_MOST_AN_INSTRUCTION", 0)
    text = """
    entry main:
      p = f32[4] parameter()
      s = (f32[4],f32[4]) sort(p, p)
      g = f32[4] get-tuple-element(s) index=1
      n = f32[4] negate(p)
      r = f32[4] add(g, n)
    alloc temp 32: s{0}:16@0 s{1}:16@16
    """
    found = plan(module(text))
    assert [problem.code for problem in found.problems][:1] == ["lifetimes"]
    assert found.spans.start.tolist() == [0, 0]
    assert found.spans.end.tolist() == [5, 5]
    assert (found.spans.source == SpanSource.UNKNOWN).all()
