"""One HTTP answer as every route gives it: ETag and 304, gzip where the client takes it, no guessed types.

Knows nothing of what the body means.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from werkzeug.wrappers import Request, Response

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

# Below this a compressed body saves less than a packet.
_WORTH_COMPRESSING = 1024
_METHODS = ("GET", "HEAD")


@dataclass(frozen=True, slots=True)
class Body:
    """Bytes to send, with what is worked out once: their ETag and gzip form (None where not smaller)."""

    content: bytes
    content_type: str
    etag: str
    gzipped: bytes | None = field(repr=False)

    @classmethod
    def of(cls, content: bytes, content_type: str, *, compressible: bool = True) -> Body:
        """Compress and hash `content` now, so that a body kept in a cache is sent without work."""
        gzipped = None
        if compressible and len(content) >= _WORTH_COMPRESSING:
            # No time stamp: equal content gives equal bytes on every machine.
            packed = gzip.compress(content, compresslevel=6, mtime=0)
            gzipped = packed if len(packed) < len(content) else None
        return cls(content, content_type, hashlib.sha256(content).hexdigest()[:32], gzipped)

    def length(self) -> int:
        """Bytes of memory that both forms take."""
        return len(self.content) + (0 if self.gzipped is None else len(self.gzipped))


def respond(
    environ: WSGIEnvironment,
    body: Body,
    *,
    status: int = 200,
    headers: Iterable[tuple[str, str]] = (),
) -> Response:
    """The response to one request: 304 where the client holds this body, else the body, gzipped if taken."""
    gzip_form = body.gzipped if _takes_gzip(Request(environ)) else None
    response = Response(
        body.content if gzip_form is None else gzip_form, status, content_type=body.content_type
    )
    if gzip_form is not None:
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Vary"] = "Accept-Encoding"
    response.headers["Cache-Control"] = "no-cache"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers.extend(list(headers))
    if status == 200:
        # A strong tag names bytes, so each encoding has its own.
        response.set_etag(body.etag if gzip_form is None else f"{body.etag}-gzip")
        response.make_conditional(environ)
    return response


def get_only(answer: Callable[[WSGIEnvironment], Response]) -> WSGIApplication:
    """A WSGI application that reads and never changes anything: other methods are refused with 405."""

    def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] in _METHODS:
            return answer(environ)(environ, start_response)
        refused = Response("Only GET is served here.\n", 405, content_type="text/plain; charset=utf-8")
        refused.headers["Allow"] = ", ".join(_METHODS)
        refused.headers["X-Content-Type-Options"] = "nosniff"
        return refused(environ, start_response)

    return app


def _takes_gzip(request: Request) -> bool:
    return request.accept_encodings["gzip"] > 0
