"""What buffers can be grouped by; analysis/grouping does it."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

GroupBy = Literal["owner", "category", "scope", "source", "type", "opcode", "dtype", "shape"]


class Grouping(NamedTuple):
    """A grouping's `word` for people, and whether its groups have groups within."""

    word: str
    hierarchical: bool = False


GROUPINGS: Final[dict[str, Grouping]] = {
    "owner": Grouping("Owner", hierarchical=True),
    "category": Grouping("Category", hierarchical=True),
    "scope": Grouping("Framework scope", hierarchical=True),
    "source": Grouping("Source line", hierarchical=True),
    "type": Grouping("Allocation type", hierarchical=True),
    "opcode": Grouping("Opcode", hierarchical=True),
    "dtype": Grouping("Data type", hierarchical=True),
    "shape": Grouping("Shape"),
}

PAGE_GROUPINGS: Final = {"expression": Grouping("Expression")}
"""Those that the page has beside them."""

DEFAULT_GROUPING: Final[GroupBy] = "owner"
