"""The page's files over HTTP: types, policy, gzip, 304, and nothing but them."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest
from werkzeug.test import Client

from tensorboard_plugin_memviewer.web.static_files import CONTENT_SECURITY_POLICY, make_static_apps

PAGE = "<!doctype html><title>page</title>" + "<p>text</p>" * 500
SCRIPT = "export const answer = 42;\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "static"
    (folder / "parts").mkdir(parents=True)
    (folder / "page.html").write_text(PAGE)
    (folder / "parts" / "map.js").write_text(SCRIPT)
    (folder / "notes.unknown").write_text("not served")
    (tmp_path / "secret.html").write_text("outside")
    return folder


def client(folder: Path, route: str) -> Client:
    return Client(make_static_apps(folder)[route])


def test_a_route_for_every_file_of_a_known_type(folder: Path) -> None:
    assert sorted(make_static_apps(folder)) == ["/page.html", "/parts/map.js"]


def test_a_folder_that_is_not_there_has_no_routes(tmp_path: Path) -> None:
    assert make_static_apps(tmp_path / "missing") == {}


@pytest.mark.parametrize(
    ("route", "content_type"),
    [("/page.html", "text/html; charset=utf-8"), ("/parts/map.js", "text/javascript; charset=utf-8")],
)
def test_type_and_policy_are_ours(folder: Path, route: str, content_type: str) -> None:
    response = client(folder, route).get(route)
    assert response.status_code == 200
    assert response.headers["Content-Type"] == content_type
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Content-Security-Policy"] == CONTENT_SECURITY_POLICY


def test_the_policy_allows_no_code_but_the_servers() -> None:
    directives = dict(part.strip().split(" ", 1) for part in CONTENT_SECURITY_POLICY.split(";"))
    assert directives["default-src"] == "'self'"
    assert directives["script-src"] == "'self'"
    assert directives["object-src"] == "'none'"
    assert "unsafe-eval" not in CONTENT_SECURITY_POLICY
    assert "http" not in CONTENT_SECURITY_POLICY


def test_gzip_only_where_it_is_taken(folder: Path) -> None:
    page = client(folder, "/page.html")
    packed = page.get("/page.html", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data).decode() == PAGE
    assert len(packed.data) < len(PAGE) / 10
    plain = page.get("/page.html", headers={"Accept-Encoding": "gzip;q=0"})
    assert "Content-Encoding" not in plain.headers
    assert plain.text == PAGE
    assert packed.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"


def test_304_for_who_has_it_and_the_new_file_for_who_has_the_old(folder: Path) -> None:
    page = client(folder, "/page.html")
    tag = page.get("/page.html").headers["ETag"]
    unchanged = page.get("/page.html", headers={"If-None-Match": tag})
    assert (unchanged.status_code, unchanged.data) == (304, b"")
    file = folder / "page.html"
    file.write_text("<!doctype html>new")
    os.utime(file, ns=(1, 1))
    changed = page.get("/page.html", headers={"If-None-Match": tag})
    assert (changed.status_code, changed.text) == (200, "<!doctype html>new")


def test_head_has_no_body_and_nothing_else_is_answered(folder: Path) -> None:
    page = client(folder, "/page.html")
    head = page.head("/page.html")
    assert (head.status_code, head.data) == (200, b"")
    assert page.post("/page.html").status_code == 405
    assert page.delete("/page.html").status_code == 405


@pytest.mark.parametrize("path", ["/../secret.html", "/%2e%2e/secret.html", "/page.html/../../secret.html"])
def test_no_path_of_a_request_is_opened(folder: Path, path: str) -> None:
    for route in make_static_apps(folder):
        assert "outside" not in client(folder, route).get(path).text
