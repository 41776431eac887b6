"""A cache bounded by bytes, shared by threads, with one computation for concurrent equal requests.

Errors are handed to all who wait for the computation and are not kept: the next request tries again.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TypeVar, cast

Value = TypeVar("Value")


class _Running:
    """A computation that others may wait for; without a result when it was interrupted."""

    def __init__(self) -> None:
        self.done = threading.Event()
        self.result: tuple[object] | None = None
        self.error: Exception | None = None


class Cache:
    """Least recently used values go first once their sizes sum up to more than `limit` bytes."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, tuple[object, int]] = OrderedDict()
        self._running: dict[Hashable, _Running] = {}
        self._used = 0

    @property
    def used_bytes(self) -> int:
        """Sum of the sizes of what is kept; never over the limit."""
        return self._used

    def get(self, key: Hashable, compute: Callable[[], Value], size: Callable[[Value], int]) -> Value:
        """The value of `key`, computed at most once at a time; `size` gives the bytes that a value keeps.

        A value larger than the limit is given and not kept. Raises what `compute` raises. A computation must
        not ask for its own key, nor for one whose computation asks for its.
        """
        while True:
            with self._lock:
                if key in self._kept:
                    self._kept.move_to_end(key)
                    return cast(Value, self._kept[key][0])
                running = self._running.get(key)
                if running is None:
                    mine = self._running[key] = _Running()
                    break
            running.done.wait()
            if running.error is not None:
                raise running.error
            if running.result is not None:
                return cast(Value, running.result[0])
        return self._compute(key, mine, compute, size)

    def _compute(
        self, key: Hashable, mine: _Running, compute: Callable[[], Value], size: Callable[[Value], int]
    ) -> Value:
        try:
            value = compute()
            self._keep(key, value, size(value))
            mine.result = (value,)
        except Exception as error:
            mine.error = error
            raise
        finally:
            with self._lock:
                del self._running[key]
            mine.done.set()
        return value

    def _keep(self, key: Hashable, value: object, size: int) -> None:
        with self._lock:
            if size > self._limit:
                return
            while self._used + size > self._limit:
                self._used -= self._kept.popitem(last=False)[1][1]
            self._kept[key] = value, size
            self._used += size
