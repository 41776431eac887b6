"""Folders and files behind an fsspec URL: object stores, archives, HTTP servers, memory.

Drivers raise whatever they like; all of it becomes a typed error here, with the URL's secrets left out.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote

import fsspec
from fsspec.archive import AbstractArchiveFileSystem
from fsspec.asyn import AsyncFileSystem
from fsspec.spec import AbstractFileSystem

from tensorboard_plugin_memviewer.errors import MemviewerError, NotFound, Problem, Unsupported
from tensorboard_plugin_memviewer.sessions import file_names
from tensorboard_plugin_memviewer.sessions.filesystem import File, Folder, Reader
from tensorboard_plugin_memviewer.sessions.remote_facts import modified_ns, unreachable, version
from tensorboard_plugin_memviewer.sessions.remote_reader import RemoteReader
from tensorboard_plugin_memviewer.sessions.url_secrets import prefix_of, shown, without_secrets

_DEEPEST = 64

# Drivers log what they also raise, with tracebacks. Without a handler of their own these would go to stderr
# where the program has set up no logging, before our message; where it has, they still arrive.
for _name_of_driver in ("adlfs", "aiobotocore", "asyncio", "fsspec", "gcsfs", "google.auth", "s3fs"):
    logging.getLogger(_name_of_driver).addHandler(logging.NullHandler())


class RemoteFiles:
    """One fsspec file system."""

    def __init__(
        self, driver: Any, reopen: Callable[[], Any] | None, is_web: bool, root: str | None = None
    ) -> None:
        self._driver = driver
        self._reopen = reopen
        self._is_web = is_web
        # Paths on the web are URLs; outside of here they have no secrets, and this is how to get them back.
        self._root = root
        self._hidden: dict[str, str] = {} if root is None else {shown(root): root}

    @classmethod
    def of(cls, url: str) -> tuple[RemoteFiles, str]:
        """The file system and the path in it that a URL names. Raises Unsupported without a driver for it."""

        def opened() -> Any:
            return fsspec.core.url_to_fs(url, skip_instance_cache=True)

        try:
            driver, path = opened()
        except (ImportError, ValueError) as error:
            raise _without_driver(url, error) from error
        except IsADirectoryError as error:
            # What an archive driver raises that got no archive: the current folder.
            if "::" in url:
                raise unreachable(url, error) from error
            raise _without_archive(url) from error
        except Exception as error:
            raise unreachable(url, error) from error
        protocol = driver.protocol if isinstance(driver.protocol, str) else driver.protocol[0]
        # An archive's contents are read once, when it is opened.
        reopen = (lambda: opened()[0]) if isinstance(driver, AbstractArchiveFileSystem) else None
        is_web = protocol in ("http", "https")
        return cls(driver, reopen, is_web, path if is_web else None), shown(path) if is_web else path

    def file(self, path: str) -> File | None:
        """The file at this path; None for a folder, which a web server cannot tell but by its name."""
        if self._is_web and not _is_file(_name(path, self._is_web)):
            return None
        path = self._whole(path)
        info = self._info(path)
        return None if info.get("type") == "directory" else self._file(path, info)

    def walk(self, root: str, wanted: Callable[[str], bool], problems: list[Problem]) -> Iterator[Folder]:
        """Every folder that holds files; a folder that cannot be listed is a problem, the root an error."""
        root = self._whole(root)
        self._look_anew(root)
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
            yield Folder("/".join([self._shown(root).rstrip("/"), *parts]), parts, tuple(files), has_others)

    def open(self, file: File) -> Reader:
        """A reader of the state that was listed, as far as the server lets us tell."""
        path = self._whole(file.path)
        return RemoteReader(
            self._driver,
            file._replace(path=path),
            lambda: self._file(path, self._info(path)),
            self._is_web,
        )

    def _shown(self, path: str) -> str:
        """A path of the driver as it leaves this class: a URL of the web without its secrets."""
        if not self._is_web:
            return path
        public = shown(path)
        if public != path:
            self._hidden[public] = path
        return public

    def _whole(self, path: str) -> str:
        """The path that `_shown` made shorter."""
        if self._root is None or path in self._hidden:
            return self._hidden.get(path, path)
        secret = prefix_of(self._root)
        public = shown(secret)
        return secret + path.removeprefix(public) if path.startswith(public) else path

    def _unreachable(self, path: str, error: Exception) -> MemviewerError:
        return unreachable(path if self._is_web else self._driver.unstrip_protocol(path), error)

    def _look_anew(self, root: str) -> None:
        """Forget what the driver remembers of earlier listings."""
        try:
            if self._reopen is not None:
                self._driver = self._reopen()
            self._driver.invalidate_cache()
        except Exception as error:
            raise self._unreachable(root, error) from error

    def _entries(self, root: str, problems: list[Problem]) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Every file below the root: from the driver's own flat listing if it has one, else folder by folder.

        The drivers' common `find` is not used: it takes a network that fails for an empty folder.
        """
        if _lists_flat(self._driver):
            try:
                found = self._driver.find(root, detail=True)
            except Exception as error:
                raise self._unreachable(root, error) from error
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
            typed = self._unreachable(folder, error)
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
            raise self._unreachable(path, error) from error
        return info

    def _file(self, path: str, info: Mapping[str, Any]) -> File:
        if info.get("size") is None:
            raise Unsupported(
                f"{shown(path)}: the server does not report its size", "Copy it here first.", shown(path)
            )
        return File(
            self._shown(path), _name(path, self._is_web), int(info["size"]), modified_ns(info), version(info)
        )

    def _parts(self, root: str, path: str) -> tuple[str, ...]:
        below = path.removeprefix(root.rstrip("/")).strip("/")
        return tuple(unquote(part) if self._is_web else part for part in below.split("/") if part)


def _without_archive(url: str) -> NotFound:
    scheme, _, place = shown(url).partition("://")
    return NotFound(
        f"{shown(url)} names no archive",
        f"Put the archive behind ::, such as {scheme}://::{place or 'FILE'}, and a folder in it before: "
        f"{scheme}://FOLDER::{place or 'FILE'}.",
        shown(url),
    )


def _without_driver(url: str, error: Exception) -> Unsupported:
    reason = without_secrets(str(error), url)
    known = isinstance(error, ImportError) or reason.startswith("Protocol not known")
    return Unsupported(
        f"{shown(url)} cannot be opened{': ' + reason if reason else ''}",
        "Install the fsspec driver of this scheme, such as gcsfs for gs:// or s3fs for s3://."
        if known
        else "Check how the address is written: special characters of a password must be percent-encoded.",
        shown(url),
    )


def _name(path: str, is_web: bool) -> str:
    """The last part of a path, as text: the web quotes it."""
    name = path.rstrip("/").rsplit("/", 1)[-1]
    return unquote(name.partition("?")[0]) if is_web else name


def _is_file(name: str) -> bool:
    return file_names.is_ours(name) or file_names.may_be_file(name)


def _lists_flat(driver: Any) -> bool:
    """Whether the driver brings a recursive listing of its own, as object stores do."""
    kind = type(driver)
    is_common = kind.find is AbstractFileSystem.find
    if isinstance(driver, AsyncFileSystem):
        is_common = kind._find is AsyncFileSystem._find
    return not is_common
