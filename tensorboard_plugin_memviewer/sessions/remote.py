"""Folders and files behind an fsspec URL: object stores, archives, HTTP servers, memory.

A read costs a round trip, so that what is near is read with it, in blocks, and the newest blocks are kept.
Drivers raise whatever they like; all of it becomes a typed error here, with the URL's secrets left out.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote

import fsspec
from fsspec.archive import AbstractArchiveFileSystem
from fsspec.asyn import AsyncFileSystem
from fsspec.spec import AbstractFileSystem

from tensorboard_plugin_memviewer.errors import MemviewerError, NotFound, Problem, Unsupported
from tensorboard_plugin_memviewer.sessions import file_names
from tensorboard_plugin_memviewer.sessions.filesystem import Changed, File, Folder, Reader, shown
from tensorboard_plugin_memviewer.sessions.remote_facts import is_same, modified_ns, unreachable, version

_BLOCK = 1 << 18
_KEPT_BLOCKS = 16
# A server that cannot send a part sends all of it each time: kept in memory, so bounded.
_LARGEST_WITHOUT_RANGES = 1 << 28
_DEEPEST = 64


class RemoteFiles:
    """One fsspec file system."""

    def __init__(self, driver: Any, reopen: Callable[[], Any] | None, is_web: bool) -> None:
        self._driver = driver
        self._reopen = reopen
        self._is_web = is_web

    @classmethod
    def of(cls, url: str) -> tuple[RemoteFiles, str]:
        """The file system and the path in it that a URL names. Raises Unsupported without a driver for its
        scheme.
        """

        def opened() -> Any:
            return fsspec.core.url_to_fs(url, skip_instance_cache=True)

        try:
            driver, path = opened()
        except (ImportError, ValueError) as error:
            raise Unsupported(
                f"{shown(url)} cannot be opened: {error}",
                "Install the fsspec driver of this scheme, such as gcsfs for gs:// or s3fs for s3://.",
                shown(url),
            ) from error
        except Exception as error:
            raise unreachable(url, error) from error
        protocol = driver.protocol if isinstance(driver.protocol, str) else driver.protocol[0]
        # An archive's contents are read once, when it is opened.
        reopen = (lambda: opened()[0]) if isinstance(driver, AbstractArchiveFileSystem) else None
        return cls(driver, reopen, protocol in ("http", "https")), path

    def file(self, path: str) -> File | None:
        """The file at this path; None for a folder, which a web server cannot tell but by its name."""
        if self._is_web and not file_names.is_ours(_name(path, self._is_web)):
            return None
        info = self._info(path)
        return None if info.get("type") == "directory" else self._file(path, info)

    def walk(self, root: str, wanted: Callable[[str], bool], problems: list[Problem]) -> Iterator[Folder]:
        """Every folder that holds files; a folder that cannot be listed is a problem, the root an error."""
        self._look_anew()
        folders: dict[tuple[str, ...], tuple[list[File], bool]] = {}
        for path, info in self._entries(root, problems):
            parts = self._parts(root, path)
            files, has_others = folders.get(parts[:-1], ([], False))
            if parts and wanted(parts[-1]):
                files.extend(self._listed(path, info, problems))
            else:
                has_others = True
            folders[parts[:-1]] = files, has_others
        for parts in sorted(folders):
            files, has_others = folders[parts]
            files.sort(key=lambda file: file.name)
            yield Folder("/".join([root.rstrip("/"), *parts]), parts, tuple(files), has_others)

    def open(self, file: File) -> Reader:
        """A reader of the state that was listed, as far as the server lets us tell."""
        return RemoteReader(
            self._driver, file, lambda: self._file(file.path, self._info(file.path)), self._is_web
        )

    def _look_anew(self) -> None:
        """Forget what the driver remembers of earlier listings."""
        try:
            if self._reopen is not None:
                self._driver = self._reopen()
            self._driver.invalidate_cache()
        except Exception as error:
            raise unreachable(self._driver.protocol, error) from error

    def _entries(self, root: str, problems: list[Problem]) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Every file below the root: from the driver's own flat listing if it has one, else folder by folder.

        The drivers' common `find` is not used: it takes a network that fails for an empty folder.
        """
        if _lists_flat(self._driver):
            try:
                found = self._driver.find(root, detail=True)
            except Exception as error:
                raise unreachable(root, error) from error
            if not found:
                self._info(root)
            yield from found.items()
            return
        pending = [(root, 0)]
        seen = {root.rstrip("/")}
        while pending:
            folder, depth = pending.pop()
            for info in self._entries_of(folder, problems, is_root=folder == root):
                path = str(info["name"])
                if path.rstrip("/") in seen:
                    continue
                seen.add(path.rstrip("/"))
                if info.get("type") != "directory":
                    yield path, info
                elif depth < _DEEPEST:
                    pending.append((path, depth + 1))

    def _entries_of(self, folder: str, problems: list[Problem], is_root: bool) -> list[Mapping[str, Any]]:
        try:
            return list(self._driver.ls(folder, detail=True))
        except Exception as error:
            typed = unreachable(folder, error)
            if is_root:
                raise typed from error
            problems.append(typed.as_problem())
            return []

    def _listed(self, path: str, info: Mapping[str, Any], problems: list[Problem]) -> Iterator[File]:
        """The file of a listing's entry, asked for singly where the listing has no size, as on the web."""
        try:
            yield self._file(path, info if info.get("size") is not None else self._info(path))
        except MemviewerError as error:
            problems.append(error.as_problem())

    def _info(self, path: str) -> Mapping[str, Any]:
        try:
            self._driver.invalidate_cache(self._driver._parent(path))
            info: Mapping[str, Any] = self._driver.info(path)
        except Exception as error:
            raise unreachable(path, error) from error
        return info

    def _file(self, path: str, info: Mapping[str, Any]) -> File:
        if info.get("size") is None:
            raise Unsupported(
                f"{shown(path)}: the server does not tell its size", "Copy it here first.", shown(path)
            )
        return File(path, _name(path, self._is_web), int(info["size"]), modified_ns(info), version(info))

    def _parts(self, root: str, path: str) -> tuple[str, ...]:
        below = path.removeprefix(root.rstrip("/")).strip("/")
        return tuple(unquote(part) if self._is_web else part for part in below.split("/") if part)


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
                f"{shown(self._file.path)} is {self._file.size} bytes and its server sends no part of it",
                "Copy it here first, or serve it by a server that answers range requests.",
                shown(self._file.path),
            )
        return bytes(self._driver.cat_file(self._file.path))


def _name(path: str, is_web: bool) -> str:
    """The last part of a path, as text: the web quotes it."""
    name = path.rstrip("/").rsplit("/", 1)[-1]
    return unquote(name.partition("?")[0]) if is_web else name


def _lists_flat(driver: Any) -> bool:
    """Whether the driver brings a recursive listing of its own, as object stores do."""
    kind = type(driver)
    is_common = kind.find is AbstractFileSystem.find
    if isinstance(driver, AsyncFileSystem):
        is_common = kind._find is AsyncFileSystem._find
    return not is_common
