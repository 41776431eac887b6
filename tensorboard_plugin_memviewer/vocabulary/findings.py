"""The kinds of findings: how urgent they are, from which share on they are reported, what is stated of their
effect. `analysis/findings` reads the limits; docs/guide.md has this table.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from tensorboard_plugin_memviewer.vocabulary.capacity import NEARLY_FULL
from tensorboard_plugin_memviewer.vocabulary.share import Share

Urgency = Literal["bad", "warn", "note"]

GUIDE: Final = "guide.md#findings-what-stands-out"


class FindingKind(NamedTuple):
    """A kind of finding.

    `share` is the least part that is reported, of what `reported` names. What stops a program is "bad", what
    nearly does "warn", what could be saved a "note". `needs_capacity`: depends on the size of the device's
    memory. `held_together`: about temporaries that are alive together, so that the same ones are reported
    once. `names_all`: its evidence is the largest buffers, whatever they are. `anchor`: where docs/
    explains it.
    """

    key: str
    word: str
    reported: str
    effect: str = "nothing"
    share: Share = Share(0, 1)
    urgency: Urgency = "note"
    needs_capacity: bool = False
    held_together: bool = False
    names_all: bool = False
    anchor: str = GUIDE


LEAST_BYTES: Final = 64 << 10
"""No finding is reported for less."""

LARGE_CONSTANTS: Final = 1 << 20
"""Bytes of constants that are reported."""

REPEATED: Final = 3
"""Buffers of one operation and shape that are reported."""

RECOMPUTING: Final = Share(1, 5)
"""The share of activations reported where the program recomputes: it keeps what its layers take in."""

EXPLAINED: Final = Share(3, 10)
"""A finding of more of the peak than this explains it: f32 is then not reported."""

FINDING_KINDS: Final = {
    kind.key: kind
    for kind in (
        FindingKind(
            "over_capacity",
            "over capacity",
            "what is required is larger than the capacity",
            urgency="bad",
            needs_capacity=True,
            names_all=True,
        ),
        FindingKind(
            "scoped_over_capacity",
            "scoped memory over capacity",
            "with the scoped memory of one instruction, what is required is larger than the capacity",
            urgency="bad",
            needs_capacity=True,
            names_all=True,
        ),
        FindingKind(
            "near_capacity",
            "near capacity",
            "what is required is within 5 % of the capacity of HBM",
            share=NEARLY_FULL,
            urgency="warn",
            needs_capacity=True,
            names_all=True,
        ),
        FindingKind(
            "dominant_buffer",
            "one buffer of half the capacity",
            "more than half of the capacity of HBM",
            share=Share(1, 2),
            urgency="warn",
            needs_capacity=True,
        ),
        FindingKind(
            "undonated_arguments",
            "arguments that could be donated",
            "1 % of what is required",
            'at least, at most; "up to" where temporaries use the outputs\' memory',
            share=Share(1, 100),
            names_all=True,
        ),
        FindingKind("padding", "padding", "more than 10 % of the peak", share=Share(1, 10)),
        FindingKind(
            "activations",
            "activations kept for the backward pass",
            "5 % of the peak, of several layers; 20 % where the program recomputes",
            'a range for the body of a scan; "up to" for separate layers on TPU and GPU; nothing on CPU',
            share=Share(1, 20),
            held_together=True,
        ),
        FindingKind(
            "recomputed",
            "recomputed values of several layers",
            "10 % of the peak",
            "up to",
            share=Share(1, 10),
            held_together=True,
        ),
        FindingKind(
            "copies",
            "copies beside their originals",
            "5 % of the peak",
            "up to",
            share=Share(1, 20),
            held_together=True,
        ),
        FindingKind(
            "not_in_place",
            "donated arguments not updated in place",
            "5 % of the peak",
            "up to",
            share=Share(1, 20),
            held_together=True,
        ),
        FindingKind(
            "duplicates",
            "buffers with the same op and shape",
            "three of them, and 5 % of the peak",
            share=Share(1, 20),
            held_together=True,
        ),
        FindingKind(
            "large_buffer",
            "one large buffer that fits none of these",
            "more than a third of the peak",
            "up to",
            share=Share(1, 3),
        ),
        FindingKind(
            "fragmentation", "fragmentation", "more than 10 % of what is allocated", share=Share(1, 10)
        ),
        FindingKind("large_constants", "large constants", "1 MiB", "that the peak stays the same"),
        FindingKind(
            "wide_floats",
            "f32 or f64",
            "more than half of the peak, on TPU and GPU, where no other finding explains 30 % of it",
            "up to",
            share=Share(1, 2),
        ),
    )
}
