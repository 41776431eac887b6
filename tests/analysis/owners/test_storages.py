"""Which logical buffers are one piece of memory, and how many bytes each takes."""

from __future__ import annotations

import pytest

from tensorboard_plugin_memviewer.analysis.owners.storages import find_storages, live_bytes, storage_of
from tensorboard_plugin_memviewer.analysis.usage import plan, space_usage
from tests.build import module


def storages_of(text: str) -> set[frozenset[str]]:
    planned = plan(module(text))
    found: dict[int, set[str]] = {}
    buffers, names = planned.module.buffers, planned.module.instructions.names
    for row, storage in enumerate(storage_of(planned).tolist()):
        found.setdefault(storage, set()).add(names[buffers.instruction[row]] + buffers.index_text(row))
    return {frozenset(members) for members in found.values()}


CHAIN = """
entry main:
  p = f32[16] parameter()
  a = f32[16] sine(p)
  b = f32[16] cosine(a)
  c = f32[16] tanh(b)
  r = f32[16] negate(c)
alloc parameter 64: p:64
alloc output 64: r:64
alloc temp 128: a:64@0 b:64@64 c:64@0
trace: +a +b -a +c -b -c
"""


def test_the_same_address_alone_makes_no_storage() -> None:
    assert storages_of(CHAIN) == {frozenset(name) for name in "parbc"}


def test_values_that_are_one_buffer_are_one_storage() -> None:
    assert frozenset("ac") in storages_of(CHAIN + "one: a c")


def test_values_of_one_buffer_at_two_addresses_are_two() -> None:
    assert frozenset("a") in storages_of(CHAIN + "one: a b")


@pytest.mark.parametrize(("size", "together"), [(64, True), (32, False)])
def test_what_shares_by_the_heap_trace_is_one_at_equal_size(size: int, together: bool) -> None:
    text = CHAIN.replace("c:64@0", f"c:{size}@0").replace("-a +c", "~c=a")
    assert (frozenset("ac") in storages_of(text)) is together


def test_what_a_loop_carries_in_place_is_one_even_where_the_file_does_not_say() -> None:
    text = """
    computation body:
      c = f32[16] parameter()
      n = f32[16] negate(c)
    computation cond:
      d = f32[16] parameter()
      l = pred[] constant()
    entry main:
      p = f32[16] parameter()
      e = f32[16] sine(p)
      w = f32[16] while(e) calls=body,cond
      r = f32[16] negate(w)
    alloc parameter 64: p:64
    alloc output 64: r:64
    alloc temp 64: e:64 c:64 d:64 n:64 w:64
    """
    assert frozenset("ecdnw") in storages_of(text)


def test_slices_joined_without_a_copy_are_one() -> None:
    text = """
    entry main:
      p = f32[16] parameter()
      a = f32[8] slice(p)
      b = f32[8] slice(p)
      j = f32[16] custom-call(a, b) target="ConcatBitcast"
      r = f32[16] negate(j)
    alloc parameter 64: p:64
    alloc output 64: r:64
    alloc temp 64: a:32@0 b:32@32 j:64@0
    """
    assert frozenset("abj") in storages_of(text)


def test_an_indefinite_allocation_is_one_storage_named_by_its_argument() -> None:
    text = """
    entry main:
      p = f32[16] parameter() op="cache"
      c = f32[16] copy(p)
      r = f32[16] add(c, c)
    alloc parameter+output 64: r:64 c:64 p:64
    """
    assert storages_of(text) == {frozenset("prc")}
    planned = plan(module(text))
    usage = space_usage(planned, 0)
    storages = find_storages(planned, usage, storage_of(planned))
    chief = int(usage.buffers.buffer[storages.chief[0]])
    assert planned.module.instructions.names[planned.module.buffers.instruction[chief]] == "p"
    assert (len(storages), len(storages.rows_of(0))) == (1, 3)


def test_addresses_that_storages_share_count_once() -> None:
    planned = plan(module(CHAIN.replace("c:64@0", "c:96@32").replace("-a +c -b", "-a +c -c -b")))
    usage = space_usage(planned, 0)
    storages = find_storages(planned, usage, storage_of(planned))
    for point in range(usage.points):
        assert live_bytes(planned, usage, storages, point).sum() == usage.usage[point]
    by_size = live_bytes(planned, usage, storages, 3).tolist()
    assert sorted(by_size) == [0, 0, 64, 64, 96]


def test_a_space_without_buffers_has_no_storages() -> None:
    planned = plan(module(CHAIN))
    usage = space_usage(planned, 1)
    assert len(find_storages(planned, usage, storage_of(planned))) == 0
