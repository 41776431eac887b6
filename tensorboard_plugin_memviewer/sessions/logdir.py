"""One logdir as the rest of the package meets it: its listing, kept for a moment, and work on its files,
cached.

`compute` is the only door to a file's content. Its work gets a reader of the state that was listed, and its
result is kept under that state's key only if the file was still in it at the end. So an answer is of one
state of the file.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from typing import TypeVar

from tensorboard_plugin_memviewer.sessions.cache import Cache
from tensorboard_plugin_memviewer.sessions.filesystem import Changed, File, Reader, filesystem_for, shown
from tensorboard_plugin_memviewer.sessions.listing import list_in
from tensorboard_plugin_memviewer.sessions.run import Listing

Value = TypeVar("Value")

_DEFAULT_CACHE_BYTES = 1 << 30
_SHORTEST_AGE_S = 1.0
# A walk over a large or remote logdir may take seconds: it then stands for some times as long.
_AGE_PER_WALK_S = 10.0


class Logdir:
    """A local path or fsspec URL of a folder or a file. Safe to use from several threads; reads only."""

    def __init__(self, location: str, cache: Cache | None = None) -> None:
        self.shown = shown(location)
        self._location = location
        self._cache = cache if cache is not None else Cache(_DEFAULT_CACHE_BYTES)
        self._filesystem, self._path = filesystem_for(location)
        self._listing_lock = threading.Lock()
        self._listing: Listing | None = None
        self._valid_until = 0.0

    def listing(self) -> Listing:
        """The runs, as they were a moment ago at most. Raises NotFound, Unreadable, Unsupported."""
        with self._listing_lock:
            if self._listing is None or time.monotonic() >= self._valid_until:
                started = time.monotonic()
                self._listing = list_in(self._filesystem, self._path, self.shown)
                ended = time.monotonic()
                self._valid_until = ended + max(_SHORTEST_AGE_S, _AGE_PER_WALK_S * (ended - started))
            return self._listing

    def forget_listing(self) -> None:
        """Make the next `listing` look again."""
        with self._listing_lock:
            self._valid_until = 0.0

    def compute(
        self, file: File, what: Hashable, work: Callable[[Reader], Value], size: Callable[[Value], int]
    ) -> Value:
        """`work` on the file's content, cached under the file's key and `what`; `size` gives the bytes a
        value keeps.

        Raises what `work` raises, and Changed, NotFound, Unreadable, Unsupported.
        """

        def once() -> Value:
            reader = self._filesystem.open(file)
            try:
                value = work(reader)
                reader.check_unchanged()
            finally:
                reader.close()
            return value

        return self._cache.get((file.key, what), once, size)

    def settled(self, answer: Callable[[], Value]) -> Value:
        """`answer()`, asked once more after a fresh listing where a file had changed or gone under it."""
        try:
            return answer()
        except Changed:
            self.forget_listing()
            return answer()
