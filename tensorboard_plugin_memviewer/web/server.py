"""A small server for the page and the routes of one service, without TensorBoard.

It answers only GET. The operator controls who can reach it by the address it binds.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from werkzeug.exceptions import NotFound as NoSuchPage
from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server
from werkzeug.utils import redirect

from tensorboard_plugin_memviewer.errors import BadParameter, Unsupported
from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.web.routes import make_apps
from tensorboard_plugin_memviewer.web.static_files import make_static_apps

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

PAGE = "/page.html"


class _QuietHandler(WSGIRequestHandler):
    """Logs no line for each request: errors are logged where they happen."""

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Say nothing."""


def make_app(service: Service, more: Mapping[str, WSGIApplication]) -> WSGIApplication:
    """Every route and file of the page; the root leads to the page. Raises Unsupported without a page."""
    apps: dict[str, WSGIApplication] = {**make_static_apps(), **make_apps(service), **more}
    if PAGE not in apps:
        raise Unsupported(
            "this installation has no page", "Install a released wheel, or build it with: make page"
        )

    # Relative, so that it holds behind a proxy with a prefix.
    to_page = redirect(PAGE.removeprefix("/"), 302)

    def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        answer = apps.get(path, NoSuchPage())
        return (to_page if path in ("", "/") else answer)(environ, start_response)

    return app


def listen(service: Service, address: str, port: int, more: Mapping[str, WSGIApplication]) -> BaseWSGIServer:
    """A server that is bound already, threaded; `serve_forever()` runs it. Port 0 takes a free one.

    Raises BadParameter where the address or port cannot be had.
    """
    app = make_app(service, more)
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        bound = socket.create_server((address, port), family=family)
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadParameter(
            f"cannot listen on {address} port {port}: {reason}",
            "Choose another one; --port 0 finds a free port.",
        ) from error
    with bound:
        # The server duplicates the descriptor.
        return make_server(
            address,
            bound.getsockname()[1],
            app,
            threaded=True,
            request_handler=_QuietHandler,
            fd=bound.fileno(),
        )
