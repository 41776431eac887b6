"""The order in which libstdc++'s std::sort leaves equal keys, which XProf's `maxHeapBySize` shows.

std::sort promises nothing for equal keys, but the XProf that people install is built with this library, so
its order is always the same: quicksort by the median of three down to parts of 16, then one insertion sort
over everything; heapsort for a part that is split too often. Introsort is D. Musser's, 1997. Knows nothing of
what is sorted.
"""

from __future__ import annotations

_INSERTION_BELOW = 17


def sorted_as_std_sort(keys: list[int]) -> list[int]:
    """The positions of `keys` in the order that std::sort by `<` gives them."""
    if len(keys) < _INSERTION_BELOW or len(set(keys)) == len(keys):
        return sorted(range(len(keys)), key=keys.__getitem__)  # insertion sort keeps equal keys in order
    items = list(zip(keys, range(len(keys)), strict=True))
    _quicksort(items)
    return [position for _, position in sorted(items, key=lambda item: item[0])]


_Items = list[tuple[int, int]]


def _quicksort(items: _Items) -> None:
    """Splits until parts are short. What is left a stable sort finishes as insertion sort would."""
    parts = [(0, len(items), 2 * (len(items).bit_length() - 1))]
    while parts:
        low, high, splits_left = parts.pop()
        if high - low < _INSERTION_BELOW:
            continue
        if splits_left == 0:
            _heapsort(items, low, high)
            continue
        cut = _split(items, low, high)
        parts += [(low, cut, splits_left - 1), (cut, high, splits_left - 1)]


def _split(items: _Items, low: int, high: int) -> int:
    """Partitions around the median of three, put at `low`; returns where the upper part begins."""
    _median_to(items, low, (low + 1, low + (high - low) // 2, high - 1))
    pivot = items[low][0]
    left, right = low + 1, high
    while True:
        while items[left][0] < pivot:
            left += 1
        right -= 1
        while pivot < items[right][0]:
            right -= 1
        if left >= right:
            return left
        items[left], items[right] = items[right], items[left]
        left += 1


def _median_to(items: _Items, target: int, three: tuple[int, int, int]) -> None:
    """Swaps the median of three into `target`. Which of equal keys it takes is part of the order."""
    first, middle, last = three
    a, b, c = items[first][0], items[middle][0], items[last][0]
    if a < b:
        median = middle if b < c else last if a < c else first
    else:
        median = first if a < c else last if b < c else middle
    items[target], items[median] = items[median], items[target]


def _heapsort(items: _Items, low: int, high: int) -> None:
    """Makes a heap of the part, then moves its top to the end, again and again."""
    part = items[low:high]
    for top in range(len(part) // 2 - 1, -1, -1):
        _sift(part, top, len(part), part[top])
    for end in range(len(part) - 1, 0, -1):
        value, part[end] = part[end], part[0]
        _sift(part, 0, end, value)
    items[low:high] = part


def _sift(part: _Items, hole: int, end: int, value: tuple[int, int]) -> None:
    """Lets the hole sink to the bottom along the larger children, then lets `value` rise from there."""
    top, child = hole, 2 * hole + 2
    while child < end:
        if part[child][0] < part[child - 1][0]:
            child -= 1
        part[hole], hole, child = part[child], child, 2 * child + 2
    if child == end:
        part[hole], hole = part[child - 1], child - 1
    parent = (hole - 1) // 2
    while hole > top and part[parent][0] < value[0]:
        part[hole], hole, parent = part[parent], parent, (parent - 1) // 2
    part[hole] = value
