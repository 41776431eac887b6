"""The shape of an array or tuple as XLA describes it: element type, dimensions, layout in memory.

Knows XLA's text form and how many bytes the elements alone need; nothing of protos, buffers or padding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

TUPLE: Final = 13
OPAQUE: Final = 14
TOKEN: Final = 17
BUFFER: Final = 34

# XLA writes the smallest int64 for "no bound known" in a dimension, and for "combine with the next more minor
# dimension" in a tile.
UNBOUNDED: Final = -(2**63)
COMBINE: Final = -(2**63)

# XLA lays a tuple out as a table of device pointers.
POINTER_BYTES: Final = 8

# Beyond it products of a damaged shape's dimensions would grow to millions of digits.
MOST_ELEMENTS: Final = 1 << 63

# Tuple elements after which XLA's text counts: every fifth element carries a comment with its index.
_INDEX_COMMENT_EVERY: Final = 5


@dataclass(frozen=True, slots=True)
class ElementType:
    """A row of xla.PrimitiveType: the name in XLA's text and the bits that one element needs.

    `bits` is None for what has no elements (tuple, token, opaque, buffer) and for numbers that this table
    lacks.
    """

    name: str
    bits: int | None


ELEMENT_TYPES: Final[dict[int, ElementType]] = {
    1: ElementType("pred", 8),
    2: ElementType("s8", 8),
    3: ElementType("s16", 16),
    4: ElementType("s32", 32),
    5: ElementType("s64", 64),
    6: ElementType("u8", 8),
    7: ElementType("u16", 16),
    8: ElementType("u32", 32),
    9: ElementType("u64", 64),
    10: ElementType("f16", 16),
    11: ElementType("f32", 32),
    12: ElementType("f64", 64),
    TUPLE: ElementType("tuple", None),
    OPAQUE: ElementType("opaque", None),
    15: ElementType("c64", 64),
    16: ElementType("bf16", 16),
    TOKEN: ElementType("token", None),
    18: ElementType("c128", 128),
    19: ElementType("f8e5m2", 8),
    20: ElementType("f8e4m3fn", 8),
    21: ElementType("s4", 4),
    22: ElementType("u4", 4),
    23: ElementType("f8e4m3b11fnuz", 8),
    24: ElementType("f8e5m2fnuz", 8),
    25: ElementType("f8e4m3fnuz", 8),
    26: ElementType("s2", 2),
    27: ElementType("u2", 2),
    28: ElementType("f8e4m3", 8),
    29: ElementType("f8e3m4", 8),
    30: ElementType("s1", 1),
    31: ElementType("u1", 1),
    32: ElementType("f4e2m1fn", 4),
    33: ElementType("f8e8m0fnu", 8),
    BUFFER: ElementType("buffer", None),
    35: ElementType("f6e3m2fn", 6),
    36: ElementType("f6e2m3fn", 6),
}


def element_type(number: int) -> ElementType:
    """The row for a number of xla.PrimitiveType; an unknown number gives `type N` without a size."""
    known = ELEMENT_TYPES.get(number)
    return ElementType(f"type {number}", None) if known is None else known


@dataclass(frozen=True, slots=True)
class SplitConfig:
    """A dimension that is cut at the given indices and spread over several memories."""

    dimension: int
    split_indices: tuple[int, ...]

    def text(self) -> str:
        """XLA's own text, such as `(0:1024,2048)`."""
        return f"({self.dimension}:{','.join(map(str, self.split_indices))})"


@dataclass(frozen=True, slots=True)
class Layout:
    """How the elements of one array lie in memory.

    `minor_to_major` lists the logical dimensions, fastest varying first. `tiles` apply in order, each to the
    minor dimensions of what the one before it made; a tile dimension may be COMBINE. `element_size_in_bits`
    is None where the element type alone decides. `tail_padding_alignment` is in elements, at least 1.
    """

    minor_to_major: tuple[int, ...] = ()
    tiles: tuple[tuple[int, ...], ...] = ()
    element_size_in_bits: int | None = None
    memory_space: int = 0
    tail_padding_alignment: int = 1
    index_type: int | None = None
    pointer_type: int | None = None
    physical_shape: Shape | None = None
    dynamic_shape_metadata_prefix_bytes: int = 0
    split_configs: tuple[SplitConfig, ...] = ()

    def text(self) -> str:
        """XLA's own text of a layout, such as `{1,0:T(8,128)(2,1)S(1)}`."""
        order = ",".join(map(str, self.minor_to_major))
        attributes = "".join(self._attributes())
        return f"{{{order}:{attributes}}}" if attributes else f"{{{order}}}"

    def _attributes(self) -> Sequence[str]:
        parts: list[str] = []
        if self.tiles:
            parts.append("T" + "".join(map(_tile_text, self.tiles)))
        if self.tail_padding_alignment != 1:
            parts.append(f"L({self.tail_padding_alignment})")
        if self.index_type is not None:
            parts.append(f"#({element_type(self.index_type).name})")
        if self.pointer_type is not None:
            parts.append(f"*({element_type(self.pointer_type).name})")
        if self.element_size_in_bits is not None:
            parts.append(f"E({self.element_size_in_bits})")
        if self.memory_space != 0:
            parts.append(f"S({self.memory_space})")
        if self.split_configs:
            parts.append("SC" + "".join(split.text() for split in self.split_configs))
        if self.physical_shape is not None:
            parts.append(f"P({self.physical_shape.text()})")
        if self.dynamic_shape_metadata_prefix_bytes != 0:
            parts.append(f"M({self.dynamic_shape_metadata_prefix_bytes})")
        return parts


