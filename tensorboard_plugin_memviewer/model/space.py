"""Memory spaces by number and by name, as vocabulary/spaces.py names them.

A memory space is the "color" of a logical buffer or allocation and the `memory_space` of a layout. A number
without a name is shown as `space N` and never dropped.
"""

from __future__ import annotations

from collections.abc import Mapping

from tensorboard_plugin_memviewer.vocabulary.spaces import DEFAULT_SPACE, SPACES

HBM = 0
VMEM = 1
SFLAG = 2
CMEM = 3
SMEM = 4
HOST = 5

_NUMBERS = {name.lower(): number for number, space in SPACES.items() for name in (space.name, *space.aliases)}

TPU_ONLY = frozenset(number for number, space in SPACES.items() if space.tpu_only)
"""Spaces that only TPUs have."""


def space_name(number: int) -> str:
    """The name of memory space `number`: "HBM", "VMEM", … or "space N"."""
    known = SPACES.get(number)
    return f"space {number}" if known is None else known.name


def space_about(number: int) -> str | None:
    """A sentence on a memory space whose name does not say all; None for others."""
    known = SPACES.get(number)
    return None if known is None else known.about


def space_aliases(number: int) -> tuple[str, ...]:
    """Other names by which `space_number` knows a memory space, and addresses of earlier versions have it."""
    known = SPACES.get(number)
    return () if known is None else known.aliases


def space_number(text: str) -> int | None:
    """The number of the memory space that `text` names ("HBM", "SparseCore", "space 7", "7"), or None."""
    text = text.strip().lower()
    if text in _NUMBERS:
        return _NUMBERS[text]
    digits = text.removeprefix("space").strip()
    return int(digits) if digits.isdecimal() and digits.isascii() and len(digits) < 20 else None


def default_space(peaks: Mapping[int, int]) -> int | None:
    """Of the memory spaces of a module, by number with their peaks in bytes, the one to show first.

    HBM where there is some, else the largest peak, of equal ones the lowest number; None without any.
    """
    if DEFAULT_SPACE in peaks:
        return DEFAULT_SPACE
    return min(peaks, key=lambda space: (-peaks[space], space), default=None)
