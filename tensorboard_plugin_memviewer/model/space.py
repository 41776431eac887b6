"""Memory spaces: their numbers in XLA and the names that people use for them.

A memory space is the "color" of a logical buffer or allocation and the `memory_space` of a layout. The names
are those of the TPU tools; a number without a name is shown as `space N` and never dropped.
"""

from __future__ import annotations

HBM = 0
VMEM = 1
SFLAG = 2
CMEM = 3
SMEM = 4
HOST = 5
SPARSECORE = 6

_NAMES = {
    HBM: "HBM",
    VMEM: "VMEM",
    SFLAG: "SFlag",
    CMEM: "CMEM",
    SMEM: "SMEM",
    HOST: "Host",
    SPARSECORE: "SparseCore",
}
_NUMBERS = {name.lower(): number for number, name in _NAMES.items()}


def space_name(number: int) -> str:
    """The name of memory space `number`: "HBM", "VMEM", … or "space N"."""
    return _NAMES.get(number, f"space {number}")


def space_number(text: str) -> int | None:
    """The number of the memory space that `text` names ("HBM", "space 7", "7"), or None."""
    text = text.strip().lower()
    if text in _NUMBERS:
        return _NUMBERS[text]
    digits = text.removeprefix("space").strip()
    return int(digits) if digits.isdecimal() and digits.isascii() and len(digits) < 20 else None
