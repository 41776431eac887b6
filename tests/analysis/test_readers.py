"""Who reads a buffer, where it passes through instructions that move no data."""

from __future__ import annotations

import pytest

from tensorboard_plugin_memviewer.analysis.lifetimes.readers import find_handovers, find_readers, longest_idle
from tensorboard_plugin_memviewer.analysis.usage import plan
from tests.build import module


def readers_of(text: str) -> dict[str, list[str]]:
    """The names of the instructions that read each buffer, by `name{index}`."""
    planned = plan(module(text))
    found, order = planned.module, planned.order
    readers = find_readers(planned)
    names = found.instructions.names
    return {
        names[found.buffers.instruction[row]] + found.buffers.index_text(row): [
            names[order.instruction[point]] for point in readers.of(row).tolist()
        ]
        for row in range(len(found.buffers))
    }


def test_several_arrays_gathered_in_one_operation() -> None:
    """The first element of its result is a tuple of what it was given; it is held until the end."""
    readers = readers_of("""
    entry main:
      a = f32[4] parameter()
      b = f32[4] parameter()
      g = ((f32[4],f32[4]),(f32[8],f32[8])) all-gather-start(a, b)
      d = (f32[8],f32[8]) all-gather-done(g)
      x = f32[8] get-tuple-element(d) index=1
      r = f32[8] negate(x)
    alloc temp 128: a:16@0 b:16@16 g{1,0}:32@32 g{1,1}:32@64
    """)
    assert readers == {"a": ["g", "d"], "b": ["g", "d"], "g{1,0}": ["d"], "g{1,1}": ["d", "r"]}


def test_one_array_gathered() -> None:
    readers = readers_of("""
    entry main:
      a = f32[4] parameter()
      g = (f32[4],f32[8]) all-gather-start(a)
      d = f32[8] all-gather-done(g)
      r = f32[8] negate(d)
    alloc temp 64: a:16@0 g{1}:32@16
    """)
    assert readers == {"a": ["g", "d"], "g{1}": ["d", "r"]}


def test_callback_on_the_host() -> None:
    """What is received is not what was sent: only their order is tied, by a token."""
    readers = readers_of("""
    entry main:
      a = f32[4] parameter()
      t = token[] after-all()
      s = (f32[4],u32[],token[]) send(a, t)
      e = token[] send-done(s)
      v = (f32[4],u32[],token[]) recv(e)
      w = (f32[4],token[]) recv-done(v)
      x = f32[4] get-tuple-element(w) index=0
      r = f32[4] negate(x)
    alloc temp 64: a:16@0 s{1}:4@16 e:0@20 v{0}:16@32
    """)
    assert readers == {"a": ["s", "e"], "s{1}": ["e"], "e": ["v"], "v{0}": ["w", "r"]}


@pytest.mark.parametrize(
    ("allocated", "freed", "readers", "idle"),
    [
        (3, 4, [], None),
        (3, 6, [4, 5], None),
        (3, 5, [], (4, 5)),
        (3, 20, [5, 12, 13], (6, 12)),
        (3, 20, [5, 9], (10, 20)),
        # A read at the point that defines it, or where it is freed already, ends nothing.
        (3, 6, [3, 6, 9], (4, 6)),
        # Of equal ones the first.
        (0, 6, [3], (1, 3)),
    ],
)
def test_the_longest_stretch_without_a_read(
    allocated: int, freed: int, readers: list[int], idle: tuple[int, int] | None
) -> None:
    assert longest_idle(allocated, freed, readers) == idle


LOOP = """
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
  q = f32[4] parameter()
  k = f32[4] parameter() number=1
  t = (f32[4],f32[4]) tuple(q, k)
  w = (f32[4],f32[4]) while(t) calls=body,cond
  w0 = f32[4] get-tuple-element(w) index=0
  r = f32[4] negate(w0)
alloc temp 128: q:16@0 bp{0}:16@0 cp{0}:16@0 bx:16@0 w{0}:16@0 k:16@16 cx:1@32
"""


def handovers_of(text: str) -> list[tuple[str, str, str, str]]:
    planned = plan(module(text))
    buffers, names = planned.module.buffers, planned.module.instructions.names

    def name(row: int) -> str:
        return f"{names[buffers.instruction[row]]}{buffers.index_text(row)}"

    return [
        (name(one.source), one.kind, name(one.target), names[one.instruction])
        for one in find_handovers(planned)
    ]


def test_what_goes_into_a_loop_round_it_and_out_of_it() -> None:
    assert sorted(handovers_of(LOOP)) == [
        ("bx", "goes round", "bp{0}", "w"),
        ("bx", "goes round", "cp{0}", "w"),
        ("bx", "leaves", "w{0}", "w"),
        ("q", "enters", "bp{0}", "w"),
        ("q", "enters", "cp{0}", "w"),
        ("q", "leaves", "w{0}", "w"),
    ]
    readers = readers_of(LOOP)
    assert readers["q"] == [], "its memory is read under the parameter's name"
    assert (readers["cp{0}"], readers["bp{0}"], readers["w{0}"]) == (["cx"], ["bx"], ["r"])
    assert readers["k"] == ["bx"], "what goes round unchanged keeps its name"


def test_a_conditional_reads_its_predicate_and_hands_the_rest_on() -> None:
    text = """
    computation one:
      p1 = f32[4] parameter()
      x1 = f32[4] add(p1, p1)
    computation two:
      p2 = f32[4] parameter()
      x2 = f32[4] add(p2, p2)
    entry main:
      a = f32[4] parameter()
      k = s32[] parameter() number=1
      i = s32[] add(k, k)
      c = f32[4] conditional(i, a, a) calls=one,two
      r = f32[4] negate(c)
    alloc temp 128: a:16@0 i:4@16 x1:16@32 x2:16@32 c:16@32
    """
    readers = readers_of(text)
    assert readers["i"] == ["c"]
    assert readers["a"] == ["x1", "x2"]
    assert handovers_of(text) == [
        ("x1", "leaves branch", "c", "c"),
        ("x2", "leaves branch", "c", "c"),
    ]


def test_on_the_axis_of_events_nobody_is_known_to_read() -> None:
    planned = plan(module("unscheduled entry main:\n  p = f32[4] parameter()\nalloc parameter 16: p:16"))
    assert find_handovers(planned) == ()
    assert len(find_readers(planned).of(0)) == 0
