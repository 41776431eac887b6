"""The layer around XProf's routes: what it adds the script to, and what it leaves as it was."""

from __future__ import annotations

import gzip
import logging
from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from werkzeug.test import Client, TestResponse

from tensorboard_plugin_memviewer.profile_tab import ScriptLayer, install

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

PAGE = b"<html><head></head><body><app></app><script>load('bundle.js')</script></body></html>"
SCRIPT = b'<script src="../memviewer/profile_tab.js"></script></head>'


def app(
    body: bytes, *headers: tuple[str, str], status: str = "200 OK", content_type: str = "text/html"
) -> WSGIApplication:
    """Answers every request so."""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        length = ("Content-Length", str(len(body)))
        start_response(status, [("Content-Type", content_type), length, *headers])
        return [body]

    return answer


def ask(answering: WSGIApplication, method: str = "GET") -> TestResponse:
    return Client(ScriptLayer(answering)).open("/index.html", method=method)


def assert_unchanged(answering: WSGIApplication, method: str = "GET") -> None:
    ours, theirs = ask(answering, method), Client(answering).open("/index.html", method=method)
    assert (ours.status, ours.data, list(ours.headers)) == (theirs.status, theirs.data, list(theirs.headers))


def test_the_script_comes_last_in_the_head() -> None:
    answer = ask(app(PAGE))
    assert answer.data == PAGE.replace(b"</head>", SCRIPT)
    assert answer.headers["Content-Length"] == str(len(answer.data))


def test_gzip_in_gzip_out() -> None:
    answer = ask(app(gzip.compress(PAGE), ("Content-Encoding", "gzip")))
    assert answer.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(answer.data) == PAGE.replace(b"</head>", SCRIPT)
    assert answer.headers["Content-Length"] == str(len(answer.data))


def test_what_vouches_for_the_old_page_is_dropped_and_the_rest_kept() -> None:
    answer = ask(
        app(PAGE, ("ETag", '"1"'), ("Last-Modified", "Sun, 29 Nov 2026 16:00:00 GMT"), ("X-Other", "kept"))
    )
    assert "ETag" not in answer.headers and "Last-Modified" not in answer.headers
    assert answer.headers["X-Other"] == "kept"


@pytest.mark.parametrize(
    "answering",
    [
        app(PAGE, status="404 NOT FOUND"),
        app(PAGE, status="304 NOT MODIFIED"),
        app(PAGE, content_type="application/json"),
    ],
    ids=["not found", "not modified", "not HTML"],
)
def test_other_answers_pass_without_a_word(
    answering: WSGIApplication, caplog: pytest.LogCaptureFixture
) -> None:
    assert_unchanged(answering)
    assert not caplog.records


@pytest.mark.parametrize(
    "answering",
    [
        app(b"<html><head></head><body>another page</body></html>"),
        app(PAGE.replace(b"</head>", b"")),
        app(PAGE, ("Content-Encoding", "br")),
        app(b"no gzip at all", ("Content-Encoding", "gzip")),
        app(gzip.compress(PAGE)[:40], ("Content-Encoding", "gzip")),
        app(b""),
    ],
    ids=["another page", "no head", "another encoding", "no gzip", "cut short", "empty"],
)
def test_an_unexpected_page_passes_unchanged_with_one_warning(
    answering: WSGIApplication, caplog: pytest.LogCaptureFixture
) -> None:
    assert_unchanged(answering)
    layer = Client(ScriptLayer(answering))
    caplog.clear()
    for _ in range(3):
        layer.get("/index.html")
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "keeps its own Memory Viewer" in caplog.text


def test_requests_without_a_page_pass(caplog: pytest.LogCaptureFixture) -> None:
    assert_unchanged(app(PAGE), "HEAD")
    assert_unchanged(app(PAGE), "POST")
    assert not caplog.records


def test_apps_that_write_start_late_and_close_are_understood() -> None:
    closed = []

    class Body:
        def __iter__(self) -> Iterator[bytes]:
            yield PAGE[20:]

        def close(self) -> None:
            closed.append(True)

    def answering(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        write = start_response("200 OK", [("Content-Type", "text/html; charset=utf-8")])
        write(PAGE[:20])
        return Body()

    def late(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        start_response("200 OK", [("Content-Type", "text/html")])
        yield PAGE

    assert ask(answering).data == ask(late).data == PAGE.replace(b"</head>", SCRIPT)
    assert closed == [True]


def test_errors_of_the_page_stay_its_own() -> None:
    def failing(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        raise RuntimeError("theirs")

    with pytest.raises(RuntimeError, match="theirs"):
        ask(failing)


class Profile:
    """As little of a plugin as TensorBoard holds."""

    def get_plugin_apps(self) -> dict[str, Any]:
        return {"/index.html": app(PAGE), "/": app(PAGE), "/local": app(PAGE), "/data": app(PAGE)}


def context(**plugins: object) -> SimpleNamespace:
    return SimpleNamespace(plugin_name_to_instance=plugins)


def test_one_instance_is_wrapped_once_and_its_class_never() -> None:
    ours, other = Profile(), Profile()
    assert install(context(profile=ours), "replace") and install(context(profile=ours), "replace")
    assert Client(ours.get_plugin_apps()["/index.html"]).get("/").data.count(b"profile_tab.js") == 1
    assert b"profile_tab.js" not in Client(other.get_plugin_apps()["/index.html"]).get("/").data


def test_html_routes_and_no_others_are_wrapped() -> None:
    profile = Profile()
    install(context(profile=profile), "replace")
    wrapped = {
        route
        for route, at in profile.get_plugin_apps().items()
        if b"profile_tab.js" in Client(at).get("/").data
    }
    assert wrapped == {"/", "/index.html", "/local"}


def test_off_and_no_profile_plugin_change_nothing() -> None:
    profile = Profile()
    assert not install(context(profile=profile), "off")
    assert not install(context(), "replace")
    assert not install(SimpleNamespace(plugin_name_to_instance=None), "replace")
    assert b"profile_tab.js" not in Client(profile.get_plugin_apps()["/"]).get("/").data
