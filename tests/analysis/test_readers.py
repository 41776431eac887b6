"""Who reads a buffer, where it passes through instructions that move no data."""

from __future__ import annotations

import pytest

from tensorboard_plugin_memviewer.analysis.program_order import program_order
from tensorboard_plugin_memviewer.analysis.readers import find_readers, longest_idle
from tests.build import module


def readers_of(text: str) -> dict[str, list[str]]:
    """The names of the instructions that read each buffer, by `name{index}`."""
    found = module(text)
    order = program_order(found)
    readers = find_readers(found, order)
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
