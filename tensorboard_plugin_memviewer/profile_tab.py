"""Joins the Profile tab: adds one script to XProf's page, which lays our page over its Memory Viewer.

Nothing of XProf is imported, and none of its classes is changed: a wrapper around the plugin instance that
TensorBoard holds returns its routes, and only answers of its HTML routes are inspected. Any answer that is
not the Profile page passes unchanged, with one warning. Knows nothing of memory, captures or our own routes.
"""

from __future__ import annotations

import gzip
import logging
import zlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_log = logging.getLogger(__name__)

_PROFILE_PLUGIN: Final = "profile"
_HTML_ROUTES: Final = ("/", "/index.html", "/local")
# Relative on purpose: right under a path prefix, an experiment's address and a proxy that strips a prefix.
_SCRIPT: Final = b'<script src="../memviewer/profile_tab.js"></script>'
_HEAD_END: Final = b"</head>"
# What makes an HTML answer the Profile page: the element that Angular fills, and the program that fills it.
_MARKS: Final = (b"<app", b"bundle.js", _HEAD_END)
# These vouch for the page as it was without the script.
_STALE: Final = frozenset({"content-length", "etag", "last-modified", "content-md5", "digest"})

_Headers = list[tuple[str, str]]


def install(context: Any, mode: str) -> bool:
    """Let the guest into the Profile tab of the TensorBoard that `context` (a TBContext) belongs to.

    `mode` is the flag `--memviewer_profile_tab`: "replace", or "off" for nothing at all. Call it when our
    plugin is made and again in its `get_plugin_apps`: by then every plugin is in the context, whichever was
    loaded first. Returns whether the guest is in; calling again is harmless.
    """
    if mode != "replace":
        return False
    profile = (getattr(context, "plugin_name_to_instance", None) or {}).get(_PROFILE_PLUGIN)
    if profile is None:
        return False
    if not isinstance(profile.get_plugin_apps, _WrappedApps):
        profile.get_plugin_apps = _WrappedApps(profile.get_plugin_apps)
    return True


class _WrappedApps:
    """Stands in for `get_plugin_apps` of one plugin instance: the same routes, the HTML ones in our layer."""

    def __init__(self, get_plugin_apps: Callable[[], dict[str, WSGIApplication]]) -> None:
        self._get_plugin_apps = get_plugin_apps

    def __call__(self) -> dict[str, WSGIApplication]:
        apps = self._get_plugin_apps()
        return {route: ScriptLayer(app) if route in _HTML_ROUTES else app for route, app in apps.items()}


class ScriptLayer:
    """WSGI layer that adds our script to the Profile page; every other answer passes unchanged."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app
        self._warned = False

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer as the wrapped app does, with the script where the answer is the Profile page."""
        if environ.get("REQUEST_METHOD") != "GET":
            return self._app(environ, start_response)
        status, headers, body = _answer(self._app, environ)
        if status.startswith("200") and _header(headers, "Content-Type").startswith("text/html"):
            try:
                body = _with_script(body, _header(headers, "Content-Encoding"))
                headers = _headers_for(headers, len(body))
            except (ValueError, OSError, EOFError, zlib.error) as error:
                self._warn(error)
        start_response(status, headers)
        return [body]

    def _warn(self, error: Exception) -> None:
        if not self._warned:
            self._warned = True
            _log.warning("The Profile tab keeps its own Memory Viewer: %s.", error)


def _answer(app: WSGIApplication, environ: WSGIEnvironment) -> tuple[str, _Headers, bytes]:
    """Status, headers and whole body of an app's answer; the pages in question are a few kilobytes."""
    started: list[tuple[str, _Headers]] = []
    chunks: list[bytes] = []

    def start_response(status: str, headers: _Headers, _exc_info: Any = None, /) -> Callable[[bytes], object]:
        started.append((status, list(headers)))
        return chunks.append

    answer = app(environ, start_response)
    try:
        chunks.extend(answer)
    finally:
        close = getattr(answer, "close", None)
        if close is not None:
            close()
    # An app may start again when it fails midway: the last start holds.
    status, headers = started[-1]
    return status, headers, b"".join(chunks)


def _with_script(body: bytes, encoding: str) -> bytes:
    """The page with the script, encoded as it came. Raises ValueError where it is not the Profile page."""
    if encoding not in ("", "identity", "gzip"):
        raise ValueError(f"its page has an unexpected encoding, {encoding!r}")
    page = gzip.decompress(body) if encoding == "gzip" else body
    missing = [mark.decode() for mark in _MARKS if mark not in page]
    if missing:
        raise ValueError(f"its page has changed, {' and '.join(missing)} not found in it")
    page = page.replace(_HEAD_END, _SCRIPT + _HEAD_END, 1)
    return gzip.compress(page, mtime=0) if encoding == "gzip" else page


def _headers_for(headers: _Headers, length: int) -> _Headers:
    kept = [(name, value) for name, value in headers if name.lower() not in _STALE]
    return [*kept, ("Content-Length", str(length))]


def _header(headers: _Headers, name: str) -> str:
    return next((value.strip().lower() for key, value in headers if key.lower() == name.lower()), "")
