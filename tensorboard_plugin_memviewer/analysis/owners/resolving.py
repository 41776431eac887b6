"""From every value back to what owns it: an argument, or the operation that makes it.

Theory of operation. Each group of values (values.py) has candidates in a fixed order (candidates.py); the
first that leads to an owner decides, a weak one only where no other does. Candidates lead to other groups,
which are resolved first. A group that asks for itself, through whatever way round, passes to the next
candidate, and is resolved a second time at the end. So every group is resolved once or twice, and the time is
linear in buffers and operands.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tensorboard_plugin_memviewer.analysis.owners.candidates import (
    NOBODY_FOUND,
    Candidate,
    Candidates,
    Found,
)
from tensorboard_plugin_memviewer.analysis.owners.values import Values


class Resolver:
    """Resolves the groups of a module."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self._candidates = Candidates(values)
        self._found: dict[int, Found] = {}
        self._incomplete: set[int] = set()

    def resolve(self) -> None:
        """Resolves all groups."""
        groups = np.unique(self._values.group[~self._values.plain[self._values.group]]).tolist()
        for group in groups:
            self._resolve(group)
        # What was resolved on the way round while its better owner was still asked for is resolved again.
        again = sorted(self._incomplete)
        for group in again:
            del self._found[group]
        for group in again:
            self._resolve(group)

    def found(self, group: int) -> Found:
        """What owns a group, once all are resolved; NOBODY_FOUND where nothing does."""
        return self._done(group) or NOBODY_FOUND

    def _done(self, group: int) -> Found | None:
        """What owns a group, None where that is not known yet."""
        found = self._found.get(group)
        if found is None and self._values.plain[group]:
            name = int(self._values.makings.name[group])
            found = Found(name=name, note=self._values.recomputed(group, name))
            self._found[group] = found
        return found

    def _resolve(self, group: int) -> None:
        asked: dict[int, Iterator[Candidate]] = {group: self._candidates.of(group)}
        fallback: dict[int, Found] = {}
        waiting: list[tuple[int, Candidate]] = []
        current = group
        while True:
            found = self._done(current)
            if found is not None:
                if not waiting:
                    return
                below, candidate = waiting.pop()
                self._take(below, candidate, found, fallback)
                current = below
                continue
            following = next(asked[current], None)
            if following is None:
                self._found[current] = fallback.get(current, NOBODY_FOUND)
            elif following.source < 0:
                self._take(current, following, following.found, fallback)
            elif (other := self._done(following.source)) is not None:
                if following.source in self._incomplete:
                    self._incomplete.add(current)
                self._take(current, following, other, fallback)
            elif following.source in asked:
                self._incomplete.add(current)
            else:
                waiting.append((current, following))
                current = following.source
                asked[current] = self._candidates.of(current)

    def _take(self, group: int, candidate: Candidate, found: Found, fallback: dict[int, Found]) -> None:
        taken = candidate.change(found) if candidate.change and found.known else found
        if not taken.known:
            return
        if not taken.weak:
            self._found[group] = taken
            self._incomplete.discard(group)
        else:
            fallback.setdefault(group, taken)
