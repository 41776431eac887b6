"""One logdir: its listing, which is kept for a moment, and its files, read completely or in part.

A listing is made by one thread while the others wait for it. A file is read in the state in which it was
listed, from the first byte to the last, or `Changed` is raised.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tensorboard_plugin_memviewer.sessions.filesystem import File, Reader
from tensorboard_plugin_memviewer.sessions.listing import Tell, holds_runs, list_in
from tensorboard_plugin_memviewer.sessions.open import filesystem_for
from tensorboard_plugin_memviewer.sessions.run import Listing
from tensorboard_plugin_memviewer.sessions.url_secrets import shown

_SHORTEST_AGE_S = 1.0
# A walk over a large or remote logdir may take seconds: its listing then stands for some times as long.
_AGE_PER_WALK = 10.0


class Logdir:
    """A local path or fsspec URL of a folder or a file. Safe to use from several threads; reads only.

    `tell` returns the role of a file given by its path. Raises Unsupported for a URL without an installed
    driver.
    """

    def __init__(self, location: str, tell: Tell = lambda _: None) -> None:
        self._tell = tell
        self.shown = shown(location)
        self._filesystem, self._path = filesystem_for(location)
        self._lock = threading.Lock()
        self._listing: Listing | None = None
        self._valid_until = 0.0

    def listing(self) -> Listing:
        """The runs, as they were a moment ago at most. Raises NotFound, Unreadable, Unsupported."""
        with self._lock:
            if self._listing is None or time.monotonic() >= self._valid_until:
                started = time.monotonic()
                self._listing = list_in(self._filesystem, self._path, self.shown, self._tell)
                ended = time.monotonic()
                self._valid_until = ended + max(_SHORTEST_AGE_S, _AGE_PER_WALK * (ended - started))
            return self._listing

    def holds_runs(self) -> bool:
        """Whether there is a run now. Raises as `listing`."""
        return holds_runs(self._filesystem, self._path, self._tell)

    def forget_listing(self) -> None:
        """Make the next `listing` look again."""
        with self._lock:
            self._valid_until = 0.0

    @contextmanager
    def reading(self, file: File) -> Iterator[Reader]:
        """A reader of a listed file, closed at the end of the block.

        Raises Changed where the file is not any more as it was listed, before the block or at its end: what
        the block made of it is then worth nothing. Also Unreadable, Unsupported.
        """
        reader = self._filesystem.open(file)
        try:
            yield reader
            reader.check_unchanged()
        finally:
            reader.close()

    def read(self, file: File, start: int = 0, end: int | None = None) -> bytes:
        """The bytes `start:end` of a listed file, all of them by default. Raises as `reading`."""
        with self.reading(file) as reader:
            return reader.read(start, reader.size if end is None else end)
