"""The owner of a piece of memory: what its user would call it."""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple


class Note(str, Enum):
    """What a piece of memory is to its owner, where it is not simply the owner's own."""

    COPY = "copy of"
    COPY_IN_VMEM = "copy in VMEM"
    COPY_ON_HOST = "copy on the host"
    SLICE = "slice of"
    GATHERED = "gathered"
    COMMUNICATION = "communication"
    RECOMPUTED = "recomputed"
    GRADIENT = "gradient of"
    NEW_VALUE = "new value of"
    WORKSPACE = "workspace"


class Owner(NamedTuple):
    """Whose memory it is. What is not known is None.

    `path` is an argument's path as the framework writes it (`params['blocks']['w2']`); `scope` the author's
    scope without the wrappers of transformations and loops (`blocks/mlp`), "" for the program's top level;
    `file` and `line` the user's line. `layers` is how many equal entries are stacked (one an iteration of a
    loop). `note` is one of the words of Note.
    """

    path: str | None = None
    scope: str | None = None
    file: str | None = None
    line: int | None = None
    layers: int | None = None
    note: str | None = None

    @property
    def known(self) -> bool:
        """Whether anything names the owner."""
        return self.path is not None or bool(self.scope) or self.line is not None


NOBODY: Final = Owner()
