"""Every kind of finding just below its threshold, where there is none, and just above, where there is.

Each program holds memory that the finding is about, and an argument of plain bytes that no finding is about.
The size of the argument decides how large a share of the whole the rest is.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tensorboard_plugin_memviewer.analysis.findings import Effect
from tests.analysis.findings.found import MIB, found_in_text, one_argument

KIB = 1 << 10
# A program of a finding: from the bytes that it is about and the bytes beside them.
Program = Callable[[int, int], str]


def beside(size: int) -> tuple[str, str]:
    """An argument of plain bytes, and its allocation; nothing for none."""
    if size <= 0:
        return "", ""
    return f"q = s8[{size}] parameter() number=9", f"alloc parameter {size}: q:{size}"


def padded(size: int, rest: int) -> str:
    """`size` bytes of padding, and 4 KiB that are none."""
    argument, allocation = beside(rest - 4 * KIB)
    return f"""
    entry main:
      {argument}
      a = f32[1024] iota()
    {allocation}
    alloc temp {size + 4 * KIB}: a:{size + 4 * KIB}@0
    trace: +a -a
    """


def gap(size: int, rest: int) -> str:
    """Two buffers, one after the other, of which the second lies `size` bytes higher."""
    each = 256 * KIB
    argument, allocation = beside(rest - each)
    return f"""
    entry main:
      {argument}
      a = s8[{each}] iota()
      b = s8[{each}] tanh(a)
    {allocation}
    alloc temp {each + size}: a:{each}@0 b:{each}@{size}
    trace: +a -a +b -b
    """


def several(operations: list[str], reader: str, size: int, rest: int) -> str:
    """Three buffers of a third of `size` each, by operations of these names, and what reads them."""
    argument, allocation = beside(rest)
    each = size // 3
    made = [f'h{at} = s8[{each}] iota() op="{name}"' for at, name in enumerate(operations)]
    held = " ".join(f"h{at}:{each}@{at * each}" for at in range(3))
    lines = "\n".join(["entry main:", argument, *made, f'r = s8[{each}] add(h0, h1, h2) op="{reader}"'])
    return f"{lines}\n{allocation}\nalloc temp {size}: {held}\ntrace: +h0 +h1 +h2 -h0 -h1 -h2"


def activations(size: int, rest: int) -> str:
    """`size` bytes in three layers, kept for the backward pass."""
    layers = [f"jit(f)/jvp(layer_{at})/tanh" for at in range(3)]
    return several(layers, "jit(f)/transpose(jvp(layer))/mul", size, rest)


def activations_of_a_program_that_recomputes(size: int, rest: int) -> str:
    """The same, in a program that recomputes something."""
    lines = activations(size, rest)
    return lines.replace("r = ", 'n = s8[1] constant() op="jit(f)/rematted_computation/x"\nr = ')


def recomputed(size: int, rest: int) -> str:
    """`size` bytes in three layers, recomputed together."""
    layers = [f"jit(f)/layer_{at}/rematted_computation/tanh" for at in range(3)]
    return several(layers, "jit(f)/mul", size, rest)


def repeated(size: int, rest: int) -> str:
    """Three buffers of one operation: two of them, `size` bytes, are more than is needed."""
    return several(["jit(f)/tanh"] * 3, "jit(f)/mul", 3 * size // 2, rest - size // 2)


def copied(size: int, rest: int) -> str:
    """A copy of `size` bytes beside its original."""
    argument, allocation = beside(rest - size)
    return f"""
    entry main:
      {argument}
      a = s8[{size}] iota()
      b = s8[{size}] copy(a)
      c = s8[{size}] add(a, b)
    {allocation}
    alloc temp {2 * size}: a:{size}@0 b:{size}@{size}
    trace: +a +b -a -b
    """


def not_in_place(size: int, rest: int) -> str:
    """A donated argument of `size` bytes whose new value a loop stacks beside it."""
    argument, allocation = beside(rest - size)
    array = f"s8[4,{size // 4}]"
    return f"""
    computation body:
      b = ({array}) parameter()
      e = {array} get-tuple-element(b) index=0
      x = s8[1,{size // 4}] constant()
      i = s32[] constant()
      u = {array} dynamic-update-slice(e, x, i)
      t = ({array}) tuple(u)
    computation cond:
      s = ({array}) parameter()
    entry main:
      {argument}
      p = {array} parameter()
      z = {array} broadcast(p)
      o = ({array}) tuple(z)
      l = ({array}) while(o) calls=body,cond
      g = {array} get-tuple-element(l) index=0
      c = {array} copy(g)
    {allocation}
    alloc parameter+output {size}: p:{size} c:{size}
    alloc temp {size}: l{{0}}:{size}@0
    trace: +l{{0}} -l{{0}}
    """


def undonated(size: int, rest: int) -> str:
    """An output of `size` bytes beside the argument that it is made of."""
    argument, allocation = beside(rest - size)
    return f"""
    entry main:
      {argument}
      p = s8[{size}] parameter()
      r = s8[{size}] add(p, p)
    {allocation}
    alloc parameter {size}: p:{size}
    alloc output {size}: r:{size}
    """


def one_buffer(size: int, rest: int) -> str:
    """A temporary of `size` bytes."""
    argument, allocation = beside(rest)
    return f"""
    entry main:
      {argument}
      a = s8[{size}] iota()
    {allocation}
    alloc temp {size}: a:{size}@0
    trace: +a -a
    """


def wide(size: int, rest: int) -> str:
    """An argument of f32 of `size` bytes, on a GPU: only there are fusions called so. Beside it two of s8."""
    first, second = max(rest // 2, 1), max(rest - rest // 2, 1)
    return f"""
    entry main:
      p = f32[{size // 4}] parameter()
      q = s8[{first}] parameter() number=1
      s = s8[{second}] parameter() number=2
      loop_add_fusion = f32[] constant()
    alloc parameter {size}: p:{size}
    alloc parameter {first}: q:{first}
    alloc parameter {second}: s:{second}
    """


# Kind; program; of 12 MiB that it is about, the fewest bytes beside them that hide it.
SHARES = [
    ("padding", padded, 9 * 12 * MIB),
    ("fragmentation", gap, 9 * 12 * MIB),
    ("activations", activations, 19 * 12 * MIB + 1),
    ("activations", activations_of_a_program_that_recomputes, 4 * 12 * MIB + 1),
    ("recomputed", recomputed, 9 * 12 * MIB + 1),
    ("duplicates", repeated, 19 * 12 * MIB + 1),
    ("copies", copied, 19 * 12 * MIB + 1),
    ("not_in_place", not_in_place, 19 * 12 * MIB + 1),
    ("undonated_arguments", undonated, 99 * 12 * MIB + 1),
    ("large_buffer", one_buffer, 2 * 12 * MIB),
    ("wide_floats", wide, 12 * MIB),
]


@pytest.mark.parametrize(("kind", "program", "hiding"), SHARES)
def test_a_part_of_the_whole_that_is_too_small(kind: str, program: Program, hiding: int) -> None:
    assert kind in found_in_text(program(12 * MIB, hiding - 1))
    assert kind not in found_in_text(program(12 * MIB, hiding))


# Kind; program; bytes that are worth a finding where there is little else, and bytes that are not.
AMOUNTS = [
    ("padding", padded, 64 * KIB, 64 * KIB - 1),
    ("fragmentation", gap, 64 * KIB, 64 * KIB - 1),
    ("activations", activations, 66 * KIB, 63 * KIB),
    ("recomputed", recomputed, 66 * KIB, 63 * KIB),
    ("duplicates", repeated, 64 * KIB, 64 * KIB - 2),
    ("copies", copied, 64 * KIB, 64 * KIB - 1),
    ("not_in_place", not_in_place, 64 * KIB, 64 * KIB - 4),
    ("undonated_arguments", undonated, 64 * KIB, 64 * KIB - 1),
    ("large_buffer", one_buffer, 64 * KIB, 64 * KIB - 1),
    ("wide_floats", wide, 128 * KIB, 128 * KIB - 4),
]


@pytest.mark.parametrize(("kind", "program", "enough", "too_few"), AMOUNTS)
def test_bytes_that_are_too_few(kind: str, program: Program, enough: int, too_few: int) -> None:
    assert kind in found_in_text(program(enough, 0))
    assert kind not in found_in_text(program(too_few, 0))


@pytest.mark.parametrize(
    ("kind", "size", "capacity"),
    [
        ("over_capacity", 100 * MIB, 100 * MIB),
        ("near_capacity", 95 * MIB, 100 * MIB),
        ("dominant_buffer", 50 * MIB, 100 * MIB),
    ],
)
def test_capacity_that_is_just_enough(kind: str, size: int, capacity: int) -> None:
    assert kind not in found_in_text(one_argument(size), capacity)
    assert kind in found_in_text(one_argument(size), capacity - 1)


def test_scoped_memory_that_just_fits() -> None:
    """Two kernels, of which the first is the larger."""
    text = f"""
    entry main:
      p = f32[16] parameter()
      k = f32[16] custom-call(p) scoped=0:{6 * MIB}
      m = f32[16] custom-call(k) scoped=0:{5 * MIB}
    alloc temp {4 * MIB}: k:{4 * MIB}@0
    trace: +k -k
    """
    kind = "scoped_over_capacity"
    assert kind not in found_in_text(text, 10 * MIB)
    assert found_in_text(text, 10 * MIB - 1)[kind].points == (1,)
    assert found_in_text(text, 9 * MIB)[kind].points == (1,), "the second fits to the byte"
    assert found_in_text(text, 9 * MIB - 1)[kind].points == (1, 2)


def test_buffers_that_a_packing_without_gaps_would_not_need() -> None:
    """Those that reach above what it would take, wherever they begin: the first ends there to the byte."""
    text = f"""
    entry main:
      a = s8[{2 * MIB}] iota()
      b = s8[{2 * MIB}] tanh(a)
    alloc temp {3 * MIB}: a:{2 * MIB}@0 b:{2 * MIB}@{MIB}
    trace: +a -a +b -b
    """
    assert len(found_in_text(text)["fragmentation"].rows) == 1


@pytest.mark.parametrize(("size", "there"), [(MIB, True), (MIB - 4, False)])
def test_constants_that_are_too_small(size: int, there: bool) -> None:
    text = f"""
    entry main:
      c = f32[{size // 4}] constant()
      r = f32[] parameter()
    alloc constant {size}: c:{size}
    """
    assert ("large_constants" in found_in_text(text)) == there


@pytest.mark.parametrize(("size", "there"), [(3 * MIB, True), (3 * MIB + 4, False)])
def test_types_are_no_matter_where_another_finding_explains_more(size: int, there: bool) -> None:
    """More than three tenths of the peak."""
    text = f"""
    entry main:
      p = f32[{7 * MIB // 4}] parameter()
      c = f32[{size // 4}] constant()
      loop_add_fusion = f32[] constant()
    alloc parameter {7 * MIB}: p:{7 * MIB}
    alloc constant {size}: c:{size}
    """
    findings = found_in_text(text)
    assert "large_constants" in findings
    assert ("wide_floats" in findings) == there


@pytest.mark.parametrize(("half", "kind"), [(0, "exact"), (15, "range"), (16, "unknown")])
def test_bounds_of_an_effect_that_tell_something(half: int, kind: str) -> None:
    """As long as they are no further apart than three tenths of their middle."""
    assert Effect(100 - half, 100 + half).kind == kind
