"""A cache bounded by bytes, shared by threads, with one computation for concurrent equal requests.

Errors are handed to all who wait for the computation and are not kept: the next request tries again.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import TypeVar, cast

Value = TypeVar("Value")


class Cache:
    """Least recently used values go first once their sizes sum up to more than `limit` bytes."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, tuple[object, int]] = OrderedDict()
        self._running: dict[Hashable, Future[object]] = {}
        self._used = 0

    @property
    def used_bytes(self) -> int:
        """Sum of the sizes of what is kept; never over the limit."""
        return self._used

    def get(self, key: Hashable, compute: Callable[[], Value], size: Callable[[Value], int]) -> Value:
        """The value of `key`, computed at most once at a time; `size` gives the bytes that a value keeps in
        memory.

        A value larger than the limit is given and not kept. Raises what `compute` raises. A computation must
        not ask for its own key.
        """
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return cast(Value, self._kept[key][0])
            running = self._running.get(key)
            mine: Future[object] | None = None
            if running is None:
                mine = self._running[key] = Future()
        if mine is None:
            return cast(Value, cast("Future[object]", running).result())
        return self._compute(key, mine, compute, size)

    def drop(self, unwanted: Callable[[Hashable], bool]) -> None:
        """Forget the values of the keys that `unwanted` says."""
        with self._lock:
            for key in [key for key in self._kept if unwanted(key)]:
                self._used -= self._kept.pop(key)[1]

    def _compute(
        self, key: Hashable, mine: Future[object], compute: Callable[[], Value], size: Callable[[Value], int]
    ) -> Value:
        try:
            value = compute()
            self._keep(key, value, size(value))
        except BaseException as error:
            with self._lock:
                del self._running[key]
            mine.set_exception(error)
            raise
        with self._lock:
            del self._running[key]
        mine.set_result(value)
        return value

    def _keep(self, key: Hashable, value: object, size: int) -> None:
        with self._lock:
            if size > self._limit:
                return
            self._kept[key] = value, size
            self._used += size
            while self._used > self._limit:
                self._used -= self._kept.popitem(last=False)[1][1]
