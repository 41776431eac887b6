"""Logdirs behind fsspec URLs: memory, archives, web servers with and without ranges, and failures of each."""

from __future__ import annotations

import http.server
import logging
import shutil
import socket
import threading
from collections.abc import Iterator
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

import fsspec
import pytest

from tensorboard_plugin_memviewer.errors import NotFound, Unsupported
from tensorboard_plugin_memviewer.sessions import remote_reader
from tensorboard_plugin_memviewer.sessions.filesystem import Changed, File, Unreadable
from tensorboard_plugin_memviewer.sessions.logdir import Logdir
from tensorboard_plugin_memviewer.sessions.url_secrets import shown

CAPTURE = bytes(range(256)) * 8000  # two MB: more than a few blocks
NAMES = (
    "train/plugins/profile/run 1, ü/host.xplane.pb",
    "dump/module_0000.f.cl_1.after_optimizations.hlo.pb",
    "notes.txt",
)


def runs(logdir: Logdir) -> dict[str, str]:
    return {run.name: run.kind for run in logdir.listing().runs}


def capture_of(logdir: Logdir) -> File:
    return logdir.listing().run("train/run 1, ü").hosts[0].captures[0]


def check(logdir: Logdir) -> None:
    assert runs(logdir) == {"dump": "xla_dump", "train/run 1, ü": "profile"}
    file = capture_of(logdir)
    assert (file.name, file.size) == ("host.xplane.pb", len(CAPTURE))
    with logdir.reading(file) as reader:
        assert reader.read(5, 9) == CAPTURE[5:9]
        assert reader.read(1_000_000, 1_600_000) == CAPTURE[1_000_000:1_600_000]
        assert reader.read(262_140, 262_150) == CAPTURE[262_140:262_150]
        assert reader.read(len(CAPTURE) - 3, len(CAPTURE) + 50) == CAPTURE[-3:]
        assert reader.read(7, 7) == b""
        assert reader.read(0, 10) == CAPTURE[:10]


def put(root: Path) -> Path:
    for name in NAMES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(CAPTURE)
    return root


@pytest.fixture
def memory() -> Iterator[Any]:
    driver = fsspec.filesystem("memory")
    driver.pipe({f"/logs/{name}": CAPTURE for name in NAMES})
    yield driver
    driver.rm("/", recursive=True)


class WithRanges(http.server.SimpleHTTPRequestHandler):
    """Answers ranges, and counts the bytes sent."""

    sent: list[int]

    def __init__(self, sent: list[int], *args: Any, **kwargs: Any) -> None:
        self.sent = sent
        super().__init__(*args, **kwargs)

    def log_message(self, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        path = Path(self.translate_path(self.path))
        if wanted is None or not path.is_file():
            super().do_GET()
            return
        data = path.read_bytes()
        first, last = (int(part) for part in wanted.removeprefix("bytes=").split("-"))
        part = data[first : last + 1]
        self.sent.append(len(part))
        self.send_response(HTTPStatus.PARTIAL_CONTENT)
        self.send_header("Content-Range", f"bytes {first}-{first + len(part) - 1}/{len(data)}")
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)


class WithoutRanges(WithRanges):
    """Sends the whole file whatever is asked for, as Python's own server does."""

    def do_GET(self) -> None:
        del self.headers["Range"]
        self.sent.append(0)
        super().do_GET()


class Web:
    """A web server on loopback."""

    def __init__(self, root: Path, kind: type[WithRanges]) -> None:
        self.root = root
        self.sent: list[int] = []
        self.server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), partial(kind, self.sent, directory=str(root))
        )
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def web(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Web]:
    pytest.importorskip("aiohttp")
    server = Web(put(tmp_path), getattr(request, "param", WithRanges))
    yield server
    server.stop()


def test_memory(memory: Any) -> None:
    check(Logdir("memory://logs"))


def test_a_file_as_url(memory: Any) -> None:
    logdir = Logdir(f"memory://logs/{NAMES[0]}")
    assert runs(logdir) == {"host.xplane.pb": "file"}


def test_a_dump_given_as_url_brings_its_other_stages(memory: Any) -> None:
    memory.pipe("/logs/dump/module_0000.f.cl_1.after_codegen.hlo.pb", b"x")
    (run,) = Logdir(f"memory://logs/{NAMES[1]}").listing().runs
    assert run.hosts[0].dumps[0].codegen is not None


def test_changes_of_a_remote_file_are_seen(memory: Any) -> None:
    logdir = Logdir("memory://logs")
    file = capture_of(logdir)
    memory.pipe(f"/logs/{NAMES[0]}", b"short")
    with pytest.raises(Changed):
        logdir.read(file)
    logdir.forget_listing()
    assert logdir.read(capture_of(logdir)) == b"short"
    file = capture_of(logdir)
    memory.rm(f"/logs/{NAMES[0]}")
    with pytest.raises(Changed):
        logdir.read(file)


