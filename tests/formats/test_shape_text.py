"""Shape text and back: what `Shape.text()` writes is read as the same shape."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensorboard_plugin_memviewer.formats.shape_text import DEEPEST, parse_shape
from tensorboard_plugin_memviewer.model.shape import (
    COMBINE,
    ELEMENT_TYPES,
    TUPLE,
    UNBOUNDED,
    Layout,
    Shape,
    SplitConfig,
)

sizes = st.integers(min_value=0, max_value=10**12)
tiles = st.lists(st.lists(sizes | st.just(COMBINE), max_size=3).map(tuple), max_size=3).map(tuple)


@st.composite
def arrays(draw: st.DrawFn) -> Shape:
    number = draw(st.sampled_from([n for n, row in ELEMENT_TYPES.items() if row.bits is not None]))
    dimensions = tuple(draw(st.lists(sizes | st.just(UNBOUNDED), max_size=4)))
    bounded = tuple(draw(st.lists(st.booleans(), min_size=len(dimensions), max_size=len(dimensions))))
    dynamic = tuple(flag or size == UNBOUNDED for flag, size in zip(bounded, dimensions, strict=True))
    order = tuple(draw(st.permutations(range(len(dimensions)))))
    layout = Layout(
        minor_to_major=order,
        tiles=draw(tiles),
        element_size_in_bits=draw(st.none() | st.integers(1, 64)),
        memory_space=draw(st.integers(0, 12)),
        tail_padding_alignment=draw(st.integers(1, 2048)),
        split_configs=draw(st.lists(st.just(SplitConfig(0, (4, 8))), max_size=1).map(tuple)),
    )
    shown = layout if order or layout.text() != "{}" else None
    return Shape(
        number, dimensions, dynamic if any(dynamic) else (), (), draw(st.sampled_from([shown, None]))
    )


shapes = st.recursive(
    arrays(),
    lambda inner: st.lists(inner, max_size=7).map(lambda held: Shape(TUPLE, tuple_shapes=tuple(held))),
)


@settings(max_examples=40)
@given(shapes)
def test_what_is_written_is_read_as_the_same(shape: Shape) -> None:
    assert parse_shape(shape.text()) == shape


@pytest.mark.parametrize(
    "text",
    [
        "f32[]",
        "token[]",
        "bf16[8192,8192]{1,0:T(8,128)(2,1)}",
        "(s32[], f32[32,64]{1,0}, /*index=5*/u32[]{:T(128)S(2)}, ())",
        "f32[<=8,?]{1,0:T(8,128)M(256)}",
        "s4[3]{0:T(128)E(4)S(1)}",
        "type 99[3]{0}",
    ],
)
def test_real_forms(text: str) -> None:
    shape = parse_shape(text)
    assert shape is not None
    assert shape.text() == text.replace("/*index=5*/", "")


@pytest.mark.parametrize(
    "text", ["", "f32", "f32[", "f32[1,]x", "f32[1]{0", "what[1]", "(f32[]", "f32[1]{0:Q(1)}", "f32[1]{0:T}"]
)
def test_what_is_no_shape(text: str) -> None:
    assert parse_shape(text) is None


def test_depth_is_bounded() -> None:
    assert parse_shape("(" * DEEPEST + "f32[]" + ")" * DEEPEST) is not None
    assert parse_shape("(" * (DEEPEST + 1) + "f32[]" + ")" * (DEEPEST + 1)) is None
    assert parse_shape("(" * 100_000) is None
    assert parse_shape("f32[1]{0:P(" * 5_000) is None


@given(st.text(alphabet="f32[]{}(),:TSE*<=?b "))
def test_any_text_is_read_or_refused(text: str) -> None:
    parse_shape(text)
