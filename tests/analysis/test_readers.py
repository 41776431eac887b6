"""Who reads a buffer, where it passes through instructions that move no data."""

from __future__ import annotations

from tensorboard_plugin_memviewer.analysis.readers import find_handovers, find_readers
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
