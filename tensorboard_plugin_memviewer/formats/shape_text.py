"""XLA's text form of a shape → `Shape`: the inverse of `Shape.text()`.

One pass, no backtracking, bounded depth. What it cannot read is None, never an error: a dump from another
year must not hide its sizes because of a layout attribute that this reader has not met.
"""

from __future__ import annotations

import re

from tensorboard_plugin_memviewer.model.shape import (
    BUFFER,
    COMBINE,
    ELEMENT_TYPES,
    TUPLE,
    UNBOUNDED,
    Layout,
    Shape,
    SplitConfig,
)

DEEPEST = 64

_NUMBER_OF_TYPE = {row.name: number for number, row in ELEMENT_TYPES.items()}
_GAP = re.compile(r"(?:\s|/\*index=\d{1,18}\*/)*", re.ASCII)
_TYPE = re.compile(r"type \d{1,18}|[a-z]\w*", re.ASCII)
_DIMENSION = re.compile(r"(<=)?(\d{1,18})|(\?)", re.ASCII)
_INTEGERS = re.compile(r"\d{1,18}(?:,\d{1,18})*", re.ASCII)
_INTEGER = re.compile(r"\d{1,18}", re.ASCII)
_TILE = re.compile(r"\(((?:\d{1,18}|\*)(?:,(?:\d{1,18}|\*))*)?\)", re.ASCII)
_SPLIT = re.compile(r"\((\d{1,18}):(\d{1,18}(?:,\d{1,18})*)\)", re.ASCII)
_ATTRIBUTE = re.compile(r"SC|[TL#*ESPM]", re.ASCII)


def parse_shape(text: str) -> Shape | None:
    """The shape that `text` ("bf16[8,128]{1,0:T(8,128)S(1)}") describes; None where it is none."""
    reader = _Reader(text.strip())
    try:
        shape = reader.shape(0)
    except _UnreadableError:
        return None
    return shape if reader.at_end() else None


class _UnreadableError(Exception):
    """Stops the reader; never leaves this file."""


class _Reader:
    """A place in the text that moves forward only."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def at_end(self) -> bool:
        return self._at == len(self._text)

    def shape(self, depth: int) -> Shape:
        if depth > DEEPEST:
            raise _UnreadableError
        self._take(_GAP)
        if self._accept("("):
            return Shape(TUPLE, tuple_shapes=self._shapes_until_bracket(depth))
        if self._accept("b("):
            return Shape(BUFFER, tuple_shapes=self._shapes_until_bracket(depth))
        return self._array(depth)

    def _shapes_until_bracket(self, depth: int) -> tuple[Shape, ...]:
        shapes: list[Shape] = []
        self._take(_GAP)
        if self._accept(")"):
            return ()
        while True:
            shapes.append(self.shape(depth + 1))
            if self._accept(")"):
                return tuple(shapes)
            self._expect(",")

    def _array(self, depth: int) -> Shape:
        name = self._take(_TYPE)[0]
        number = _NUMBER_OF_TYPE.get(name)
        if number is None:
            if not name.startswith("type "):
                raise _UnreadableError
            number = int(name.removeprefix("type "))
        self._expect("[")
        dimensions: list[int] = []
        dynamic: list[bool] = []
        while not self._accept("]"):
            if dimensions:
                self._expect(",")
            match = self._take(_DIMENSION)
            dimensions.append(UNBOUNDED if match[3] else int(match[2]))
            dynamic.append(bool(match[1] or match[3]))
        layout = self._layout(depth) if self._accept("{") else None
        moves = tuple(dynamic) if any(dynamic) else ()
        return Shape(number, tuple(dimensions), moves, (), layout)

    def _layout(self, depth: int) -> Layout:
        order = _INTEGERS.match(self._text, self._at)
        if order is not None:
            self._at = order.end()
        minor_to_major = tuple(map(int, order[0].split(","))) if order is not None else ()
        values: dict[str, object] = {"minor_to_major": minor_to_major}
        if self._accept(":"):
            while not self._accept("}"):
                name, value = self._attribute(depth)
                values[name] = value
        else:
            self._expect("}")
        return Layout(**values)  # type: ignore[arg-type]  # each name of _attribute has its field's type

    def _attribute(self, depth: int) -> tuple[str, object]:
        kind = self._take(_ATTRIBUTE)[0]
        if kind == "T":
            return "tiles", self._tiles()
        if kind == "SC":
            return "split_configs", self._splits()
        self._expect("(")
        value: tuple[str, object]
        if kind == "P":
            value = "physical_shape", self.shape(depth + 1)
        elif kind in "#*":
            number = _NUMBER_OF_TYPE.get(self._take(_TYPE)[0])
            value = ("index_type" if kind == "#" else "pointer_type"), number
        else:
            value = _INTEGER_FIELDS[kind], int(self._take(_INTEGER)[0])
        self._expect(")")
        return value

    def _tiles(self) -> tuple[tuple[int, ...], ...]:
        tiles: list[tuple[int, ...]] = []
        while (match := _TILE.match(self._text, self._at)) is not None:
            self._at = match.end()
            sizes = match[1].split(",") if match[1] else []
            tiles.append(tuple(COMBINE if size == "*" else int(size) for size in sizes))
        if not tiles:
            raise _UnreadableError
        return tuple(tiles)

    def _splits(self) -> tuple[SplitConfig, ...]:
        splits: list[SplitConfig] = []
        while (match := _SPLIT.match(self._text, self._at)) is not None:
            self._at = match.end()
            splits.append(SplitConfig(int(match[1]), tuple(map(int, match[2].split(",")))))
        return tuple(splits)

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str]:
        match = pattern.match(self._text, self._at)
        if match is None:
            raise _UnreadableError
        self._at = match.end()
        return match

    def _accept(self, text: str) -> bool:
        found = self._text.startswith(text, self._at)
        self._at += len(text) if found else 0
        return found

    def _expect(self, text: str) -> None:
        if not self._accept(text):
            raise _UnreadableError


_INTEGER_FIELDS = {
    "L": "tail_padding_alignment",
    "E": "element_size_in_bits",
    "S": "memory_space",
    "M": "dynamic_shape_metadata_prefix_bytes",
}
