"""Folders and files of the local disk, by os.scandir and positional reads.

Symbolic links are followed, as TensorBoard follows them: who can make a link in a logdir can as well put a
file there. A link to a folder above itself is not entered. Files are not mapped into memory: a file that is
cut short while it is mapped would kill the process.
"""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from tensorboard_plugin_memviewer.errors import NotFound, Problem
from tensorboard_plugin_memviewer.sessions.filesystem import Changed, File, Folder, Reader, Unreadable

# Links may lead to the same folder again and again; in a tree of links that is exponential.
_MOST_VISITS_OF_ONE_FOLDER = 4
_DEEPEST = 64
_LONGEST_READ = 1 << 30
# Since it was listed a file may have become a pipe, whose opening would wait for a writer.
_OPEN = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)


class LocalFiles:
    """The local file system."""

    @staticmethod
    def path(location: str) -> str:
        """The absolute path of what a user wrote: relative, or from a home folder."""
        return str(Path(location).expanduser().absolute())

    def file(self, path: str) -> File | None:
        """The regular file at this path; None for a folder."""
        try:
            found = Path(path).stat()
        except (OSError, ValueError) as error:
            raise _unreachable(path, error) from error
        if stat.S_ISDIR(found.st_mode):
            return None
        if not stat.S_ISREG(found.st_mode):
            raise NotFound(f"{path} is neither a file nor a folder", "Give a logdir or a capture.", path)
        return _file(path, Path(path).name, found)

    def walk(self, root: str, wanted: Callable[[str], bool], problems: list[Problem]) -> Iterator[Folder]:
        """Every folder from `root` down, parents first, names in order; links followed, loops not."""
        visits: dict[tuple[int, int], int] = {}
        pending: list[tuple[str, tuple[str, ...], tuple[tuple[int, int], ...]]] = [(root, (), ())]
        while pending:
            path, parts, above = pending.pop()
            try:
                here = _identity(os.stat(path))  # noqa: PTH116 - ten thousand paths stay text
                entries = sorted(os.scandir(path), key=lambda entry: entry.name)
            except OSError as error:
                problems.append(_unreachable(path, error).as_problem())
                continue
            visits[here] = visits.get(here, 0) + 1
            if here in above or len(above) >= _DEEPEST or visits[here] > _MOST_VISITS_OF_ONE_FOLDER:
                continue
            files, folders, has_others = _sort_out(entries, wanted)
            yield Folder(path, parts, tuple(files), has_others)
            pending.extend((entry.path, (*parts, entry.name), (*above, here)) for entry in reversed(folders))

    def open(self, file: File) -> Reader:
        """A reader of the state that was listed."""
        return LocalReader(file)


class LocalReader:
    """Positional reads of one open file."""

    def __init__(self, file: File) -> None:
        self._file = file
        try:
            self._descriptor = os.open(file.path, _OPEN)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise Changed(file.path) from error
        except (OSError, ValueError) as error:
            raise _unreachable(file.path, error) from error
        self._seeking = threading.Lock()
        try:
            self.check_unchanged()
        except Changed:
            self.close()
            raise

    @property
    def size(self) -> int:
        """Bytes of the file as it was listed."""
        return self._file.size

    def read(self, start: int, end: int) -> bytes:
        """The bytes `start:end`."""
        pieces = []
        position, stop = start, min(end, self._file.size)
        while position < stop:
            piece = self._read_once(position, min(stop - position, _LONGEST_READ))
            if not piece:
                raise Changed(self._file.path)
            pieces.append(piece)
            position += len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def check_unchanged(self) -> None:
        """Asks the open file, not the path: one that was replaced under its name stays readable whole."""
        found = os.fstat(self._descriptor)
        if not stat.S_ISREG(found.st_mode) or _file("", "", found).key[1:] != self._file.key[1:]:
            raise Changed(self._file.path)

    def close(self) -> None:
        """Close the file."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _read_once(self, position: int, length: int) -> bytes:
        try:
            if hasattr(os, "pread"):
                return os.pread(self._descriptor, length, position)
            with self._seeking:
                os.lseek(self._descriptor, position, os.SEEK_SET)
                return os.read(self._descriptor, length)
        except OSError as error:
            raise _unreachable(self._file.path, error) from error


def _sort_out(
    entries: list[os.DirEntry[str]], wanted: Callable[[str], bool]
) -> tuple[list[File], list[os.DirEntry[str]], bool]:
    """The wanted regular files, the folders, and whether there is anything else."""
    files = []
    folders = []
    has_others = False
    for entry in entries:
        try:
            if entry.is_dir():
                folders.append(entry)
            elif wanted(entry.name) and stat.S_ISREG((found := entry.stat()).st_mode):
                files.append(_file(entry.path, entry.name, found))
            else:
                has_others = True
        except OSError:
            # A dangling link, or deleted since the folder was listed.
            has_others = True
    return files, folders, has_others


def _file(path: str, name: str, found: os.stat_result) -> File:
    # The inode tells a file from one that replaced it within the clock's grain.
    version = f"{found.st_mtime_ns:x}-{found.st_ino:x}"
    return File(path, name, found.st_size, found.st_mtime_ns, version)


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _unreachable(path: str, error: Exception) -> NotFound | Unreadable:
    if isinstance(error, (FileNotFoundError, NotADirectoryError, ValueError)):
        return NotFound(f"{path} does not exist", "Check the path.", path)
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return Unreadable(f"{path} cannot be read: {reason}", "Check its permissions and its disk.", path)
