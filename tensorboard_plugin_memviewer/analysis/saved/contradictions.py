"""Where a saved result of XProf contradicts itself: then it was altered or cut, and its numbers may be wrong.

Checked is what holds in 203 answers of XProf 2.24.2, for TPU and GPU and every memory space. Sizes are
doubles in MiB there, of which each is rounded to bytes by itself: sums agree to a byte an addend.
"""

from __future__ import annotations

from collections.abc import Iterator

from tensorboard_plugin_memviewer.analysis.usage import Headline
from tensorboard_plugin_memviewer.errors import Problem
from tensorboard_plugin_memviewer.model.module import AllocationType
from tensorboard_plugin_memviewer.model.saved import SavedResult
from tensorboard_plugin_memviewer.model.space import HBM
from tensorboard_plugin_memviewer.units import format_apart

_ADVICE = "The numbers may be wrong: save the result again, or open the capture that it came from."


def saved_contradictions(result: SavedResult, space: int, headline: Headline) -> tuple[Problem, ...]:
    """One problem for each contradiction; `headline` is what is made of the result for its memory space."""
    found = (*_of_the_curve(result), *_of_sums(result), *_of_addresses(result), *_of_peak(space, headline))
    return tuple(Problem("contradiction", text, _ADVICE) for text in found)


def _of_the_curve(result: SavedResult) -> Iterator[str]:
    heap = result.heap
    if heap is None:
        return
    highest = int(heap.max())
    if result.peak_bytes is not None and _differ(result.peak_bytes, highest, 1):
        yield _pair("its peak is", result.peak_bytes, "the highest value of its curve", highest)
    if result.peak_event is not None and int(heap[result.peak_event + 1]) != highest:
        yield "its peak is at another event than that of its curve"
    if heap[0] != heap[-1]:
        yield _pair("its curve begins with", int(heap[0]), "ends with", int(heap[-1]))
    if result.indefinite_bytes is not None and _differ(result.indefinite_bytes, int(heap[0]), 1):
        yield _pair(
            "what lives throughout is", result.indefinite_bytes, "its curve begins with", int(heap[0])
        )
    unpadded = result.unpadded_heap
    if unpadded is None:
        return
    if (unpadded > heap + 1).any():
        yield "without padding its buffers take more than with it"
    there, said = int(unpadded[(result.peak_event or 0) + 1]), result.peak_unpadded_bytes
    if said is not None and _differ(there, said, 1):
        yield _pair("its peak without padding is", said, "the value of its curve there", there)


def _of_sums(result: SavedResult) -> Iterator[str]:
    lasting = sum(found.size for found in result.indefinite)
    throughout = result.indefinite_bytes
    if result.indefinite and throughout is not None and _differ(lasting, throughout, len(result.indefinite)):
        yield _pair("what lives throughout is", throughout, "its allocations sum up to", lasting)
    parameters = [found.size for found in result.indefinite if found.group == AllocationType.PARAMETER.label]
    if result.argument_bytes is not None and _differ(sum(parameters), result.argument_bytes, len(parameters)):
        yield _pair(
            "its arguments are", result.argument_bytes, "their allocations sum up to", sum(parameters)
        )
    if result.peak_bytes is not None and (result.peak_unpadded_bytes or 0) > result.peak_bytes + 1:
        yield _pair("its peak is", result.peak_bytes, "without padding", result.peak_unpadded_bytes or 0)
    allocated = result.allocated_bytes
    if allocated is not None and allocated + 1 < (result.indefinite_bytes or 0):
        yield _pair("it allocates", allocated, "what lives throughout is", result.indefinite_bytes or 0)
    elif allocated is not None and result.heaps is not None:
        every = lasting + sum(found.size for found in result.heaps)
        if _differ(every, allocated, len(result.heaps) + len(result.indefinite)):
            yield _pair("it allocates", allocated, "its allocations sum up to", every)
    alive, peak = [found.size for found in result.alive_at_peak], result.peak_bytes
    if alive and peak is not None and _differ(sum(alive), peak, len(alive)):
        yield _pair("its peak is", peak, "what lives there sums up to", sum(alive))


def _of_addresses(result: SavedResult) -> Iterator[str]:
    outside = sum(
        found.offset < 0 or found.offset + found.size > heap.size + 1
        for heap in result.heaps or ()
        for found in heap.buffers
        if found.offset is not None
    )
    if outside:
        yield f"{outside} × a buffer lies outside its allocation"


def _of_peak(space: int, headline: Headline) -> Iterator[str]:
    """On chip XProf counts each buffer of a shared address: there a peak may be above what is reserved."""
    if space == HBM and headline.peak_bytes > headline.required_bytes:
        yield _pair("its peak is", headline.peak_bytes, "it allocates only", headline.required_bytes)


def _differ(one: int, other: int, addends: int) -> bool:
    return abs(one - other) > addends + 1


def _pair(first: str, one: int, second: str, other: int) -> str:
    one_text, other_text = format_apart(one, other)
    return f"{first} {one_text}, but {second} {other_text}"
