"""How the axes of two modules line up: for each phase its stretch of program points in both.

A module's phases are runs of points. Runs of the two sides with the same phase are paired in order, so that
the pairs hold as many points as can be (a weighted longest common subsequence); what has no partner stands
opposite an empty stretch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tensorboard_plugin_memviewer.analysis.phases import Phase, PointPlaces, joint_phases
from tensorboard_plugin_memviewer.analysis.point_phases import point_places
from tensorboard_plugin_memviewer.analysis.scope import Place
from tensorboard_plugin_memviewer.analysis.usage import Plan

# Pairing costs their product. Schedules interleave phases in thousands of short runs, which say nothing here.
_MOST_RUNS: Final = 200


@dataclass(frozen=True, slots=True)
class Aligned:
    """A phase, and its stretch `[start, end)` of program points in each; empty where one lacks it."""

    phase: Phase
    subject: tuple[int, int]
    baseline: tuple[int, int]


class _Run(NamedTuple):
    phase: int
    start: int
    end: int

    @property
    def length(self) -> int:
        return self.end - self.start


def align(subject: Plan, baseline: Plan) -> tuple[Aligned, ...]:
    """Stretches that cover both axes from start to end, in order."""
    places, others = point_places(subject), point_places(baseline)
    # One order for both ways round, so that exchanging the sides exchanges the answer.
    if _spelled(places) <= _spelled(others):
        return tuple(_aligned(places, others))
    return tuple(Aligned(a.phase, a.baseline, a.subject) for a in _aligned(others, places))


def _spelled(places: PointPlaces) -> list[Place]:
    return [places.table[row] for row in places.place.tolist()]


def _aligned(places: PointPlaces, others: PointPlaces) -> Iterator[Aligned]:
    found, found_other = joint_phases((places, others))
    runs, other = _runs(found.column), _runs(found_other.column)
    return _stretches(found.table, runs, other, list(_pairs(runs, other)))


def _runs(column: NDArray[np.int32]) -> list[_Run]:
    """The runs of equal phases; the shortest ones go to what is before them until they are few enough."""
    starts = np.nonzero(np.diff(column, prepend=column[:1] - 1))[0]
    ends = np.append(starts[1:], len(column))
    runs = [
        _Run(phase, start, end)
        for phase, start, end in zip(column[starts].tolist(), starts.tolist(), ends.tolist(), strict=True)
    ]
    shortest = 2
    while len(runs) > _MOST_RUNS:
        runs = _smoothed(runs, shortest)
        shortest *= 2
    return runs


def _smoothed(runs: list[_Run], shortest: int) -> list[_Run]:
    kept: list[_Run] = []
    for run in runs:
        if kept and (run.length < shortest or run.phase == kept[-1].phase):
            kept[-1] = kept[-1]._replace(end=run.end)
        else:
            kept.append(run)
    return kept


def _pairs(runs: list[_Run], other: list[_Run]) -> Iterator[tuple[int, int]]:
    """The pairing of the most points: `best[i][j]` is what can be paired of runs[i:] and other[j:]."""
    best = [[0] * (len(other) + 1) for _ in range(len(runs) + 1)]
    for i in range(len(runs) - 1, -1, -1):
        for j in range(len(other) - 1, -1, -1):
            paired = best[i + 1][j + 1] + _weight(runs[i], other[j])
            best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    i = j = 0
    while i < len(runs) and j < len(other):
        weight = _weight(runs[i], other[j])
        if weight and best[i][j] == best[i + 1][j + 1] + weight:
            yield i, j
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1


def _weight(run: _Run, other: _Run) -> int:
    return min(run.length, other.length) if run.phase == other.phase else 0


def _stretches(
    table: tuple[Phase, ...], runs: list[_Run], other: list[_Run], pairs: list[tuple[int, int]]
) -> Iterator[Aligned]:
    i = j = 0
    for next_i, next_j in [*pairs, (len(runs), len(other))]:
        at = runs[i].start if i < len(runs) else runs[-1].end
        at_other = other[j].start if j < len(other) else other[-1].end
        for run in runs[i:next_i]:
            yield Aligned(table[run.phase], (run.start, run.end), (at_other, at_other))
            at = run.end
        for run in other[j:next_j]:
            yield Aligned(table[run.phase], (at, at), (run.start, run.end))
        if next_i < len(runs):
            run, partner = runs[next_i], other[next_j]
            yield Aligned(table[run.phase], (run.start, run.end), (partner.start, partner.end))
        i, j = next_i + 1, next_j + 1
