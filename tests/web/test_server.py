"""The small server: the page and the routes over real HTTP."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tensorboard_plugin_memviewer.errors import BadParameter, NotFound
from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.web import server, static_files
from tensorboard_plugin_memviewer.web.bundle import address, page_answers
from tests.patience import PATIENCE_S


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of one line, so that these tests do not need the built one."""
    (tmp_path / "page.html").write_text("<!doctype html><title>page</title>")
    made = static_files.make_static_apps(tmp_path)
    monkeypatch.setattr(server, "make_static_apps", lambda: made)


@pytest.fixture
def connection(page: None, demo: Path) -> Iterator[http.client.HTTPConnection]:
    serving = server.listen(Service(str(demo)), "127.0.0.1", 0, {})
    thread = threading.Thread(target=serving.serve_forever, daemon=True)
    thread.start()
    client = http.client.HTTPConnection("127.0.0.1", serving.port, timeout=PATIENCE_S)
    yield client
    client.close()
    serving.shutdown()
    thread.join(PATIENCE_S)
    serving.server_close()


def get(
    connection: http.client.HTTPConnection, path: str, method: str = "GET"
) -> tuple[int, dict[str, str], bytes]:
    connection.request(method, path)
    answer = connection.getresponse()
    return answer.status, dict(answer.getheaders()), answer.read()


def test_the_root_leads_to_the_page(connection: http.client.HTTPConnection) -> None:
    status, headers, _ = get(connection, "/")
    assert status == 302
    assert headers["Location"].endswith("page.html")
    status, headers, body = get(connection, "/page.html")
    assert status == 200
    assert b"<title>page" in body
    assert "default-src 'self'" in headers["Content-Security-Policy"]


def test_routes_answer_as_in_tensorboard(connection: http.client.HTTPConnection) -> None:
    status, _, body = get(connection, "/runs")
    assert status == 200
    assert "gpu_h100" in [run["run"] for run in json.loads(body)["runs"]]
    status, _, body = get(connection, "/modules?run=nope")
    assert status == 404
    assert json.loads(body)["error"]["advice"]


def test_nothing_else_is_there(connection: http.client.HTTPConnection) -> None:
    for path in ("/nope", "/../pyproject.toml", "/static/page.html", "//etc/passwd"):
        assert get(connection, path)[0] == 404
    assert get(connection, "/runs", "POST")[0] == 405


def test_a_port_that_is_taken(page: None, demo: Path) -> None:
    first = server.listen(Service(str(demo)), "127.0.0.1", 0, {})
    try:
        with pytest.raises(BadParameter, match="cannot listen"):
            server.listen(Service(str(demo)), "127.0.0.1", first.port, {})
    finally:
        first.server_close()


def test_answers_of_a_report_are_those_of_the_server(
    connection: http.client.HTTPConnection, demo: Path
) -> None:
    service = Service(str(demo))
    run = "xla_dump_oom"
    (program,) = service.programs(run)[0]
    program, loaded = service.load(run, None, program.key)
    answers = page_answers(service, run, program, loaded)
    query = {"run": run, "host": None, "module": program.key, "space": "HBM"}
    at = address("usage", query)
    assert json.loads(get(connection, f"/{at}")[2]) == answers[at]
    assert [one["run"] for one in answers["runs"]["runs"]] == [run]
    assert str(demo) not in json.dumps(answers["runs"])


def test_addresses_are_written_as_the_page_writes_them() -> None:
    query = {"run": "a b/ü&=", "host": None, "module": "jit_f(1)!~*'"}
    assert address("usage", query) == "usage?run=a%20b%2F%C3%BC%26%3D&module=jit_f(1)!~*'"
    assert address("runs", {}) == "runs"


def test_a_missing_logdir_is_an_error_of_the_service(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        Service(str(tmp_path / "nope")).runs()
