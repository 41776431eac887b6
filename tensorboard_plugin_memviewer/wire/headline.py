"""The headline numbers of one memory space, and the small curve beside them."""

from __future__ import annotations

from typing import TypedDict, cast

import numpy as np

from tensorboard_plugin_memviewer.analysis.capacity import Capacity
from tensorboard_plugin_memviewer.analysis.usage import Headline as Numbers
from tensorboard_plugin_memviewer.model.module import Ints
from tensorboard_plugin_memviewer.wire.columns import Column, column

_MOST_STEPS = 2000


class HeadlineBytes(TypedDict):
    """The headline numbers of docs/numbers.md, by name, in bytes."""

    peak_bytes: int
    allocated_bytes: int
    argument_bytes: int
    output_bytes: int
    thread_local_bytes: int
    constant_bytes: int
    temporary_bytes: int
    aliased_bytes: int
    temporary_peak_bytes: int
    untraced_bytes: int
    indefinite_bytes: int
    scoped_at_peak_bytes: int
    max_scoped_bytes: int
    required_bytes: int
    fragmentation_bytes: int
    unpadded_at_peak_bytes: int
    padding_bytes: int


class Headline(HeadlineBytes):
    """The headline numbers, where the peak is, and the size of the memory space."""

    peak_point: int
    """A program point: the first that reaches the peak."""
    capacity_bytes: int | None
    capacity_source: str | None
    """Where the capacity is known from."""


class Curve(TypedDict):
    """A step line of at most 2000 steps, each the largest usage of its stretch."""

    points: Column
    """Program points at which a step begins."""
    bytes: Column


def headline(numbers: Numbers, capacity: Capacity) -> Headline:
    """The numbers, with the capacity and where it is known from."""
    return cast(
        "Headline",
        {**numbers.as_dict(), "capacity_bytes": capacity.bytes, "capacity_source": capacity.source},
    )


def headline_difference(subject: Numbers, baseline: Numbers) -> HeadlineBytes:
    """Subject less baseline, number by number."""
    before = baseline.as_dict()
    return cast(
        "HeadlineBytes",
        {name: value - before[name] for name, value in subject.as_dict().items() if name != "peak_point"},
    )


def curve(usage: Ints, most: int = _MOST_STEPS) -> Curve:
    """Usage by program point as a step line of at most `most` steps."""
    starts = np.nonzero(np.diff(usage, prepend=usage[0] - 1))[0]
    if len(starts) <= most:
        return {"points": column(starts), "bytes": column(usage[starts])}
    edges = np.unique(np.linspace(0, len(usage), most, endpoint=False).astype(np.int64))
    return {"points": column(edges), "bytes": column(np.maximum.reduceat(usage, edges))}
