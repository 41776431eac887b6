"""The groupings by key, with the word that people read. Imports nothing, so that `--help` needs no NumPy."""

from __future__ import annotations

from typing import Final

GROUPING_WORDS: Final[dict[str, str]] = {
    "owner": "Owner",
    "category": "Category",
    "scope": "Framework scope",
    "source": "Source line",
    "type": "Allocation type",
    "opcode": "Opcode",
    "dtype": "Data type",
    "shape": "Shape",
}
