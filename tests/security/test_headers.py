"""What every answer tells the browser, the built page's files included; and raw paths on a real server."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug.test import Client

from tensorboard_plugin_memviewer.export.routes import make_export_apps
from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.web import server
from tensorboard_plugin_memviewer.web.static_files import make_static_apps
from tests.patience import PATIENCE_S
from tests.reliability.captures import apps_of, write

RAW = [
    "/..",
    "/../../etc/passwd",
    "/..%2f..%2fetc%2fpasswd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/page.html/../../setup.py",
    "/page.html%00",
    "/static/../plugin.py",
    "//etc/passwd",
    "/C:/Windows/win.ini",
    "/..\\..\\setup.py",
]


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    write(tmp_path, "a")
    service = Service(str(tmp_path))
    made = server.listen(service, "127.0.0.1", 0, make_export_apps(service))
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield made.port
    made.shutdown()
    thread.join(PATIENCE_S)
    made.server_close()


@pytest.mark.parametrize("route", sorted(make_static_apps()))
def test_files_of_the_page(route: str) -> None:
    response = Client(make_static_apps()[route]).get(route)
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe-eval" not in policy and "http:" not in policy and "https:" not in policy
    assert "script-src 'self';" in policy
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_the_page_is_built() -> None:
    assert "/page.html" in make_static_apps()


def test_data_is_never_sniffed_nor_html(tmp_path: Path) -> None:
    write(tmp_path, "a")
    usual = {"run": "a", "module": "jit_f", "space": "HBM", "format": "svg", "id": "100"}
    for route, app in apps_of(Service(str(tmp_path))).items():
        for query in ({}, usual, {**usual, "run": "<b>"}):
            response = Client(app).get(query_string=query)
            assert response.headers["X-Content-Type-Options"] == "nosniff", (route, query)
            kind = response.content_type.partition(";")[0]
            assert kind in ("application/json", "image/svg+xml"), (route, query)
            if kind == "image/svg+xml":
                assert response.headers["Content-Disposition"].startswith("attachment")


@pytest.mark.parametrize("path", RAW)
def test_paths_that_are_no_route(port: int, path: str) -> None:
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    client.putrequest("GET", path, skip_host=False)
    client.endheaders()
    answer = client.getresponse()
    body = answer.read()
    client.close()
    assert answer.status in (302, 400, 404)
    assert b"root:" not in body and b"setuptools" not in body
