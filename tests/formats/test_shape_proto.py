"""Shapes from wire bytes, against XLA itself where jaxlib is installed."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tensorboard_plugin_memviewer.errors import Damaged
from tensorboard_plugin_memviewer.formats.shape_proto import decode_shape, encode_shape
from tensorboard_plugin_memviewer.model.shape import (
    COMBINE,
    ELEMENT_TYPES,
    TUPLE,
    ElementType,
    Layout,
    Shape,
    SplitConfig,
)
from tensorboard_plugin_memviewer.protos import memviewer_shape_pb2 as pb

DATA = Path(__file__).parent.parent / "data"
MODULES = sorted((DATA / "modules").glob("*.pb"))


def encoded(shape: Shape) -> pb.Shape:
    return pb.Shape.FromString(encode_shape(shape))


@st.composite
def arrays(draw: st.DrawFn, alone: bool = True) -> Shape:
    """Arrays that XLA accepts as valid, with every attribute that its text shows.

    Some attributes only for an array that is `alone`: XLA does not read its own text of them inside a tuple.
    """
    dimensions = tuple(draw(st.lists(st.integers(0, 1000), max_size=4)))
    flags = st.lists(st.booleans(), min_size=len(dimensions), max_size=len(dimensions))
    tile = st.lists(st.integers(1, 512) | st.just(COMBINE), min_size=1, max_size=3).map(tuple)
    split = st.builds(SplitConfig, st.integers(0, 3), st.lists(st.integers(1, 9), min_size=1).map(tuple))
    index_types = st.sampled_from([None, 6, 7, 8, 9] if alone else [None])
    layout = Layout(
        minor_to_major=tuple(draw(st.permutations(range(len(dimensions))))),
        tiles=tuple(draw(st.lists(tile, max_size=3))),
        element_size_in_bits=draw(st.none() | st.integers(1, 64)),
        memory_space=draw(st.integers(0, 15)),
        tail_padding_alignment=draw(st.integers(1, 512)),
        index_type=draw(index_types),
        pointer_type=draw(index_types),
        dynamic_shape_metadata_prefix_bytes=draw(st.integers(0, 512)),
        split_configs=tuple(draw(st.lists(split, max_size=2 if alone else 0))),
    )
    number = draw(st.sampled_from([n for n, row in ELEMENT_TYPES.items() if row.bits is not None]))
    return Shape(number, dimensions, tuple(draw(flags)), (), layout)


shapes = arrays() | st.recursive(
    arrays(alone=False) | st.just(Shape(17)),
    lambda inner: st.lists(inner, max_size=7).map(lambda all_: Shape(TUPLE, tuple_shapes=tuple(all_))),
    max_leaves=12,
)


@given(shapes)
@settings(deadline=None)
def test_what_is_encoded_is_decoded(shape: Shape) -> None:
    assert decode_shape(encoded(shape).SerializeToString()) == shape


def test_absent_fields() -> None:
    shape = decode_shape(pb.Shape(element_type=11, dimensions=[2], layout=pb.Layout()).SerializeToString())
    assert shape == Shape(11, (2,), (), (), Layout())
    assert decode_shape(b"") == Shape(0)


def test_a_sparse_layouts_physical_shape_is_read() -> None:
    layout = Layout((0,), physical_shape=Shape(8, (4,), (False,)))
    shape = Shape(11, (2,), (False,), (), layout)
    assert decode_shape(encoded(shape).SerializeToString()) == shape


def test_fields_and_types_of_tomorrow_do_no_harm() -> None:
    data = pb.Shape(element_type=200, dimensions=[2]).SerializeToString() + b"\xfa\x3f\x03new"
    assert decode_shape(data).text() == "type 200[2]"


@given(st.binary(max_size=60))
def test_any_bytes_give_a_shape_or_damage(data: bytes) -> None:
    try:
        shape = decode_shape(data)
    except Damaged:
        return
    assert shape.text()
    assert (shape.unpadded_bytes(8) or 0) >= 0


def test_endless_nesting_is_damage() -> None:
    data = b""
    for _ in range(5000):
        data = b"\x22" + _varint(len(data)) + data
    with pytest.raises(Damaged):
        decode_shape(data)


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def instruction_shapes(data: bytes) -> Iterator[bytes]:
    """The bytes of every ShapeProto of a module: HloProto.hlo_module.computations.instructions.shape."""
    yield from _nested(data, (1, 3, 2, 3))


def _nested(data: bytes, path: tuple[int, ...]) -> Iterator[bytes]:
    if not path:
        yield data
        return
    at = 0
    while at < len(data):
        tag, at = _read_varint(data, at)
        if tag & 7 == 0:
            _, at = _read_varint(data, at)
        elif tag & 7 == 2:
            length, at = _read_varint(data, at)
            if tag >> 3 == path[0]:
                yield from _nested(data[at : at + length], path[1:])
            at += length
        else:
            at += 8 if tag & 7 == 1 else 4


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = data[at]
        at += 1
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return number, at


@lru_cache
def real_shapes() -> dict[bytes, Shape]:
    found = {data for module in MODULES for data in instruction_shapes(module.read_bytes())}
    return {data: decode_shape(data) for data in found}


def all_parts(shape: Shape) -> Iterator[Shape]:
    yield shape
    for inner in shape.tuple_shapes:
        yield from all_parts(inner)


def test_texts_of_real_shapes_are_xlas_byte_for_byte() -> None:
    xla = pytest.importorskip("jax._src.lib", reason="jaxlib prints shapes as XLA does").xla_client
    assert len(real_shapes()) > 1000
    for data, shape in real_shapes().items():
        parsed = xla.Shape(shape.text())
        assert str(parsed) == shape.text()
        assert parsed.to_serialized_proto() == data


# What the last jaxlib for Python 3.10 (0.6) does not know yet.
LATE = {"f6e2m3fn", "f6e3m2fn"}


def is_known(number: int) -> bool:
    """Whether the jaxlib that is installed has the element type."""
    version = pytest.importorskip("jaxlib", reason="jaxlib knows XLA's types").__version__
    return ELEMENT_TYPES[number].name not in LATE or not version.startswith("0.6.")


@given(shapes)
@settings(deadline=None)
def test_texts_of_any_shapes_are_xlas_byte_for_byte(shape: Shape) -> None:
    xla = pytest.importorskip("jax._src.lib", reason="jaxlib prints shapes as XLA does").xla_client
    assume(all(is_known(part.element_type) for part in all_parts(shape)))
    parsed = xla.Shape(shape.text())
    assert str(parsed) == shape.text()
    assert decode_shape(parsed.to_serialized_proto()) == shape


@pytest.mark.parametrize(("number", "row"), ELEMENT_TYPES.items(), ids=str)
def test_element_types_are_those_of_xla(number: int, row: ElementType) -> None:
    xla = pytest.importorskip("jax._src.lib", reason="jaxlib knows XLA's types").xla_client
    if not is_known(number):
        pytest.skip("this jaxlib does not know it yet")
    text = {"tuple": "()", "buffer": "b(f32[2])"}.get(row.name, f"{row.name}[]")
    assert decode_shape(xla.Shape(text).to_serialized_proto()).element_type == number


def test_texts_are_those_that_xprof_shows() -> None:
    ours = {part.text() for shape in real_shapes().values() for part in all_parts(shape)}
    theirs = {
        text
        for answer in sorted((DATA / "xprof").glob("*.json.gz"))
        for text in shape_strings(json.loads(gzip.decompress(answer.read_bytes())))
    }
    assert len(theirs) > 100
    assert theirs <= ours


def shape_strings(answer: Any) -> Iterator[str]:
    if isinstance(answer, dict):
        if answer.get("shapeString"):
            yield answer["shapeString"]
        answer = list(answer.values())
    if isinstance(answer, list):
        for value in answer:
            yield from shape_strings(value)
