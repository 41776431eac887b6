"""The file system that a location names: the local disk, or one behind an fsspec driver."""

from __future__ import annotations

import re

from tensorboard_plugin_memviewer.sessions.filesystem import FileSystem
from tensorboard_plugin_memviewer.sessions.local import LocalFiles


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
    return LocalFiles(), LocalFiles.path(location)
