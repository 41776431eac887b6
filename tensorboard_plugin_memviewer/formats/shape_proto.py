"""Bytes of an xla.ShapeProto in, a Shape out; and the other way.

Knows the wire format's habits (absent fields, numbers that newer compilers add); nothing of modules or
buffers.
"""

from __future__ import annotations

from google.protobuf.message import DecodeError

from tensorboard_plugin_memviewer.errors import Damaged
from tensorboard_plugin_memviewer.model.shape import Layout, Shape, SplitConfig
from tensorboard_plugin_memviewer.protos import memviewer_shape_pb2 as pb


def decode_shape(data: bytes) -> Shape:
    """The shape in the bytes of a ShapeProto.

    Equal bytes give equal shapes, so callers decode each distinct string once. Raises Damaged where the bytes
    are no such message, or nest deeper than protobuf allows.
    """
    try:
        return _shape(pb.Shape.FromString(data), {})
    except DecodeError as error:
        raise Damaged(
            f"a shape of {len(data)} bytes cannot be read",
            "The file is damaged: capture the profile or dump again.",
        ) from error


def encode_shape(shape: Shape) -> bytes:
    """The bytes of a ShapeProto that decode to `shape`."""
    return _proto(shape).SerializeToString()


def _proto(shape: Shape) -> pb.Shape:
    return pb.Shape(
        element_type=shape.element_type,
        dimensions=shape.dimensions,
        is_dynamic_dimension=shape.dynamic,
        tuple_shapes=[_proto(part) for part in shape.tuple_shapes],
        layout=None if shape.layout is None else _layout_proto(shape.layout),
    )


def _layout_proto(layout: Layout) -> pb.Layout:
    return pb.Layout(
        minor_to_major=layout.minor_to_major,
        tiles=[pb.Tile(dimensions=tile) for tile in layout.tiles],
        element_size_in_bits=layout.element_size_in_bits or 0,
        memory_space=layout.memory_space,
        physical_shape=None if layout.physical_shape is None else _proto(layout.physical_shape),
        index_primitive_type=layout.index_type or 0,
        pointer_primitive_type=layout.pointer_type or 0,
        dynamic_shape_metadata_prefix_bytes=layout.dynamic_shape_metadata_prefix_bytes,
        tail_padding_alignment_in_elements=layout.tail_padding_alignment,
        split_configs=[
            pb.SplitConfig(dimension=split.dimension, split_indices=split.split_indices)
            for split in layout.split_configs
        ],
    )


def _shape(proto: pb.Shape, known: dict[bytes, Shape]) -> Shape:
    return Shape(
        element_type=proto.element_type,
        dimensions=tuple(proto.dimensions),
        dynamic=tuple(proto.is_dynamic_dimension),
        tuple_shapes=tuple(_part(part, known) for part in proto.tuple_shapes),
        layout=_layout(proto.layout) if proto.HasField("layout") else None,
    )


def _part(proto: pb.Shape, known: dict[bytes, Shape]) -> Shape:
    """Equal parts of a tuple are one object: a large one has thousands, of a few kinds."""
    data = proto.SerializeToString()
    shape = known.get(data)
    if shape is None:
        shape = known[data] = _shape(proto, known)
    return shape


def _layout(proto: pb.Layout) -> Layout:
    """Zero stands for absent; older files lack the tail padding, which then is none (an alignment of 1)."""
    return Layout(
        minor_to_major=tuple(proto.minor_to_major),
        tiles=tuple(tuple(tile.dimensions) for tile in proto.tiles),
        element_size_in_bits=_positive(proto.element_size_in_bits),
        memory_space=proto.memory_space,
        tail_padding_alignment=max(proto.tail_padding_alignment_in_elements, 1),
        index_type=_positive(proto.index_primitive_type),
        pointer_type=_positive(proto.pointer_primitive_type),
        physical_shape=_shape(proto.physical_shape, {}) if proto.HasField("physical_shape") else None,
        dynamic_shape_metadata_prefix_bytes=max(proto.dynamic_shape_metadata_prefix_bytes, 0),
        split_configs=tuple(SplitConfig(s.dimension, tuple(s.split_indices)) for s in proto.split_configs),
    )


def _positive(number: int) -> int | None:
    return number if number > 0 else None
