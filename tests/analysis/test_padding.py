"""Padding: what tiles make of an array, against figures by hand, a slow tiling and the compiler's sizes."""

from __future__ import annotations

from math import prod
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tensorboard_plugin_memviewer.analysis.padding import PaddingExplanation, explain
from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module
from tensorboard_plugin_memviewer.formats.shape_text import parse_shape
from tensorboard_plugin_memviewer.model.shape import COMBINE, Layout, Shape

MODULES = sorted((Path(__file__).parent.parent / "data" / "modules").glob("*.pb"))
S4, S8, F32 = 21, 2, 11


def shape_of(text: str) -> Shape:
    shape = parse_shape(text)
    assert shape is not None, text
    return shape


def explained(text: str, actual_bytes: int) -> PaddingExplanation:
    explanation = explain(shape_of(text), actual_bytes)
    assert explanation is not None
    return explanation


@pytest.mark.parametrize(
    ("text", "stored", "size", "worst"),
    [
        ("f32[]", "1", 4, None),
        ("f32[]{:T(128)}", "128", 512, "tile: 1 stored as 128"),
        ("f32[7]{0}", "7", 28, None),
        ("f32[7]{0:T(128)}", "128", 512, "dimension 0: 7 stored as 128"),
        ("bf16[777,3]{1,0:T(8,128)(2,1)}", "784 × 128", 784 * 128 * 2, "dimension 1: 3 stored as 128"),
        ("bf16[777,3]{0,1:T(8,128)(2,1)}", "896 × 8", 896 * 8 * 2, "dimension 1: 3 stored as 8"),
        (
            "bf16[64,224,224,3]{0,3,2,1:T(4,128)(2,1)}",
            "128 × 224 × 224 × 4",
            None,
            "dimension 0: 64 stored as 128",
        ),
        ("bf16[10]{0:T(256)(128)(2,1)}", "256", 512, "dimension 0: 10 stored as 256"),
        ("f32[3]{0:T(1)(128)}", "384", 1536, "dimension 0: 3 stored as 384"),
        ("f32[3]{0:T(8,128)}", "8 × 128", 4096, "dimension 0: 3 stored as 128"),
        ("f32[3]{0:T(1,128)}", "128", 512, "dimension 0: 3 stored as 128"),
        ("f32[5,7]{1,0:T(*,8)}", "40", 160, "dimensions 0, 1: 35 stored as 40"),
        ("f32[2,5,7]{2,1,0:T(*,8)}", "2 × 40", 320, "dimensions 1, 2: 35 stored as 40"),
        ("f32[3,5,7]{2,1,0:T(2,*,8)}", "4 × 40", 640, "dimension 0: 3 stored as 4"),
        ("u4[5,5]{1,0:T(8,128)(8,1)E(4)}", "8 × 128", 512, "dimension 1: 5 stored as 128"),
        ("s4[16]{0}", "16", 16, "each element: 4 bits stored as 8"),
        ("s4[16]{0:E(4)}", "16", 8, None),
        ("f32[6]{0:L(4)}", "6", 32, "end of the array: 2 elements added"),
        ("f32[<=6]{0:M(16)}", "6", 40, "start of the array: 16 bytes of sizes"),
        ("f32[0,3]{1,0:T(8,128)}", "0 × 128", 0, None),
    ],
)
def test_stored_form(text: str, stored: str, size: int | None, worst: str | None) -> None:
    explanation = explained(text, 128 * 224 * 224 * 4 * 2 if size is None else size)
    assert (explanation.stored_text, explanation.worst_text) == (stored, worst)


def test_factor() -> None:
    explanation = explained("bf16[777,3]{1,0:T(8,128)(2,1)}", 784 * 128 * 2)
    assert explanation.unpadded_bytes == 777 * 3 * 2
    assert explanation.factor == pytest.approx(43.05, abs=0.01)
    assert explained("f32[0]{0}", 0).factor is None


@pytest.mark.parametrize(
    ("text", "actual"),
    [
        ("f32[7]{0:T(128)}", 511),
        ("bf16[]", 2048),
        ("(f32[7]{0}, f32[7]{0})", 56),
        ("token[]", 0),
        ("f32[7]", 28),
        ("type 77[7]{0}", 7),
        ("f32[7,2]{0}", 56),
        ("f32[7]{0:T(0)}", 0),
        ("f32[7]{0:T()}", 28),
        ("f32[7,3]{1,0:T(2,*)}", 96),
    ],
)
def test_no_explanation_where_size_or_layout_do_not_fit(text: str, actual: int) -> None:
    assert explain(shape_of(text), actual) is None


