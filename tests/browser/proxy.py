"""A reverse proxy as notebooks and clusters have it: serves under a prefix, passes requests on without it."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from tests.patience import PATIENCE_S

_OF_THE_CONNECTION = {"connection", "keep-alive", "transfer-encoding", "date", "server"}


@contextmanager
def stripping_proxy(target: str, prefix: str) -> Iterator[str]:
    """Address of a proxy to `target` that knows it as `prefix`, which begins and ends with a slash."""
    host = urlsplit(target).netloc

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if not self.path.startswith(prefix):
                self.send_error(404)
                return
            self._pass_on(self.path[len(prefix) - 1 :])

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_message: Any) -> None:
            pass

        def _pass_on(self, path: str) -> None:
            upstream = http.client.HTTPConnection(host, timeout=PATIENCE_S)
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {key: value for key, value in self.headers.items() if key.lower() != "connection"}
            upstream.request(self.command, path, body, headers)
            answer = upstream.getresponse()
            content = answer.read()
            self.send_response(answer.status)
            for key, value in answer.getheaders():
                if key.lower() not in _OF_THE_CONNECTION | {"content-length"}:
                    self.send_header(key, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
            upstream.close()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{prefix}"
    finally:
        server.shutdown()
        server.server_close()
