"""The built page as routes, one for each file there is at the start: no path of a request is ever opened.

Knows nothing of what the page does. The policy below is the page's own; TensorBoard's is wider.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from werkzeug.wrappers import Request

from tensorboard_plugin_memviewer.web.responses import Answer, WsgiApp, application, etag_of, gzipped

STATIC_FOLDER: Final = Path(__file__).resolve().parent.parent / "static"

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'self'; object-src 'none'; base-uri 'self'; script-src 'self'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:"
)
_HEADERS: Final = (("Content-Security-Policy", CONTENT_SECURITY_POLICY),)

# By suffix, not from the machine's registry of types, which on Windows may call scripts text/plain.
_CONTENT_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".map": "application/json; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}


def make_static_apps(folder: Path = STATIC_FOLDER) -> dict[str, WsgiApp]:
    """Route ("/page.html") to application, for every file below `folder` whose type is known.

    Empty where the folder is not there: an installation without its page.
    """
    files = (path for path in sorted(folder.rglob("*")) if path.suffix in _CONTENT_TYPES and path.is_file())
    return {
        f"/{path.relative_to(folder).as_posix()}": application(_StaticFile(path).answer) for path in files
    }


class _StaticFile:
    """One file, read when it is first asked for and again when it has changed, as it does in development."""

    def __init__(self, path: Path) -> None:
        self._path = path
        # State and answer in one tuple, replaced whole: threads see an old pair or a new one.
        self._known: tuple[tuple[int, int], Answer] | None = None

    def answer(self, request: Request) -> Answer:
        """The file as it is now."""
        del request
        status = self._path.stat()
        state = (status.st_mtime_ns, status.st_size)
        known = self._known
        if known is None or known[0] != state:
            known = self._known = (state, self._read())
        return known[1]

    def _read(self) -> Answer:
        content = self._path.read_bytes()
        return Answer(gzipped(content), etag_of(content), _CONTENT_TYPES[self._path.suffix], _HEADERS)
