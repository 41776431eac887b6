"""Memory spaces: their numbers in XLA and their names. No other module names them.

A memory space is the "color" of a logical buffer or allocation and the `memory_space` of a layout. A number
without a name is shown as `space N` and never dropped.
"""

from __future__ import annotations

from typing import NamedTuple

HBM = 0
VMEM = 1
SFLAG = 2
CMEM = 3
SMEM = 4
HOST = 5


class _Space(NamedTuple):
    """`name` fits on a tab; `about` completes a name that is too short; `aliases` are accepted too."""

    name: str
    about: str | None = None
    aliases: tuple[str, ...] = ()


# 0 to 6 as the released versions of XProf's Memory Viewer name them, 7 to 10 after GetMemorySpaceName in its
# source of November 2026, short enough for a tab. There 5 is System Memory and 6 Workspace Register.
_SPACES = {
    HBM: _Space("HBM"),
    VMEM: _Space("VMEM"),
    SFLAG: _Space("SFlag"),
    CMEM: _Space("CMEM"),
    SMEM: _Space("SMEM"),
    HOST: _Space("Host", "XProf's newest name: System Memory.", ("System Memory",)),
    6: _Space(
        "SparseCore",
        "SparseCore; on chips without one the compiler keeps scalars there (workspace registers).",
        ("Workspace Register",),
    ),
    7: _Space(
        "SC Stack HBM",
        "XProf's name: SparseCore Private Stack HBM.",
        ("SparseCore Private Stack HBM", "space 7"),
    ),
    8: _Space(
        "SC Seq SFlag", "XProf's name: SparseCore Sequencer Sflag.", ("SparseCore Sequencer Sflag", "space 8")
    ),
    9: _Space("Pinned HBM", aliases=("space 9",)),
    10: _Space(
        "SC Tile SFlag", "XProf's name: SparseCore Tile Sflag.", ("SparseCore Tile Sflag", "space 10")
    ),
}
_NUMBERS = {
    name.lower(): number for number, space in _SPACES.items() for name in (space.name, *space.aliases)
}

TPU_ONLY = frozenset({SFLAG, CMEM, SMEM, 6, 7, 8, 9, 10})
"""Spaces that only TPUs have."""


def space_name(number: int) -> str:
    """The name of memory space `number`: "HBM", "VMEM", … or "space N"."""
    known = _SPACES.get(number)
    return f"space {number}" if known is None else known.name


def space_about(number: int) -> str | None:
    """A sentence about a memory space whose name is not self-explanatory; None for others."""
    known = _SPACES.get(number)
    return None if known is None else known.about


def space_aliases(number: int) -> tuple[str, ...]:
    """Other names by which `space_number` knows a memory space, and addresses of earlier versions have it."""
    known = _SPACES.get(number)
    return () if known is None else known.aliases


def space_number(text: str) -> int | None:
    """The number of the memory space that `text` names ("HBM", "SparseCore", "space 7", "7"), or None."""
    text = text.strip().lower()
    if text in _NUMBERS:
        return _NUMBERS[text]
    digits = text.removeprefix("space").strip()
    return int(digits) if digits.isdecimal() and digits.isascii() and len(digits) < 20 else None
