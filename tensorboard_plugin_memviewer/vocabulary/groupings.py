"""What buffers can be grouped by; analysis/grouping does it."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

GroupBy = Literal["owner", "category", "scope", "source", "type", "opcode", "dtype", "shape"]


class Grouping(NamedTuple):
    """A grouping's `word` for people."""

    word: str


GROUPINGS: Final[dict[str, Grouping]] = {
    "owner": Grouping("Owner"),
    "category": Grouping("Category"),
    "scope": Grouping("Framework scope"),
    "source": Grouping("Source line"),
    "type": Grouping("Allocation type"),
    "opcode": Grouping("Opcode"),
    "dtype": Grouping("Data type"),
    "shape": Grouping("Shape"),
}

PAGE_GROUPINGS: Final = {"expression": Grouping("Expression")}
"""Those that the page has beside them."""

DEFAULT_GROUPING: Final[GroupBy] = "owner"
