"""Explains why an array takes more memory than its elements: the tiles of its layout round dimensions up.

Pure arithmetic on one shape. Knows nothing of modules or buffers; the caller says how large the buffer really
is, and where this arithmetic disagrees with the compiler there is no explanation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

from tensorboard_plugin_memviewer.model.shape import COMBINE, Layout, Shape

# Of a shape or of all its tiles; real ones have at most a dozen. The arithmetic grows with their square.
_MOST_DIMENSIONS = 128


@dataclass(frozen=True, slots=True)
class StoredDimension:
    """One dimension of an array: its size in the program, and the size that memory holds.

    `dimensions` are the logical dimensions meant: several where a tile combines them, none where a tile has
    more dimensions than the array.
    """

    dimensions: tuple[int, ...]
    size: int
    stored: int

    @property
    def factor(self) -> float:
        """Stored size over size; 1 for an empty dimension."""
        return self.stored / self.size if self.size > 0 else 1.0

    def text(self) -> str:
        """One phrase, such as `dimension 1: 3 stored as 128`."""
        match self.dimensions:
            case ():
                return f"tile: {self.size} stored as {self.stored}"
            case (one,):
                return f"dimension {one}: {self.size} stored as {self.stored}"
            case several:
                return f"dimensions {', '.join(map(str, several))}: {self.size} stored as {self.stored}"


@dataclass(frozen=True, slots=True)
class PaddingExplanation:
    """How the bytes of a buffer follow from its shape. Only made where they do, to the byte.

    `dimensions` are in the order of the program's shape. `stored_bits` is what one element takes.
    `tail_elements` are added after the last element, `prefix_bytes` before the first (the sizes of dynamic
    dimensions).
    """

    dimensions: tuple[StoredDimension, ...]
    element_bits: int
    stored_bits: int
    tail_elements: int
    prefix_bytes: int
    unpadded_bytes: int
    stored_bytes: int

    @property
    def factor(self) -> float | None:
        """Stored bytes over unpadded bytes; None for an array without elements."""
        return self.stored_bytes / self.unpadded_bytes if self.unpadded_bytes > 0 else None

    @property
    def stored_text(self) -> str:
        """The stored dimensions, such as `784 × 128`; `1` for a scalar that is stored as such."""
        return " × ".join(str(dimension.stored) for dimension in self.dimensions) or "1"

    @property
    def worst_text(self) -> str | None:
        """What costs most, such as `dimension 1: 3 stored as 128`; None where nothing is padded."""
        if self.stored_bytes <= self.unpadded_bytes:
            return None
        costs = [(dimension.factor, dimension.text()) for dimension in self.dimensions]
        bits = f"each element: {self.element_bits} bits stored as {self.stored_bits}"
        costs.append((self.stored_bits / self.element_bits, bits))
        factor, text = max(costs, key=lambda cost: cost[0])
        if factor > 1:
            return text
        if self.tail_elements > 0:
            return f"end of the array: {self.tail_elements} elements added"
        return f"start of the array: {self.prefix_bytes} bytes of sizes"


@dataclass(frozen=True, slots=True)
class _Part:
    """A stored dimension while tiles are applied, with the logical dimensions that it came from."""

    size: int
    owners: frozenset[int]


def explain(shape: Shape, actual_bytes: int) -> PaddingExplanation | None:
    """How a buffer of `actual_bytes` holds `shape`; None where its size does not follow from the layout.

    Buffers of arrays are not rounded up to an alignment; what does differ in practice is an untiled scalar of
    a reducer's computation on TPU, to which the compiler gives a whole tile.
    """
    explanation = _explanation(shape)
    return explanation if explanation is not None and explanation.stored_bytes == actual_bytes else None


def _explanation(shape: Shape) -> PaddingExplanation | None:
    # XLA's text leaves out the layout of a scalar where it says nothing.
    layout = Layout() if shape.layout is None and not shape.dimensions else shape.layout
    bits = shape.element_bits
    unpadded = shape.unpadded_bytes(pointer_bytes=0)
    if layout is None or bits is None or unpadded is None or not _is_sound(shape, layout):
        return None
    parts = _tiled(_physical_parts(shape, layout), layout.tiles)
    elements = prod(part.size for part in parts)
    tail = -elements % layout.tail_padding_alignment
    # Without a size in the layout, a type of less than a byte takes a whole one (primitive_util::ByteWidth).
    stored_bits = bits if layout.element_size_in_bits is not None else -(-bits // 8) * 8
    return PaddingExplanation(
        dimensions=tuple(_stored_dimensions(shape.dimensions, parts)),
        element_bits=bits,
        stored_bits=stored_bits,
        tail_elements=tail,
        prefix_bytes=layout.dynamic_shape_metadata_prefix_bytes,
        unpadded_bytes=unpadded,
        stored_bytes=-(-(elements + tail) * stored_bits // 8) + layout.dynamic_shape_metadata_prefix_bytes,
    )


def _is_sound(shape: Shape, layout: Layout) -> bool:
    """Whether the layout orders exactly the shape's dimensions and its tiles can be applied."""
    return (
        len(shape.dimensions) <= _MOST_DIMENSIONS
        and sum(map(len, layout.tiles)) <= _MOST_DIMENSIONS
        and sorted(layout.minor_to_major) == list(range(len(shape.dimensions)))
        and all(size >= 0 for size in shape.dimensions)
        and all(tile and tile[-1] > 0 for tile in layout.tiles)
        and all(size > 0 or size == COMBINE for tile in layout.tiles for size in tile)
    )


