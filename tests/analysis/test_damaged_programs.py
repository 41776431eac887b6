"""Damaged programs: an answer soon and within bounds, whatever refers to what, and however often."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tensorboard_plugin_memviewer.analysis.capacity import Capacity
from tensorboard_plugin_memviewer.analysis.findings import find_findings
from tensorboard_plugin_memviewer.analysis.lifetimes import lifetimes
from tensorboard_plugin_memviewer.analysis.lifetimes.async_chains import async_chains
from tensorboard_plugin_memviewer.analysis.lifetimes.readers import find_readers
from tensorboard_plugin_memviewer.analysis.usage import Plan, plan, space_usage
from tests.build import module
from tests.cost import grows_in_proportion


def _wide(count: int) -> str:
    return "(" + ",".join(["f32[4]"] * count) + ")"


def _nested_tuple(count: int) -> str:
    buffers = " ".join(f"t{{0,{at}}}:16@{16 * at}" for at in range(count))
    return f"""
        entry main:
          p = f32[4] parameter()
          t = ({_wide(count)}) custom-call(p)
        alloc temp {16 * count}: {buffers}
        """


def _operands_bound_in_a_nested_tuple(count: int) -> str:
    return f"""
        computation work:
          q = f32[4] parameter()
        entry main:
          p = f32[4] parameter()
          s = ({_wide(count)},f32[4]) async-start({",".join(["p"] * count)}) calls=work
          d = f32[4] async-done(s)
        alloc temp 16: p:16
        """


def _branches(count: int) -> str:
    branches = "\n".join(f"computation b{at}:\n q{at} = f32[4] parameter()" for at in range(count))
    called = ",".join(f"b{at}" for at in range(count))
    return f"""
        {branches}
        entry main:
          p = f32[4] parameter()
          c = f32[4] conditional({",".join(["p"] * (count + 3))}) calls={called}
        alloc temp 16: p:16
        """


def _operands_of_a_loop(count: int) -> str:
    constants = "\n".join(f"k{at} = f32[4] constant()" for at in range(count))
    return f"""
        computation body:
          q = f32[4] parameter()
          {constants}
        entry main:
          p = f32[4] parameter()
          w = f32[4] while({",".join(["p"] * count)}) calls=body
        alloc temp 16: p:16
        """


def _chain_without_a_start(count: int) -> str:
    updates = "\n".join(f"u{at + 1} = f32[4] async-update(u{at})" for at in range(count))
    return f"""
        entry main:
          u0 = f32[4] parameter()
          {updates}
        alloc temp 16: u0:16
        """


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (_nested_tuple, 600),
        (_operands_bound_in_a_nested_tuple, 600),
        (_branches, 400),
        (_operands_of_a_loop, 6000),
        (_chain_without_a_start, 600),
    ],
)
def test_the_cost_grows_with_the_file(text: Callable[[int], str], count: int) -> None:
    modules = {times: module(text(times * count)) for times in (1, 8)}
    assert grows_in_proportion(lambda times: plan(modules[times]))


def _answered(text: str) -> Plan:
    found = plan(module(text))
    readers = find_readers(found)
    for space in found.spaces:
        find_findings(found, space_usage(found, space), readers, Capacity(1 << 30, "given"))
    return found


def _codes(found: Plan) -> set[str]:
    return {problem.code for problem in found.problems}


def test_a_chain_that_goes_round_has_no_start() -> None:
    found = module(_chain_without_a_start(3))
    found.instructions.operands[0] = 3
    chains = async_chains(found)
    assert (chains.operations, chains.members) == ({}, {})


def test_more_operands_than_any_instruction_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lifetimes, "_MOST", 0)
    found = _answered(
        f"""
        entry main:
          p = f32[4] parameter()
          a = f32[4] add({",".join(["p"] * 100)})
          t = {_wide(200)} custom-call(a)
        alloc temp 32: p:16 a:16@16
        """
    )
    assert found.lifetimes is not None
    assert find_readers(found).of(0).tolist() == [1]
    assert "lifetimes" in _codes(found)


def test_callers_that_share_one_wide_computation(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred branches give back a hundred values each: too many are counted, not expanded."""
    monkeypatch.setattr(lifetimes, "_MOST", 1000)
    found = _answered(
        f"""
        computation branch:
          q = {_wide(100)} parameter()
        entry main:
          p = {_wide(100)} parameter()
          c = {_wide(100)} conditional(p, p) calls={",".join(["branch"] * 100)}
        alloc temp 16: p:16
        """
    )
    assert "lifetimes" in _codes(found)


@pytest.mark.parametrize("index", [2, -1, (1 << 63) - 1, -1 << 63])
def test_a_tuple_index_that_the_tuple_lacks(index: int) -> None:
    found = _answered(
        f"""
        entry main:
          o = (f32[4],f32[4]) parameter()
          p = (f32[4],f32[4],f32[4]) parameter() number=1
          x = f32[4] get-tuple-element(p) index={3 if index == 2 else index}
          y = f32[4] add(x, x)
        alloc output 16: y:16
        alloc temp 48: p:16 p{{1}}:16@16 p{{2}}:16@32
        """
    )
    assert [find_readers(found).of(buffer).tolist() for buffer in range(1, 4)] == [[], [], []]


def test_the_index_of_an_element_that_an_output_lacks() -> None:
    _answered(
        """
        entry main:
          p = f32[1024] parameter()
          a = f32[1024] add(p, p)
          t = (f32[1024],f32[1024]) tuple(a, p)
          r = f32[1024] get-tuple-element(t) index=-7
        alloc parameter 4096: p:4096
        alloc output 4096: a:4096
        alloc output 4096: r:4096
        """
    )


def test_offsets_at_the_end_of_numbers() -> None:
    """They lie outside of the allocation, so that they share no byte with anything."""
    found = _answered(
        f"""
        entry main:
          p = f32[4] parameter()
          a = f32[4] add(p, p)
          b = f32[4] add(a, p)
          r = f32[4] add(a, b)
        alloc temp 64: a:1099511627776@{(1 << 63) - 100} b:64@{-1 << 63} p:64 r:64@{(1 << 63) - 1}
        """
    )
    assert space_usage(found, 0).usage.max() == 64
    assert not any("overlap" in problem.message for problem in found.problems)
