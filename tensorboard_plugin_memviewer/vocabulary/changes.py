"""What can become of buffers between two modules, in the order in which a comparison lists the kinds."""

from __future__ import annotations

from typing import Final, Literal

ChangeKind = Literal["appeared", "grew", "moved", "shrank", "went"]

CHANGES: Final[dict[str, str]] = {
    "appeared": "Only in this module.",
    "grew": "In both, larger here.",
    "moved": "The same size in both, but in another memory space, or alive at only one of the peaks.",
    "shrank": "In both, smaller here.",
    "went": "Only in the baseline.",
}
