"""XLA's text of a buffer assignment, line by line: that of today, and of before April 2026, which went on
with values and live ranges (left alone). Text in, plain records out; no file is opened.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tensorboard_plugin_memviewer.model.module import AllocationType

_ALLOCATION = re.compile(r"allocation (\d{1,9}): (?:0x[0-9a-f]+, )?size (\d{1,18})((?:, .*)?):\s*", re.ASCII)
_COLOR = re.compile(r", color (\d{1,9})", re.ASCII)
_PARAMETER = re.compile(r", parameter (\d{1,9})", re.ASCII)
_PARAMETER_INDEX = re.compile(r" at ShapeIndex \{([\d,]{0,400})\}", re.ASCII)
_QUOTED_SHAPE = re.compile(r"\|[^|]*\|")
_VALUE = re.compile(
    r"\s+value: <(\d{1,18}) (.*?)(?:\{([\d,]{0,400})\})?(?: \(phi\))? @(\d{1,9})>"
    r" \(size=(\d{1,18}),offset=(\d{1,18})\): (.*)",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class TextValue:
    """A line of a buffer: its place in its allocation in bytes, and the text of its shape."""

    id: int
    name: str
    shape_index: tuple[int, ...]
    space: int
    size: int
    offset: int
    shape: str


@dataclass(frozen=True, slots=True)
class TextAllocation:
    """A line of an allocation with the values that follow it; `parameter` is None where it is none."""

    index: int
    size: int
    space: int
    parameter: int | None
    parameter_shape_index: tuple[int, ...]
    flags: frozenset[str]
    values: tuple[TextValue, ...]

    @property
    def type(self) -> AllocationType:
        """What the allocation is for: the first flag that is set decides, as for the proto."""
        if self.parameter is not None:
            return AllocationType.PARAMETER
        if "maybe-live-out" in self.flags:
            return AllocationType.OUTPUT
        if "thread-local" in self.flags:
            return AllocationType.THREAD_LOCAL
        return AllocationType.CONSTANT if "constant" in self.flags else AllocationType.TEMPORARY


def parse_allocations(text: str) -> list[TextAllocation]:
    """The allocations of a buffer assignment's text, in its order; [] where `text` is none."""
    allocations: list[TextAllocation] = []
    head: re.Match[str] | None = None
    values: list[TextValue] = []
    for line in text.split("\n"):
        if (match := _ALLOCATION.fullmatch(line)) is not None:
            if head is not None:
                allocations.append(_allocation(head, values))
            head, values = match, []
        elif head is not None and (match := _VALUE.fullmatch(line)) is not None:
            values.append(_value(match))
    return allocations if head is None else [*allocations, _allocation(head, values)]


def _allocation(match: re.Match[str], values: list[TextValue]) -> TextAllocation:
    facts = match[3]
    color, parameter, index = _COLOR.match(facts), _PARAMETER.search(facts), _PARAMETER_INDEX.search(facts)
    return TextAllocation(
        index=int(match[1]),
        size=int(match[2]),
        space=int(color[1]) if color else 0,
        parameter=int(parameter[1]) if parameter else None,
        parameter_shape_index=_index(index[1]) if index else (),
        flags=frozenset(_QUOTED_SHAPE.sub("", facts).split(", ")),
        values=tuple(values),
    )


def _value(match: re.Match[str]) -> TextValue:
    return TextValue(
        id=int(match[1]),
        name=match[2],
        shape_index=_index(match[3]),
        space=int(match[4]),
        size=int(match[5]),
        offset=int(match[6]),
        shape=match[7],
    )


def _index(text: str | None) -> tuple[int, ...]:
    return tuple(int(step) for step in text.split(",") if step) if text else ()
