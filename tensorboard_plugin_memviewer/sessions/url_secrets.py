"""Removes from URLs what must not be printed: user names, passwords, tokens, signatures.

A URL that is not well formed is read as a person meant it: a password may hold any character. Where it is
not clear whether something is a secret, it is left out.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*://")
# Where the next URL of a chain begins, as in zip://inner::https://host/x.zip.
_LINK = re.compile(r"::(?=[A-Za-z][A-Za-z0-9+.\-]*(?:://|::)|[/.~]|[A-Za-z]:[/\\]|$)")
_AFTER_AUTHORITY = re.compile(r"[/?#]")
_AFTER_PATH = re.compile(r"[?#]")
# A name without a dot and with a port may as well be a user with a password.
_PLAINLY_A_HOST = re.compile(r"(?:\[[^\[\]@]*\]|localhost|[^:@\[\]]*\.[^:@\[\]]*)(?::[0-9]*)?")
_SHORTEST_SECRET = 3


class _Parts(NamedTuple):
    """One URL: scheme with "://", user and password with "@", host and path, and the rest from ? or #."""

    scheme: str
    user: str
    place: str
    rest: str


def shown(path: str) -> str:
    """The path or URL as it may be shown, each URL of a chain without user, password, query and fragment."""
    return "::".join(_shown(link) for link in _LINK.split(path))


def without_secrets(text: str, url: str) -> str:
    """`text`, which some library wrote about `url`, as it may be shown; "" where it holds a secret."""
    text = text.replace(url, shown(url))
    secrets = (part for link in _LINK.split(url) for part in _secrets(link))
    return "" if any(secret in text for secret in secrets) else text


def prefix_of(url: str) -> str:
    """The URL up to its host, user and password included; "" for a path."""
    parts = _parts(url)
    return (
        ""
        if parts is None
        else parts.scheme + parts.user + _AFTER_AUTHORITY.split(parts.place, maxsplit=1)[0]
    )


def _shown(link: str) -> str:
    parts = _parts(link)
    return link if parts is None else parts.scheme + parts.place


def _secrets(link: str) -> list[str]:
    parts = _parts(link)
    words = [] if parts is None else re.split(r"[:/@?#&=]", parts.user + parts.rest)
    return [word for word in words if len(word) >= _SHORTEST_SECRET]


def _parts(link: str) -> _Parts | None:
    scheme = _SCHEME.match(link)
    if scheme is None or scheme[0] == "file://":
        return None
    after = link[scheme.end() :]
    user = _before_host(after)
    place = _AFTER_PATH.split(after[len(user) :], maxsplit=1)[0]
    return _Parts(scheme[0], user, place, after[len(user) + len(place) :])


def _before_host(after: str) -> str:
    """Of what follows the scheme, what stands before the host, its @ included."""
    authority = _AFTER_AUTHORITY.split(after, maxsplit=1)[0]
    user, at, host = authority.rpartition("@")
    if _PLAINLY_A_HOST.fullmatch(host):
        return user + at
    path = _AFTER_PATH.split(after, maxsplit=1)[0]
    # Then the authority may have ended within a password.
    unclear = ":" in host or path == authority
    before, last, _ = (after if unclear else path).rpartition("@")
    if not at and not unclear and ":" not in before:
        return ""  # gs://bucket/logs@v1
    return before + last
