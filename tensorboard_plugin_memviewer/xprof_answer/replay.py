"""XProf's replay of a heap trace: sizes are added and taken away, addresses play no part.

The machine, in terms of one event on buffer b:

- a buffer stands for itself or, after SHARE_WITH, for the buffer that it shares with, step by step: its
  *root*;
- the root counts how many buffers live in it. ALLOC and SHARE_WITH count up, FREE counts down; a count below
  zero is refused;
- ALLOC adds b's own size, also where b shares; SHARE_WITH adds the root's size only where nothing lives in
  the root, and from then on b is *shown* in the root's place;
- a FREE that leaves a root with nothing takes the root's size away and the root from the live list, however
  often it is there;
- a span opens at ALLOC, and for a buffer shown in another's place at its SHARE_WITH; it closes at the FREE
  that leaves the root with nothing, for a buffer that shares at its own FREE. A span that never closes ends
  at the last event.

So a buffer allocated twice without a FREE counts twice and one that shares with a dead buffer is listed with
a size that is not what was added. That is XProf's answer.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tensorboard_plugin_memviewer.errors import Unsupported
from tensorboard_plugin_memviewer.model.module import EventKind, HeapTrace
from tensorboard_plugin_memviewer.xprof_answer.assignment import Assignment
from tensorboard_plugin_memviewer.xprof_answer.traces import ADVICE


@dataclass(frozen=True, slots=True)
class Replay:
    """`heap` and `unpadded`: bytes before each event and after the last, indefinite allocations included as
    they are.

    `spans` by buffer: positions of the first and last event, the last included. `live_at_peak`: buffers in
    the order in which they came; a buffer allocated twice is there twice. `peak_position` is that of the
    event that reaches it.
    """

    heap: list[int]
    unpadded: list[int]
    spans: dict[int, tuple[int, int]]
    live_at_peak: list[int]
    peak_bytes: int
    peak_unpadded: int
    peak_position: int


def without_trace(indefinite_bytes: int) -> Replay:
    """What there is to say without a trace: the indefinite allocations alone."""
    return Replay([], [], {}, [], indefinite_bytes, indefinite_bytes, 0)


def replay(assignment: Assignment, trace: HeapTrace, indefinite_bytes: int) -> Replay:
    """Raises Unsupported where XProf refuses the trace."""
    heap = _Heap(assignment, indefinite_bytes, last=len(trace) - 1)
    kinds, buffers, canonicals = trace.kind.tolist(), trace.buffer.tolist(), trace.canonical.tolist()
    for position, (kind, buffer, canonical) in enumerate(zip(kinds, buffers, canonicals, strict=True)):
        heap.next_event(position)
        if not assignment.is_placed(buffer):
            continue  # XProf passes over such an event
        if kind == EventKind.ALLOC:
            heap.allocate(buffer)
        elif kind == EventKind.FREE:
            heap.free(buffer)
        elif assignment.is_placed(canonical):
            heap.share(buffer, canonical)
    return heap.finish()


@dataclass(slots=True)
class _Entry:
    """A line of the live list."""

    buffer: int
    came: int
    went: int | None = None


@dataclass(slots=True)
class _Heap:
    assignment: Assignment
    indefinite_bytes: int
    last: int
    position: int = 0
    size: int = 0
    unpadded: int = 0
    peak_bytes: int = 0
    peak_unpadded: int = 0
    peak_position: int | None = None
    sizes: list[int] = field(default_factory=list)
    heap_series: list[int] = field(default_factory=list)
    unpadded_series: list[int] = field(default_factory=list)
    canonical: dict[int, int] = field(default_factory=dict)
    living: dict[int, int] = field(default_factory=dict)
    shown: dict[int, int] = field(default_factory=dict)
    spans: dict[int, list[int]] = field(default_factory=dict)
    entries: list[_Entry] = field(default_factory=list)
    open_entries: dict[int, list[_Entry]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        columns = self.assignment.module.buffers
        self.sizes = columns.size.tolist()
        self.size = self.unpadded = self.peak_bytes = self.peak_unpadded = self.indefinite_bytes

    def next_event(self, position: int) -> None:
        self.position = position
        self.heap_series.append(self.size)
        self.unpadded_series.append(self.unpadded)

    def allocate(self, buffer: int) -> None:
        root = self._root(buffer)
        self.living[root] = self.living.get(root, 0) + 1
        self.spans[buffer] = [self.position, self.last]
        self._add(buffer)

    def share(self, buffer: int, canonical: int) -> None:
        root = self._root(canonical)
        if not self.living.get(root):
            self.shown[root] = buffer
            self.spans[buffer] = [self.position, self.last]
            self._add(root)
        self.canonical[buffer] = canonical
        root = self._root(buffer)
        self.living[root] = self.living.get(root, 0) + 1

    def free(self, buffer: int) -> None:
        root = self._root(buffer)
        left = self.living.get(root, 0) - 1
        if left < 0:
            raise self._refused(f"buffer {self._id(buffer)} is freed more often than it is allocated")
        self.living[root] = left
        if buffer != root:
            self._close(buffer)
        if left == 0:
            self._remove(root)
            if root not in self.shown:
                self._close(root)

    def finish(self) -> Replay:
        at = self.peak_position
        live = [entry.buffer for entry in self.entries if at is not None and _is_live(entry, at)]
        return Replay(
            heap=[*self.heap_series, self.size],
            unpadded=[*self.unpadded_series, self.unpadded],
            spans={buffer: (start, limit) for buffer, (start, limit) in self.spans.items()},
            live_at_peak=live,
            peak_bytes=self.peak_bytes,
            peak_unpadded=self.peak_unpadded,
            peak_position=at or 0,
        )

    def _root(self, buffer: int) -> int:
        for _ in range(len(self.canonical) + 1):
            if buffer not in self.canonical:
                return buffer
            buffer = self.canonical[buffer]
        raise self._refused("buffers share with each other in a circle, which XProf never leaves")

    def _add(self, buffer: int) -> None:
        entry = _Entry(self.shown.get(buffer, buffer), self.position)
        self.entries.append(entry)
        self.open_entries.setdefault(buffer, []).append(entry)
        self.size += self.sizes[buffer]
        self.unpadded += self.assignment.unpadded(buffer)
        if self.size > self.peak_bytes:
            self.peak_bytes, self.peak_unpadded, self.peak_position = self.size, self.unpadded, self.position

    def _remove(self, root: int) -> None:
        for entry in self.open_entries.pop(root, ()):
            entry.went = self.position
        self.size -= self.sizes[root]
        self.unpadded -= self.assignment.unpadded(root)
        if self.size < self.indefinite_bytes:
            raise self._refused("the heap's size falls below zero")

    def _close(self, buffer: int) -> None:
        if buffer in self.spans:
            self.spans[buffer][1] = self.position

    def _id(self, buffer: int) -> int:
        return int(self.assignment.module.buffers.ids[buffer])

    def _refused(self, reason: str) -> Unsupported:
        return Unsupported(
            f"XProf does not answer for module {self.assignment.module.name!r}: {reason} "
            f"(event {self.position} of the heap trace)",
            ADVICE,
        )


def _is_live(entry: _Entry, position: int) -> bool:
    """Whether an entry is in the live list right after the event at `position`."""
    return entry.came <= position and (entry.went is None or entry.went > position)
