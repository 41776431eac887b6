"""Translates the files and failures that fsspec's drivers report, each in its own form."""

from __future__ import annotations

import datetime
import email.utils
from collections.abc import Mapping
from typing import Any

from tensorboard_plugin_memviewer.errors import MemviewerError, NotFound, Unsupported
from tensorboard_plugin_memviewer.sessions.filesystem import File, Unreadable
from tensorboard_plugin_memviewer.sessions.url_secrets import shown, without_secrets

_MARKS = (
    "ETag",
    "etag",
    "md5Hash",
    "content_md5",
    "Content-MD5",
    "generation",
    "VersionId",
    "CRC",
    "checksum",
)
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
    """Everything that the driver gives that changes with the content, a line each."""
    marks = {key: str(info[key]) for key in _MARKS if info.get(key) is not None}
    times = {key: moment.isoformat() for key in _TIMES if (moment := _moment(info.get(key))) is not None}
    return "\n".join(f"{key}={value!r}" for key, value in (marks | times).items())


def modified_ns(info: Mapping[str, Any]) -> int | None:
    """When the file was written, Unix nanoseconds, or None."""
    for key in _TIMES:
        moment = _moment(info.get(key))
        if moment is not None:
            return int(moment.timestamp() * 1000) * 1_000_000
    return None


def is_same(listed: File, now: File) -> bool:
    """Whether two looks at a file saw one state.

    A listing may tell more or less than a question for the single file: what only one tells is not compared.
    """
    before, after = (dict(line.split("=", 1) for line in file.version.splitlines()) for file in (listed, now))
    return listed.size == now.size and all(before[key] == after[key] for key in before.keys() & after.keys())


def unreachable(path: str, error: Exception) -> MemviewerError:
    """A driver's failure as a typed error; secrets in the URL are left out."""
    where = shown(path)
    if isinstance(error, MemviewerError):
        return error
    # A web driver calls every failure a file that is not found; what failed stands behind it.
    if isinstance(error, FileNotFoundError) and isinstance(error.__cause__, (OSError, TimeoutError)):
        error = error.__cause__
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return NotFound(f"{where} does not exist", "Check the address.", where)
    if isinstance(error, ImportError):
        return Unsupported(
            f"{where} cannot be opened: {without_secrets(str(error), path)}",
            "Install the driver that the message names.",
            where,
        )
    if isinstance(error, PermissionError):
        return Unreadable(
            f"{where} cannot be read: access denied", "Check the credentials for it on this machine.", where
        )
    reason = without_secrets(str(error), path).splitlines()
    return Unreadable(
        f"{where} cannot be read: {type(error).__name__}{': ' + reason[0] if reason else ''}",
        "Check the network and the credentials of this machine, and try again.",
        where,
    )


def _moment(value: object) -> datetime.datetime | None:
    """A moment in any of the drivers' forms, or None; one that names no time zone is in UTC."""
    try:
        moment = _read_moment(value)
    except (ValueError, OverflowError, OSError, TypeError):
        return None
    if moment is None or moment.tzinfo is not None:
        return moment
    return moment.replace(tzinfo=datetime.timezone.utc)


def _read_moment(value: object) -> datetime.datetime | None:
    if isinstance(value, (int, float)):
        return datetime.datetime.fromtimestamp(value, datetime.timezone.utc)
    if isinstance(value, tuple):
        year, month, day, hour, minute, second = value
        return datetime.datetime(year, month, day, hour, minute, second)
    if isinstance(value, str) and "," in value:
        return email.utils.parsedate_to_datetime(value)
    if isinstance(value, str):
        # Python 3.10 does not know Z, which object stores write.
        return datetime.datetime.fromisoformat(value[:-1] + "+00:00" if value.endswith("Z") else value)
    return value if isinstance(value, datetime.datetime) else None
