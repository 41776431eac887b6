"""One file behind an fsspec driver, read by range through blocks, of which the newest are kept.

A read costs a round trip, so that what is near is read with it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from tensorboard_plugin_memviewer.errors import MemviewerError, NotFound, Unsupported
from tensorboard_plugin_memviewer.sessions.filesystem import Changed, File
from tensorboard_plugin_memviewer.sessions.remote_facts import is_same, unreachable
from tensorboard_plugin_memviewer.sessions.url_secrets import shown

_BLOCK = 1 << 18
_KEPT_BLOCKS = 16
# A server that cannot send a part sends all of it each time: kept in memory, so bounded.
_LARGEST_WITHOUT_RANGES = 1 << 28


class RemoteReader:
    """Reads by range through blocks; the newest are kept."""

    def __init__(self, driver: Any, file: File, look_again: Callable[[], File], is_web: bool) -> None:
        self._driver = driver
        self._file = file
        self._look_again = look_again
        self._is_web = is_web
        self._lock = threading.Lock()
        self._blocks: OrderedDict[int, bytes] = OrderedDict()
        self._whole: bytes | None = None
        self._handle: Any = None
        self.check_unchanged()

    @property
    def size(self) -> int:
        """Bytes of the file as it was listed."""
        return self._file.size

    def read(self, start: int, end: int) -> bytes:
        """The bytes `start:end`; a long range is fetched at once, a short one with its block."""
        end = min(end, self._file.size)
        if start >= end:
            return b""
        with self._lock:
            if end - start > 4 * _BLOCK:
                return self._fetch(start, end)
            first, last = start // _BLOCK, (end - 1) // _BLOCK
            data = b"".join(self._block(number) for number in range(first, last + 1))
        return data[start - first * _BLOCK : end - first * _BLOCK]

    def check_unchanged(self) -> None:
        """Ask the server again; where it gives neither time nor mark, only the size is compared."""
        try:
            now = self._look_again()
        except NotFound as error:
            raise Changed(self._file.path) from error
        if not is_same(self._file, now):
            raise Changed(self._file.path)

    def close(self) -> None:
        """Forget what was read."""
        with self._lock:
            self._blocks.clear()
            self._whole = None
            if self._handle is not None:
                self._handle.close()
                self._handle = None

    def _block(self, number: int) -> bytes:
        block = self._blocks.get(number)
        if block is None:
            start = number * _BLOCK
            block = self._blocks[number] = self._fetch(start, min(start + _BLOCK, self._file.size))
            if len(self._blocks) > _KEPT_BLOCKS:
                self._blocks.popitem(last=False)
        else:
            self._blocks.move_to_end(number)
        return block

    def _fetch(self, start: int, end: int) -> bytes:
        if self._whole is None:
            try:
                data = self._fetch_range(start, end)
            except MemviewerError:
                raise
            except Exception as error:
                raise unreachable(self._file.path, error) from error
            if len(data) == end - start:
                return data
            if len(data) != self._file.size:
                raise Changed(self._file.path)
            self._whole = data
        return self._whole[start:end]

    def _fetch_range(self, start: int, end: int) -> bytes:
        """One range, or the whole file from a server that cannot send less.

        Object stores serve ranges as such; archives would start from the beginning each time without a
        handle, and only a handle notices, before it has read it all, that a web server ignores ranges.
        """
        if self._driver.async_impl and not self._is_web:
            return bytes(self._driver.cat_file(self._file.path, start=start, end=end))
        if self._handle is None:
            self._handle = self._driver.open(self._file.path, "rb", cache_type="none")
        try:
            self._handle.seek(start)
            return bytes(self._handle.read(end - start))
        except ValueError:
            if not self._is_web:
                raise
            return self._fetch_whole()

    def _fetch_whole(self) -> bytes:
        if self._file.size > _LARGEST_WITHOUT_RANGES:
            raise Unsupported(
                f"{shown(self._file.path)} is {self._file.size} bytes, and its server does not support range"
                " requests",
                "Copy it here first, or use a server that supports range requests.",
                shown(self._file.path),
            )
        return bytes(self._driver.cat_file(self._file.path))
