"""Which of a module's heap traces XProf replays for a memory space: always one, where the compiler may write
several.

A trace belongs to the allocation of its first event's buffer; the file's own word on it is ignored. Of
several for one allocation the last counts. XProf refuses a module in which one trace reaches into two
allocations.
"""

from __future__ import annotations

import numpy as np

from tensorboard_plugin_memviewer.errors import Unsupported
from tensorboard_plugin_memviewer.model.module import HeapTrace, Rows
from tensorboard_plugin_memviewer.xprof_answer.assignment import Assignment

ADVICE = "The other views do not depend on XProf's rules and show this module."


class Traces:
    """`heaps`: the rows of the space's allocations that share their memory over time and have a trace, by
    their index.

    `chosen` is the trace that is replayed, None where none concerns the space; `longest` the number of events
    of the longest trace of `heaps`, 0 without.
    """

    def __init__(self, assignment: Assignment) -> None:
        traces = assignment.module.traces
        for trace in traces:
            _check_one_allocation(assignment, trace)
        by_allocation = {_allocation(assignment, trace): trace for trace in traces}
        lasting = set(assignment.indefinite)
        self.heaps = [row for row in assignment.rows if row in by_allocation and row not in lasting]
        self.longest = max((len(by_allocation[row]) for row in self.heaps), default=0)
        self.chosen = by_allocation[self.heaps[0]] if self.heaps else _most_events(assignment)


def _allocations(assignment: Assignment, trace: HeapTrace) -> Rows:
    """The allocation of each event's buffer, -1 where it has none."""
    by_buffer = assignment.module.buffers.allocation
    allocations = np.full(len(trace), -1, np.int32)
    known = trace.buffer >= 0
    allocations[known] = by_buffer[trace.buffer[known]]
    return allocations


def _check_one_allocation(assignment: Assignment, trace: HeapTrace) -> None:
    reached = np.unique(_allocations(assignment, trace))
    count = int((reached >= 0).sum())
    if count > 1:
        raise Unsupported(
            f"XProf does not answer for module {assignment.module.name!r}: "
            f"the events of one heap trace lie in {count} allocations",
            ADVICE,
        )


def _allocation(assignment: Assignment, trace: HeapTrace) -> int:
    return int(_allocations(assignment, trace)[0]) if len(trace) else -1


def _most_events(assignment: Assignment) -> HeapTrace | None:
    """The first of the traces that have the most events on buffers of the space; None where no event is."""
    best, most = None, 0
    space = assignment.module.buffers.space
    for trace in assignment.module.traces:
        placed = trace.buffer[_allocations(assignment, trace) >= 0]
        count = int((space[placed] == assignment.space).sum())
        if count > most:
            best, most = trace, count
    return best
