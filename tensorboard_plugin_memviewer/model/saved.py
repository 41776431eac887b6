"""A result that XProf's Memory Viewer saved: with what it holds, which is less than a module.

There are no operands, no schedule and no addresses in older ones; the numbers are XProf's own. What a result
does not say is None, or "" where it is text.
"""

from __future__ import annotations

from dataclasses import dataclass

from tensorboard_plugin_memviewer.model.module import Ints
from tensorboard_plugin_memviewer.model.shape import Shape


@dataclass(frozen=True, slots=True)
class SavedSource:
    """Where an instruction comes from; `stack` holds file, line and column, innermost first."""

    file: str
    line: int | None
    stack: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class SavedBuffer:
    """A buffer, or what XProf gathers under `label` where `id` is None.

    `size` and `unpadded` are bytes. `shape` is None where `shape_text` cannot be read. `group` is the type of
    its allocation. `span` is half-open, in heap events; `offset` bytes from the begin of its allocation.
    """

    id: int | None
    label: str
    instruction: str
    shape_index: tuple[int, ...]
    size: int
    unpadded: int | None
    shape_text: str
    shape: Shape | None
    opcode: str
    op_name: str
    group: str
    source: SavedSource | None
    span: tuple[int, int] | None
    offset: int | None


@dataclass(frozen=True, slots=True)
class SavedAllocation:
    """An allocation of `size` bytes with its buffers. `index` is the compiler's number, `group` its type."""

    index: int | None
    size: int
    group: str
    live_out: bool
    buffers: tuple[SavedBuffer, ...]


@dataclass(frozen=True, slots=True)
class SavedResult:
    """What was saved for one module and one memory space; sizes in bytes.

    `heap` and `unpadded_heap` hold a value before each heap event and one after the last; `event_names` a
    name for each event. `peak_event` is the event that reaches the peak, `alive_at_peak` what lives right
    after it, in XProf's order. `indefinite` are the allocations that live from begin to end, `heaps` those
    that buffers share over time, with their buffers: None where the XProf that saved the result did not write
    them. `spans` is by buffer id.
    """

    module_name: str
    entry_name: str
    heap: Ints | None
    unpadded_heap: Ints | None
    event_names: tuple[str, ...] | None
    alive_at_peak: tuple[SavedBuffer, ...]
    spans: dict[int, tuple[int, int]]
    indefinite: tuple[SavedAllocation, ...]
    heaps: tuple[SavedAllocation, ...] | None
    peak_bytes: int | None
    peak_unpadded_bytes: int | None
    peak_event: int | None
    argument_bytes: int | None
    allocated_bytes: int | None
    indefinite_bytes: int | None
    max_scoped_bytes: int | None
    max_scoped_instruction: str | None

    @property
    def events(self) -> int | None:
        """The number of heap events; None where no heap was saved."""
        return None if self.heap is None else len(self.heap) - 1