def test_negative_sizes_have_no_explanation() -> None:
    assert explain(Shape(F32, (-3,), (False,), (), Layout((0,))), 0) is None
    assert explain(Shape(F32, (3,), (False,), (), Layout((0,), ((-2,),))), 12) is None


@st.composite
def tiled_arrays(draw: st.DrawFn) -> Shape:
    dimensions = tuple(draw(st.lists(st.integers(0, 6), max_size=3)))
    tile = st.builds(
        lambda outer, last: (*outer, last),
        st.lists(st.integers(1, 4) | st.just(COMBINE), max_size=2),
        st.integers(1, 5),
    )
    layout = Layout(
        tuple(draw(st.permutations(range(len(dimensions))))),
        tuple(draw(st.lists(tile, max_size=2))),
        draw(st.sampled_from([None, 1, 4, 8])),
        tail_padding_alignment=draw(st.sampled_from([1, 1, 7])),
    )
    return Shape(draw(st.sampled_from([S4, S8])), dimensions, (False,) * len(dimensions), (), layout)


def tiled(array: NDArray[np.int8], tile: tuple[int, ...]) -> NDArray[np.int8]:
    """Cut an array into tiles by moving its elements, one tile after the other in memory; padding is zero."""
    array = array.reshape((1,) * (len(tile) - array.ndim) + array.shape)
    outer = array.ndim - len(tile)
    sizes: list[int] = []
    extent: int
    merged: list[int] = list(array.shape[:outer])
    pending = 1
    for extent, size in zip(array.shape[outer:], tile, strict=True):
        pending *= extent
        if size != COMBINE:
            merged.append(pending)
            sizes.append(size)
            pending = 1
    array = array.reshape(merged)
    array = np.pad(
        array, [(0, 0)] * outer + [(0, -n % t) for n, t in zip(merged[outer:], sizes, strict=True)]
    )
    split = [part for n, t in zip(array.shape[outer:], sizes, strict=True) for part in (n // t, t)]
    array = array.reshape([*array.shape[:outer], *split])
    counts = range(outer, array.ndim, 2)
    cut: NDArray[np.int8] = array.transpose([*range(outer), *counts, *(at + 1 for at in counts)])
    return cut


@given(tiled_arrays())
@settings(deadline=None, max_examples=300)
def test_the_size_is_that_of_elements_moved_into_tiles(shape: Shape) -> None:
    layout = shape.layout
    assert layout is not None
    stored = np.ones([shape.dimensions[at] for at in reversed(layout.minor_to_major)], np.int8)
    for tile in layout.tiles:
        stored = tiled(stored, tile)
    assert stored.sum() == shape.elements
    elements = stored.size + -stored.size % layout.tail_padding_alignment
    size = -(-elements * (layout.element_size_in_bits or 8) // 8)
    explanation = explain(shape, size)
    assert explanation is not None
    assert prod(dimension.stored for dimension in explanation.dimensions) == stored.size
    assert sorted(at for dimension in explanation.dimensions for at in dimension.dimensions) == list(
        range(len(shape.dimensions))
    )
    assert all(dimension.stored >= dimension.size for dimension in explanation.dimensions)
    assert explanation.stored_bytes >= explanation.unpadded_bytes
    assert (explanation.worst_text is None) == (size == explanation.unpadded_bytes)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name.split(".")[0])
def test_every_array_of_a_real_program_is_explained(path: Path) -> None:
    module = decode_module(path.read_bytes())
    sizes = zip(module.buffers.shape.tolist(), module.buffers.size.tolist(), strict=True)
    arrays = [(module.shapes[row], size) for row, size in sizes if module.shapes[row].layout is not None]
    unexplained = {shape.text() for shape, size in arrays if explain(shape, size) is None}
    # Parameters of a reducer's computation, which TPU's compiler gives a whole tile without writing it down.
    assert unexplained <= {"f32[]", "bf16[]"}
    assert len(arrays) > 0