def _physical_parts(shape: Shape, layout: Layout) -> list[_Part]:
    """The array's dimensions, major to minor as they lie in memory."""
    return [_Part(shape.dimensions[at], frozenset((at,))) for at in reversed(layout.minor_to_major)]


def _tiled(parts: list[_Part], tiles: Iterable[Sequence[int]]) -> list[_Part]:
    """Apply each tile to the minor parts of what the last one made: `n` becomes `ceil(n / t)` and `t`."""
    for tile in tiles:
        missing = len(tile) - len(parts)
        parts = [_Part(1, frozenset())] * missing + parts
        major, covered = parts[: len(parts) - len(tile)], parts[len(parts) - len(tile) :]
        combined = _combined(covered, tile)
        counts = [_Part(-(-part.size // size), part.owners) for part, size in combined]
        parts = major + counts + [_Part(size, part.owners) for part, size in combined]
    return parts


def _combined(parts: Sequence[_Part], tile: Sequence[int]) -> list[tuple[_Part, int]]:
    """Pair parts with tile sizes; a part marked COMBINE is multiplied into the next more minor one."""
    pairs: list[tuple[_Part, int]] = []
    pending = _Part(1, frozenset())
    for part, size in zip(parts, tile, strict=True):
        merged = _Part(pending.size * part.size, pending.owners | part.owners)
        if size == COMBINE:
            pending = merged
        else:
            pairs.append((merged, size))
            pending = _Part(1, frozenset())
    return pairs


def _stored_dimensions(sizes: Sequence[int], parts: Sequence[_Part]) -> Iterable[StoredDimension]:
    """Multiply each logical dimension's parts again, in the program's order, the tile's own first."""
    groups: list[_Part] = []
    for part in parts:
        apart = [group for group in groups if not (group.owners & part.owners or group.owners == part.owners)]
        joined = [group for group in groups if group not in apart]
        owners = part.owners.union(*(group.owners for group in joined))
        groups = [*apart, _Part(part.size * prod(group.size for group in joined), owners)]
    for group in sorted(groups, key=lambda group: sorted(group.owners)):
        dimensions = tuple(sorted(group.owners))
        if not dimensions and group.size == 1:
            continue
        yield StoredDimension(dimensions, prod(sizes[at] for at in dimensions), group.size)