def _tile_text(tile: tuple[int, ...]) -> str:
    return "(" + ",".join(map(_tile_dimension_text, tile)) + ")"


def _tile_dimension_text(size: int) -> str:
    if size == COMBINE:
        return "*"
    return str(size) if size >= 0 else f"Invalid value {size}"


@dataclass(frozen=True, slots=True)
class Shape:
    """An array (`dimensions`, `layout`), a tuple (`tuple_shapes`), a token, an opaque, or a buffer.

    `element_type` is the number of xla.PrimitiveType. `dynamic` is parallel to `dimensions`: the size of a
    dynamic dimension is its bound. A buffer has the one array that it holds in `tuple_shapes`, as on the
    wire.
    """

    element_type: int
    dimensions: tuple[int, ...] = ()
    dynamic: tuple[bool, ...] = ()
    tuple_shapes: tuple[Shape, ...] = ()
    layout: Layout | None = None

    @property
    def is_tuple(self) -> bool:
        """Whether the shape is a table of pointers to other shapes."""
        return self.element_type == TUPLE

    @property
    def type_name(self) -> str:
        """The element type in XLA's text, such as `bf16`."""
        return element_type(self.element_type).name

    @property
    def elements(self) -> int:
        """How many elements the array holds at its bound; an unbounded dimension counts as empty.

        A scalar has one; a tuple, token or opaque has none; a buffer has those of its array. More than
        MOST_ELEMENTS, which no memory holds, count as MOST_ELEMENTS.
        """
        if self.element_type == BUFFER:
            return sum(held.elements for held in self.tuple_shapes)
        if self.element_type in (TUPLE, OPAQUE, TOKEN):
            return 0
        return _product(self.dimensions)

    @property
    def element_bits(self) -> int | None:
        """Bits that one element needs: the layout's word first, then the type's; None where neither says."""
        if self.layout is not None and self.layout.element_size_in_bits is not None:
            return self.layout.element_size_in_bits
        return element_type(self.element_type).bits

    def unpadded_bytes(self, pointer_bytes: int) -> int | None:
        """Bytes that the elements alone need, by docs/numbers.md; None for an element type of unknown size.

        A tuple needs its table of `pointer_bytes` an element; a token or opaque needs nothing.
        """
        if self.is_tuple:
            return pointer_bytes * len(self.tuple_shapes)
        if self.element_type in (OPAQUE, TOKEN):
            return 0
        if self.element_type == BUFFER:
            held = [shape.unpadded_bytes(pointer_bytes) for shape in self.tuple_shapes]
            return None if None in held else sum(size for size in held if size is not None)
        bits = self.element_bits
        return None if bits is None else -(-self.elements * bits // 8)

    def find(self, index: Sequence[int]) -> Shape | None:
        """The sub-shape at a shape index, step by step into nested tuples; None outside the shape."""
        shape = self
        for step in index:
            if not (shape.is_tuple and 0 <= step < len(shape.tuple_shapes)):
                return None
            shape = shape.tuple_shapes[step]
        return shape

    def text(self, layout: bool = True) -> str:
        """XLA's own text, byte for byte: ShapeUtil::HumanStringWithLayout, or HumanString without layout."""
        if self.is_tuple:
            return _tuple_text(self.tuple_shapes, layout)
        if self.element_type == BUFFER:
            return f"b({', '.join(held.text(layout) for held in self.tuple_shapes)})"
        text = f"{self.type_name}[{','.join(self._dimension_texts())}]"
        return text + self._layout_text() if layout else text

    def _dimension_texts(self) -> list[str]:
        dynamic = self.dynamic + (False,) * (len(self.dimensions) - len(self.dynamic))
        return [_dimension_text(size, moves) for size, moves in zip(self.dimensions, dynamic, strict=False)]

    def _layout_text(self) -> str:
        if self.layout is None or self.element_type in (OPAQUE, TOKEN):
            return ""
        text = self.layout.text()
        return "" if text == "{}" and not self.dimensions else text


def _product(sizes: tuple[int, ...]) -> int:
    if any(size <= 0 for size in sizes):
        return 0
    product = 1
    for size in sizes:
        product *= size
        if product > MOST_ELEMENTS:
            return MOST_ELEMENTS
    return product


def _dimension_text(size: int, dynamic: bool) -> str:
    if not dynamic:
        return str(size)
    return "?" if size == UNBOUNDED else f"<={size}"


def _tuple_text(shapes: tuple[Shape, ...], layout: bool) -> str:
    # Parts that are one object, as decoded ones are that are equal, are written out once.
    texts = {key: shape.text(layout) for key, shape in {id(shape): shape for shape in shapes}.items()}
    return "(" + ", ".join(f"{_comment(at)}{texts[id(shape)]}" for at, shape in enumerate(shapes)) + ")"


def _comment(at: int) -> str:
    return f"/*index={at}*/" if at > 0 and at % _INDEX_COMMENT_EVERY == 0 else ""


# Of a buffer whose shape nothing tells.
UNKNOWN_SHAPE = Shape(0)
