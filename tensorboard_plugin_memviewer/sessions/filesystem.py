"""What the rest of this room asks of a file system, local or remote, and the choice between the two.

A `File` is what was seen when its folder was listed; `open` gives a `Reader` of exactly that content or
raises `Changed`, so that an answer is never made from two states of a file. Nothing here, or below, ever
writes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

from tensorboard_plugin_memviewer.errors import MemviewerError, Problem
from tensorboard_plugin_memviewer.sessions.url_secrets import shown


class Changed(MemviewerError):
    """A file is not any more what the listing saw: list again and retry."""

    code = "changed"
    status = 422

    def __init__(self, path: str) -> None:
        super().__init__(
            f"{shown(path)} changed while it was read, or is gone",
            "It is being written, or was replaced. Try again when it is whole.",
            shown(path),
        )


class Unreadable(MemviewerError):
    """A file or folder is there, as far as we know, but its system does not let us read it."""

    code = "unreadable"
    status = 422


class File(NamedTuple):
    """A file as it was listed: `size` in bytes, `modified_ns` in Unix nanoseconds or None where the system
    has none.

    `version` is opaque and differs whenever the content may differ; `key` identifies the content in a cache.
    """

    path: str
    name: str
    size: int
    modified_ns: int | None
    version: str

    @property
    def key(self) -> tuple[str, int, str]:
        """Path, size and version."""
        return self.path, self.size, self.version


class Folder(NamedTuple):
    """One folder of a walk: names below the root, the wanted files by name, and whether it holds others."""

    path: str
    parts: tuple[str, ...]
    files: tuple[File, ...]
    has_others: bool

    def above(self, levels: int) -> Folder:
        """The folder so many levels up, without its files."""
        path = self.path.rsplit(self._separator, levels)[0] if levels else self.path
        return Folder(path, self.parts[: len(self.parts) - levels], (), True)

    @property
    def path_parts(self) -> list[str]:
        """The names in the whole path, those above the root too."""
        return self.path.split(self._separator)

    @property
    def _separator(self) -> str:
        """Only a Windows path has no slash at all; elsewhere a backslash is a letter."""
        return "/" if "/" in self.path else "\\"


class Reader(Protocol):
    """One state of one file, read by ranges. Safe to use from several threads."""

    @property
    def size(self) -> int:
        """Bytes of the file as it was listed."""
        ...

    def read(self, start: int, end: int) -> bytes:
        """The bytes `start:end`. Raises Changed where the file has become shorter, Unreadable."""
        ...

    def check_unchanged(self) -> None:
        """Raise Changed unless the file is still in the state that was opened."""
        ...

    def close(self) -> None:
        """Let go of the file; reading is over."""
        ...


class FileSystem(Protocol):
    """Where a logdir lies."""

    def file(self, path: str) -> File | None:
        """The file at this path; None for a folder. Raises NotFound, Unreadable."""
        ...

    def walk(self, root: str, wanted: Callable[[str], bool], problems: list[Problem]) -> Iterator[Folder]:
        """Every folder from `root` down, in one pass; what cannot be read becomes a problem, not an error."""
        ...

    def open(self, file: File) -> Reader:
        """Raises Changed, NotFound, Unreadable, Unsupported."""
        ...


def filesystem_for(location: str) -> tuple[FileSystem, str]:
    r"""The file system of a path or fsspec URL, and the path within it.

    A scheme has at least two letters, so that `C:\logs` is a path.
    Raises Unsupported where the URL's scheme has no installed driver.
    """
    if location.startswith("file://") and "::" not in location:
        location = location.removeprefix("file://")
    if re.match(r"[A-Za-z][A-Za-z0-9+.\-]+(://|::)", location):
        # fsspec takes longer to import than a large capture takes to scan.
        from tensorboard_plugin_memviewer.sessions.remote import RemoteFiles  # noqa: PLC0415

        return RemoteFiles.of(location)
    from tensorboard_plugin_memviewer.sessions.local import LocalFiles  # noqa: PLC0415

    return LocalFiles(), LocalFiles.path(location)
