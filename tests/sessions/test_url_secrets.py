"""No secret of a URL is printed, whatever way it is written, and reading still uses it."""

from __future__ import annotations

import base64
import http.server
import json
import shutil
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tensorboard_plugin_memviewer.errors import MemviewerError
from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.sessions.logdir import Logdir
from tensorboard_plugin_memviewer.sessions.url_secrets import shown, without_secrets
from tests.cli.conftest import Answer, memviewer

__all__ = ["memviewer"]

SECRET = "hunter2"


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("http://user:hunter2@host/x", "http://host/x"),
        ("http://user:pa@hunter2@host/x", "http://host/x"),
        ("http://user:p@hunt/er2hunter2@host/x", "http://host/x"),
        ("ftp://user:phunter2p/a@host/x", "ftp://host/x"),
        ("http://us/er:hunter2@host/x", "http://host/x"),
        ("http://user:1/hunter2@host/x", "http://host/x"),
        ("http://user:a?hunter2@host/x", "http://host/x"),
        ("http://user#hunter2@host/x", "http://host/x"),
        ("http://user:a::hunter2@host/x", "http://host/x"),
        ("https://hunter2@host/x", "https://host/x"),
        ("HTTPS://user:hunter2@host:8443/x", "HTTPS://host:8443/x"),
        ("http://user:hunter2@[::1]:80/x", "http://[::1]:80/x"),
        ("https://host/x#token=hunter2", "https://host/x"),
        ("https://host/x?sig=hunter2#hunter2", "https://host/x"),
        ("s3://key:hunt/er2hunter2@bucket/logs?X-Signature=hunter2", "s3://bucket/logs"),
        ("zip://in::https://u:hunter2@host/x.zip?sig=hunter2", "zip://in::https://host/x.zip"),
        ("simplecache::s3://key:hunter2@bucket/logs", "simplecache::s3://bucket/logs"),
    ],
)
def test_secrets_are_left_out(url: str, text: str) -> None:
    assert shown(url) == text
    for error in (f"{url} is wrong", f"port {SECRET!r} is wrong"):
        assert SECRET not in without_secrets(error, url.replace(f"p{SECRET}p", SECRET))


@pytest.mark.parametrize(
    "path",
    [
        "gs://bucket/logs@v1/run",
        "http://127.0.0.1:8000/logs@v1/run",
        "http://localhost:8000/a@b",
        "http://[::1]:80/x@y",
        "zip://::file:///a#b/x.zip",
        "file:///a#b?c",
        "/logs/a@b?c#d",
        "C:\\logs@v1",
        "memory://logs",
    ],
)
def test_what_is_no_secret_stays(path: str) -> None:
    assert shown(path) == path
    assert without_secrets(f"{path} is empty", path) == f"{path} is empty"


@pytest.mark.parametrize(
    "url",
    [
        f"http://user:pa@{SECRET}@127.0.0.1:9/logs/",
        f"http://127.0.0.1:9/logs/#token={SECRET}",
        f"ftp://user:p{SECRET}p/a@127.0.0.1/x",
        f"nothing://user:{SECRET}@host/x",
        f"zip://::http://user:{SECRET}@127.0.0.1:9/x.zip",
    ],
)
def test_errors_tell_no_secret(url: str) -> None:
    with pytest.raises(MemviewerError) as caught:
        Logdir(url).listing()
    assert SECRET not in repr(caught.value.as_problem())


class Guarded(http.server.SimpleHTTPRequestHandler):
    """Answers only who has the password."""

    def do_GET(self) -> None:
        expected = base64.b64encode(f"user:{SECRET}".encode()).decode()
        if self.headers.get("Authorization") == f"Basic {expected}":
            super().do_GET()
        else:
            self.send_error(401)

    do_HEAD = do_GET  # noqa: N815

    def log_message(self, *_: object) -> None:
        """Silent."""


@pytest.fixture
def guarded(tmp_path: Path, data: Path) -> Iterator[str]:
    """The URL of a logdir behind a password: a good module, a damaged one, a dump and its siblings."""
    pytest.importorskip("aiohttp")
    shutil.copy(data / "modules" / "v5e_tiny.hlo_proto.pb", tmp_path / "jit_good(1).hlo_proto.pb")
    (tmp_path / "jit_bad(2).hlo_proto.pb").write_bytes(b"\xff" * 50)
    (tmp_path / "cut.xplane.pb").write_bytes(b"\n\xff")
    (tmp_path / "dump").mkdir()
    for file in (data / "dump_text").iterdir():
        shutil.copy(file, tmp_path / "dump" / file.name)
    with http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(Guarded, directory=str(tmp_path))
    ) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://user:{SECRET}@127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_a_logdir_behind_a_password_is_read_and_its_password_not_told(
    guarded: str, memviewer: Callable[..., Answer]
) -> None:
    service = Service(guarded)
    listing = service.runs()
    modules = [service.modules(run.name) for run in listing.runs]
    assert any(summary.digest for run in modules for summary in run.modules)
    assert any(run.problems or any(summary.problems for summary in run.modules) for run in modules)
    assert SECRET not in repr((listing, modules))
    for command in ("list", "summary", "doctor", "peak", "findings"):
        for kind in ("text", "json", "markdown"):
            answer = memviewer(command, guarded, "--format", kind)
            assert SECRET not in answer.out + answer.err, (command, kind)
    for wrong in (("--module", "nope"), ("--run", "nope"), ("--host", "nope"), ("--space", "nope")):
        answer = memviewer("peak", guarded, *wrong)
        assert answer.code == 2
        assert SECRET not in answer.out + answer.err


def test_a_file_behind_a_password(guarded: str, memviewer: Callable[..., Answer]) -> None:
    file = f"{guarded}jit_good(1).hlo_proto.pb"
    assert memviewer("peak", file).code == 0
    answer = memviewer("list", file, "--format", "json")
    assert SECRET not in answer.out
    assert json.loads(answer.out)["runs"]
