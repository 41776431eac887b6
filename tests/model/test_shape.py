"""Shapes: XLA's text, sizes without padding, sub-shapes."""

from __future__ import annotations

import pytest

from tensorboard_plugin_memviewer.model.shape import (
    BUFFER,
    COMBINE,
    OPAQUE,
    TOKEN,
    TUPLE,
    UNBOUNDED,
    Layout,
    Shape,
    SplitConfig,
    element_type,
)

S8, S32, BF16, F32, S4, PRED = 2, 4, 16, 11, 21, 1
POINTER = 8

SCALAR = Shape(F32)
PAIR = Shape(TUPLE, tuple_shapes=(SCALAR, Shape(TUPLE, tuple_shapes=(Shape(S32, (3,)), SCALAR))))


def array(number: int, *dimensions: int, layout: Layout | None = None) -> Shape:
    return Shape(number, dimensions, (False,) * len(dimensions), (), layout)


@pytest.mark.parametrize(
    ("layout", "text"),
    [
        (Layout(), "{}"),
        (Layout((1, 0)), "{1,0}"),
        (Layout((1, 0), ((8, 128), (2, 1))), "{1,0:T(8,128)(2,1)}"),
        (Layout((), ((128,),)), "{:T(128)}"),
        (Layout((1, 0), ((COMBINE, 2),)), "{1,0:T(*,2)}"),
        (Layout((0,), ((-5,),)), "{0:T(Invalid value -5)}"),
        (Layout((0,), memory_space=5), "{0:S(5)}"),
        (Layout((0,), memory_space=-1), "{0:S(-1)}"),
        (Layout((0,), element_size_in_bits=4), "{0:E(4)}"),
        (Layout((0,), tail_padding_alignment=128), "{0:L(128)}"),
        (Layout((0,), index_type=6, pointer_type=8), "{0:#(u8)*(u32)}"),
        (Layout((0,), split_configs=(SplitConfig(0, (1, 2)), SplitConfig(1, (3,)))), "{0:SC(0:1,2)(1:3)}"),
        (Layout((0,), dynamic_shape_metadata_prefix_bytes=12), "{0:M(12)}"),
        (Layout((0,), physical_shape=array(F32, 3, layout=Layout((0,)))), "{0:P(f32[3]{0})}"),
        (
            Layout((1, 0), ((2,),), 4, 1, 128, 6, 8, None, 12, (SplitConfig(0, (1,)),)),
            "{1,0:T(2)L(128)#(u8)*(u32)E(4)S(1)SC(0:1)M(12)}",
        ),
    ],
)
def test_text_of_a_layout(layout: Layout, text: str) -> None:
    assert layout.text() == text


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        (SCALAR, "f32[]"),
        (array(F32, layout=Layout()), "f32[]"),
        (array(F32, layout=Layout((), ((128,),))), "f32[]{:T(128)}"),
        (array(BF16, 777, 3, layout=Layout((1, 0), ((8, 128), (2, 1)))), "bf16[777,3]{1,0:T(8,128)(2,1)}"),
        (array(F32, 0), "f32[0]"),
        (Shape(F32, (5, 3), (True, False), (), Layout((1, 0))), "f32[<=5,3]{1,0}"),
        (Shape(F32, (UNBOUNDED, 3), (True, False)), "f32[?,3]"),
        (Shape(TUPLE), "()"),
        (PAIR, "(f32[], (s32[3], f32[]))"),
        (Shape(TOKEN), "token[]"),
        (Shape(OPAQUE, layout=Layout()), "opaque[]"),
        (Shape(BUFFER, tuple_shapes=(array(F32, 3, layout=Layout((0,))),)), "b(f32[3]{0})"),
        (Shape(99, (2,)), "type 99[2]"),
    ],
)
def test_text_of_a_shape(shape: Shape, text: str) -> None:
    assert shape.text() == text


def test_every_fifth_element_of_a_tuple_has_its_index() -> None:
    tuple_of_eleven = Shape(TUPLE, tuple_shapes=(SCALAR,) * 11)
    five = "f32[], f32[], f32[], f32[], f32[]"
    assert tuple_of_eleven.text() == f"({five}, /*index=5*/{five}, /*index=10*/f32[])"


def test_text_without_layout() -> None:
    inner = array(F32, 2, 3, layout=Layout((1, 0), memory_space=1))
    assert Shape(TUPLE, tuple_shapes=(inner, SCALAR)).text(layout=False) == "(f32[2,3], f32[])"


@pytest.mark.parametrize(
    ("shape", "size"),
    [
        (SCALAR, 4),
        (array(BF16, 777, 3), 777 * 3 * 2),
        (array(PRED, 9), 9),
        (array(S4, 3), 2),
        (array(S4, 4), 2),
        (array(26, 5), 2),
        (array(30, 9), 2),
        (array(18, 2), 32),
        (array(S4, 3, layout=Layout((0,), element_size_in_bits=8)), 3),
        (array(S8, 3, layout=Layout((0,), element_size_in_bits=4)), 2),
        (array(F32, 4, 0, 7), 0),
        (Shape(F32, (UNBOUNDED, 3), (True, False)), 0),
        (PAIR, 2 * POINTER),
        (Shape(TUPLE), 0),
        (Shape(TOKEN), 0),
        (Shape(OPAQUE), 0),
        (Shape(BUFFER, tuple_shapes=(array(F32, 3),)), 12),
        (Shape(BUFFER, tuple_shapes=(Shape(99, (3,)),)), None),
        (Shape(99, (3,)), None),
        (Shape(99, (3,), (), (), Layout((0,), element_size_in_bits=16)), 6),
    ],
)
def test_unpadded_bytes(shape: Shape, size: int | None) -> None:
    assert shape.unpadded_bytes(POINTER) == size


@pytest.mark.parametrize(
    ("shape", "elements"),
    [
        (SCALAR, 1),
        (array(F32, 2, 3), 6),
        (PAIR, 0),
        (Shape(TOKEN), 0),
        (Shape(BUFFER, tuple_shapes=(array(F32, 3),)), 3),
    ],
)
def test_elements(shape: Shape, elements: int) -> None:
    assert shape.elements == elements


def test_a_shape_index_is_followed_to_its_end() -> None:
    assert PAIR.find(()) is PAIR
    inner, nested = PAIR.find((1, 0)), PAIR.find([1])
    assert inner is not None and inner.text() == "s32[3]"
    assert nested is not None and nested.is_tuple


@pytest.mark.parametrize("index", [(2,), (-1,), (0, 0), (1, 2), (1, 0, 0)])
def test_a_shape_index_outside_the_shape_finds_nothing(index: tuple[int, ...]) -> None:
    assert PAIR.find(index) is None


def test_an_unknown_element_type_has_its_number_for_a_name() -> None:
    assert (element_type(250).name, element_type(250).bits) == ("type 250", None)
