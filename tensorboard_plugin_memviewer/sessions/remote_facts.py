"""What fsspec's drivers say of a file and of a failure, each in its own words, in ours."""

from __future__ import annotations

import datetime
import email.utils
from collections.abc import Mapping
from typing import Any

from tensorboard_plugin_memviewer.errors import MemviewerError, NotFound, Unsupported
from tensorboard_plugin_memviewer.sessions.filesystem import Unreadable, shown

_VERSIONS = (
    "ETag", "etag", "md5Hash", "content_md5", "Content-MD5", "generation", "VersionId", "CRC", "checksum",
    "LastModified", "Last-Modified", "last_modified", "updated", "mtime", "modified", "created", "date_time",
)  # fmt: skip
_TIMES = (
    "LastModified",
    "Last-Modified",
    "last_modified",
    "updated",
    "mtime",
    "modified",
    "created",
    "date_time",
)


def version(info: Mapping[str, Any]) -> str:
    """Everything that the driver gives that changes with the content."""
    return ";".join(f"{key}={info[key]}" for key in _VERSIONS if info.get(key) is not None)


def modified_ns(info: Mapping[str, Any]) -> int | None:
    """When the file was written, Unix nanoseconds, or None."""
    for key in _TIMES:
        moment = _moment(info.get(key))
        if moment is not None:
            return int(moment.timestamp()) * 1_000_000_000
    return None


def unreachable(path: str, error: Exception) -> MemviewerError:
    """A driver's failure as a typed error; secrets in the URL are left out."""
    where = shown(path)
    if isinstance(error, MemviewerError):
        return error
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return NotFound(f"{where} does not exist", "Check the address, or list again.", where)
    if isinstance(error, ImportError):
        return Unsupported(
            f"{where} cannot be opened: {error}", "Install the driver that the message names.", where
        )
    if isinstance(error, PermissionError):
        return Unreadable(f"{where} may not be read", "Check the credentials for it on this machine.", where)
    reason = str(error).replace(path, where).splitlines()
    return Unreadable(
        f"{where} cannot be read: {type(error).__name__}{': ' + reason[0] if reason else ''}",
        "Check the network and the credentials of this machine, and try again.",
        where,
    )


def _moment(value: object) -> datetime.datetime | None:
    """A moment in any of the drivers' forms, or None."""
    try:
        if isinstance(value, (int, float)):
            return datetime.datetime.fromtimestamp(value, datetime.timezone.utc)
        if isinstance(value, tuple):
            year, month, day, hour, minute, second = value
            return datetime.datetime(year, month, day, hour, minute, second, tzinfo=datetime.timezone.utc)
        if isinstance(value, str):
            is_http = "," in value
            return (
                email.utils.parsedate_to_datetime(value)
                if is_http
                else datetime.datetime.fromisoformat(value)
            )
    except (ValueError, OverflowError, OSError, TypeError):
        return None
    return value if isinstance(value, datetime.datetime) else None