def test_an_archive(tmp_path: Path) -> None:
    shutil.make_archive(str(tmp_path / "logs"), "zip", put(tmp_path / "logs"))
    check(Logdir(f"zip://::{tmp_path}/logs.zip"))
    assert runs(Logdir(f"zip://train::{tmp_path}/logs.zip")) == {"run 1, ü": "profile"}


def test_an_archive_that_is_written_anew(tmp_path: Path) -> None:
    shutil.make_archive(str(tmp_path / "logs"), "zip", put(tmp_path / "logs"))
    logdir = Logdir(f"zip://::{tmp_path}/logs.zip")
    assert len(runs(logdir)) == 2
    shutil.rmtree(tmp_path / "logs" / "dump")
    shutil.make_archive(str(tmp_path / "logs"), "zip", tmp_path / "logs")
    logdir.forget_listing()
    assert len(runs(logdir)) == 1
    assert logdir.read(capture_of(logdir)) == CAPTURE


def test_the_web(web: Web) -> None:
    check(Logdir(web.url))
    assert max(web.sent) < 700_000


@pytest.mark.parametrize("web", [WithoutRanges], indirect=True)
def test_a_web_server_without_ranges(web: Web) -> None:
    logdir = Logdir(web.url)
    check(logdir)
    listed = len(web.sent)
    with logdir.reading(capture_of(logdir)) as reader:
        for start in range(0, len(CAPTURE), 100_000):
            assert reader.read(start, start + 10) == CAPTURE[start : start + 10]
    assert len(web.sent) - listed < 6


@pytest.mark.parametrize("web", [WithoutRanges], indirect=True)
def test_a_large_file_on_a_web_server_without_ranges_is_refused(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_reader, "_LARGEST_WITHOUT_RANGES", 1000)
    logdir = Logdir(web.url)
    with (
        pytest.raises(Unsupported, match="does not support range requests"),
        logdir.reading(capture_of(logdir)) as reader,
    ):
        reader.read(1_000_000, 1_000_010)


def test_a_web_file_that_changed_is_seen(web: Web) -> None:
    logdir = Logdir(web.url)
    file = capture_of(logdir)
    (web.root / NAMES[0]).write_bytes(b"short")
    with pytest.raises(Changed):
        logdir.read(file)


def test_a_server_that_stops_is_an_error_with_an_advice(web: Web) -> None:
    logdir = Logdir(web.url)
    file = capture_of(logdir)
    web.stop()
    with pytest.raises(Unreadable) as caught:
        logdir.read(file)
    assert "network" in caught.value.advice


def test_no_server() -> None:
    pytest.importorskip("aiohttp")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(Unreadable):
        Logdir(f"http://127.0.0.1:{port}/").listing()


@pytest.mark.parametrize(
    ("url", "error"),
    [
        ("nothing://bucket/logs", Unsupported),
        ("memory://none", NotFound),
        ("zip://::/no/such.zip", NotFound),
    ],
)
def test_what_cannot_be_opened_says_why(url: str, error: type[Exception]) -> None:
    with pytest.raises(error) as caught:
        Logdir(url).listing()
    assert getattr(caught.value, "advice", "")


def test_an_error_names_the_whole_url_and_nothing_is_logged_before_it(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(NotFound, match=r"^memory://"):
        Logdir("memory://none").listing()
    # As in a program that has set up no logging.
    caplog.clear()
    root = logging.getLogger()
    handlers, root.handlers = root.handlers, []
    try:
        logging.getLogger("gcsfs").error("out of retries")
    finally:
        root.handlers = handlers
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("url", "advised"),
    [
        ("zip:///logs/x.zip", "zip://::/logs/x.zip"),
        ("tar://x.tar", "tar://::x.tar"),
        ("zip://", "zip://::FILE"),
    ],
)
def test_an_archive_that_is_not_behind_its_scheme(url: str, advised: str) -> None:
    with pytest.raises(NotFound) as caught:
        Logdir(url).listing()
    assert advised in caught.value.advice


def test_a_broken_archive(tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_bytes(b"no archive")
    with pytest.raises(Unreadable, match=r"x\.zip"):
        Logdir(f"zip://::{tmp_path}/x.zip").listing()


def test_secrets_are_not_shown() -> None:
    assert shown("s3://key:secret@bucket/logs?X-Signature=abc") == "s3://bucket/logs"
    with pytest.raises(Unreadable) as caught:
        Logdir("http://user:hunter2@127.0.0.1:9/logs/").listing()
    assert "hunter2" not in caught.value.message + caught.value.advice + str(caught.value.path)
