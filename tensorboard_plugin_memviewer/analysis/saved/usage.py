"""A saved result of XProf's Memory Viewer → the same records as a module's usage, on axis "events".

The curve and the peak are those of the file. Point i is heap event i; the usage there is the heap right after
it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tensorboard_plugin_memviewer.analysis.lifetimes.program_order import order_of_events
from tensorboard_plugin_memviewer.analysis.saved.contradictions import saved_contradictions
from tensorboard_plugin_memviewer.analysis.saved.module import saved_module
from tensorboard_plugin_memviewer.analysis.usage import Headline, Plan, SpaceUsage, space_usage
from tensorboard_plugin_memviewer.model.module import Ints
from tensorboard_plugin_memviewer.model.saved import SavedResult


def saved_usage(result: SavedResult) -> tuple[Plan, SpaceUsage]:
    """The plan that stands in for the module's, and the usage of the one memory space that was saved.

    `plan.spaces` is empty where the result says nothing of any memory. Raises Damaged where sizes are more
    than any device has.
    """
    saved = saved_module(result)
    plan = Plan(
        saved.module,
        order_of_events(saved.module, saved.event_instruction),
        saved.spans,
        saved.module.problems,
    )
    computed = space_usage(plan, saved.space)
    usage, unpadded = _curves(result, computed)
    headline = _headline(result, computed.headline, usage, unpadded)
    plan = replace(plan, problems=(*plan.problems, *saved_contradictions(result, saved.space, headline)))
    # Sizes add up to what was computed: of a curve that the file gives otherwise it is not known whose it is.
    shared = computed.shared if np.array_equal(usage, computed.usage) else None
    return plan, replace(computed, usage=usage, unpadded=unpadded, headline=headline, shared=shared)


def _curves(result: SavedResult, computed: SpaceUsage) -> tuple[Ints, Ints]:
    """The saved curves, else the saved peak at the only point. Unpadded usage is never more than usage."""
    if result.heap is None or not result.events:
        peak = computed.headline.indefinite_bytes if result.peak_bytes is None else result.peak_bytes
        usage: Ints = np.array([peak], np.int64)
        needed = peak if result.peak_unpadded_bytes is None else result.peak_unpadded_bytes
        return usage, np.minimum(usage, needed)
    usage = result.heap[1:]
    unpadded = usage if result.unpadded_heap is None else np.minimum(usage, result.unpadded_heap[1:])
    return usage, unpadded


def _headline(result: SavedResult, computed: Headline, usage: Ints, unpadded: Ints) -> Headline:
    """A ledger that sums up exactly. Where XProf's peak is above what is reserved, all of that is in use."""
    peak = int(np.argmax(usage)) if result.peak_event is None else result.peak_event
    lasting = computed.indefinite_bytes
    allocated = max(result.allocated_bytes or computed.allocated_bytes, lasting)
    temporary = allocated - lasting
    temporary_peak = min(max(int(usage[peak]) - lasting, 0), temporary)
    scoped = result.max_scoped_bytes or 0
    return replace(
        computed,
        peak_bytes=int(usage[peak]),
        peak_point=peak,
        allocated_bytes=allocated,
        temporary_bytes=temporary,
        temporary_peak_bytes=temporary_peak,
        fragmentation_bytes=temporary - temporary_peak,
        unpadded_at_peak_bytes=int(unpadded[peak]),
        padding_bytes=int(usage[peak] - unpadded[peak]),
        max_scoped_bytes=scoped,
        required_bytes=allocated + scoped,
    )
