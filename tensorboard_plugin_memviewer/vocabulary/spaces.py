"""Memory spaces: their numbers in XLA and the names that people use for them. The only place that names them.

`model/space.py` looks names and numbers up.
"""

from __future__ import annotations

from typing import NamedTuple


class Space(NamedTuple):
    """`name` fits on a tab; `about` goes on where it does not say all; `aliases` are understood, too."""

    name: str
    about: str | None = None
    aliases: tuple[str, ...] = ()
    tpu_only: bool = False


# 0 to 6 as the released versions of XProf's Memory Viewer name them, 7 to 10 after GetMemorySpaceName in its
# source of November 2026, short enough for a tab. There 5 is System Memory and 6 Workspace Register.
SPACES = {
    0: Space("HBM"),
    1: Space("VMEM"),
    2: Space("SFlag", tpu_only=True),
    3: Space("CMEM", tpu_only=True),
    4: Space("SMEM", tpu_only=True),
    5: Space("Host", "XProf's newest name: System Memory.", ("System Memory",)),
    6: Space(
        "SparseCore",
        "SparseCore; on chips without one the compiler keeps scalars there (workspace registers).",
        ("Workspace Register",),
        tpu_only=True,
    ),
    7: Space(
        "SC Stack HBM",
        "XProf's name: SparseCore Private Stack HBM.",
        ("SparseCore Private Stack HBM", "space 7"),
        tpu_only=True,
    ),
    8: Space(
        "SC Seq SFlag",
        "XProf's name: SparseCore Sequencer Sflag.",
        ("SparseCore Sequencer Sflag", "space 8"),
        tpu_only=True,
    ),
    9: Space("Pinned HBM", aliases=("space 9",), tpu_only=True),
    10: Space(
        "SC Tile SFlag",
        "XProf's name: SparseCore Tile Sflag.",
        ("SparseCore Tile Sflag", "space 10"),
        tpu_only=True,
    ),
}

DEFAULT_SPACE = 0
"""The memory space to show first, where a module uses it; else the one with the largest peak."""
