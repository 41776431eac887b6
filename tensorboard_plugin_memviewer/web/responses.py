"""Answers as HTTP: gzip where accepted, ETag and 304, JSON, typed errors, a bug logged with its traceback."""

from __future__ import annotations

import gzip
import hashlib
import json
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from werkzeug.wrappers import Request, Response

from tensorboard_plugin_memviewer.errors import MemviewerError
from tensorboard_plugin_memviewer.wire.problems import fault as fault_record

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

_log = logging.getLogger(__name__)

# The payloads are integers as text: level 4 is within a few percent of 9 at a fraction of the time.
GZIP_LEVEL = 4
_JSON = "application/json; charset=utf-8"
_METHODS = ("GET", "HEAD")

WsgiApp = Callable[["WSGIEnvironment", "StartResponse"], Iterable[bytes]]


@dataclass(frozen=True, slots=True)
class Answer:
    """A body to be sent, gzipped already, with its ETag and headers of its own (such as a policy)."""

    gzipped: bytes
    etag: str
    content_type: str = _JSON
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def size_bytes(self) -> int:
        """Memory that it takes in a cache."""
        return len(self.gzipped) + 500


def json_bytes(value: Any) -> bytes:
    """Compact JSON in UTF-8. Names in a capture may hold lone surrogates: those go as escapes."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()


def gzipped(body: bytes) -> bytes:
    """The body compressed, without a time stamp: the same bytes each time."""
    return gzip.compress(body, GZIP_LEVEL, mtime=0)


def json_answer(value: Any) -> Answer:
    """A JSON answer with the hash of its body as ETag."""
    body = json_bytes(value)
    return Answer(gzipped(body), etag_of(body))


def etag_of(*parts: bytes) -> str:
    """A hash of what an answer was made from."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()


def application(handler: Callable[[Request], Answer]) -> WsgiApp:
    """A WSGI application around a handler; GET and HEAD only; typed errors become JSON."""

    def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        return _respond(handler, Request(environ))(environ, start_response)

    return app


def _respond(handler: Callable[[Request], Answer], request: Request) -> Response:
    if request.method not in _METHODS:
        response = fault(405, "bad_method", "only GET is supported", "No request changes anything.")
        response.headers["Allow"] = ", ".join(_METHODS)
        return response
    try:
        return _send(request, handler(request))
    except MemviewerError as error:
        return fault(error.status, error.code, error.message, error.advice, error.path)
    except Exception:
        _log.exception("The Memory Viewer failed at %s", request.path)
        message = "internal error in the Memory Viewer"
        return fault(500, "internal", message, "The server's log has the details: please report it.")


def _send(request: Request, answer: Answer) -> Response:
    as_gzip = request.accept_encodings.quality("gzip") > 0
    # A strong tag names bytes, so each encoding has its own.
    etag = f"{answer.etag}-gzip" if as_gzip else answer.etag
    response = Response(status=200, content_type=answer.content_type)
    response.set_etag(etag)
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Vary"] = "Accept-Encoding"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers.extend(list(answer.headers))
    if request.if_none_match.contains_weak(etag):
        response.status_code = 304
    elif as_gzip:
        response.headers["Content-Encoding"] = "gzip"
        response.set_data(answer.gzipped)
    else:
        response.set_data(gzip.decompress(answer.gzipped))
    return response


def fault(status: int, code: str, message: str, advice: str, path: str | None = None) -> Response:
    """An error as JSON; never cached."""
    body = json_bytes(fault_record(code, message, advice, path))
    response = Response(body, status=status, content_type=_JSON)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response
