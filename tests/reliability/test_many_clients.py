"""Many clients at once on a real server: no error, equal answers, one computation each, bounded memory."""

from __future__ import annotations

import http.client
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tensorboard_plugin_memviewer.service import LoadedModule, Service
from tensorboard_plugin_memviewer.service import service as service_module
from tensorboard_plugin_memviewer.web import server, static_files
from tests.patience import PATIENCE_S
from tests.reliability.captures import program, write

CLIENTS, REQUESTS = 32, 500


@contextmanager
def serving(service: Service) -> Iterator[int]:
    """The port of a server in this process."""
    made = server.listen(service, "127.0.0.1", 0, {})
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield made.port
    made.shutdown()
    thread.join(PATIENCE_S)
    made.server_close()


def get(port: int, path: str) -> tuple[int, bytes]:
    """Status and body, over a connection of its own."""
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    try:
        client.request("GET", path)
        answer = client.getresponse()
        return answer.status, answer.read()
    finally:
        client.close()


@pytest.fixture(autouse=True)
def _page(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of one line: these tests do not need the built one."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "page.html").write_text("<!doctype html>")
    made = static_files.make_static_apps(folder)
    monkeypatch.setattr(server, "make_static_apps", lambda: made)


@pytest.mark.slow
@pytest.mark.parametrize("cache_bytes", [1 << 30, 400_000])
def test_500_requests_of_32_clients(tmp_path: Path, cache_bytes: int) -> None:
    runs = [f"run{number}" for number in range(8)]
    for number, run in enumerate(runs):
        write(tmp_path, run, program(1024 * (number + 1), bystanders=50))
    service = Service(str(tmp_path), cache_bytes=cache_bytes)
    paths = ["/runs"]
    for run in runs:
        chosen = urlencode({"run": run, "module": "jit_f", "space": "HBM"})
        paths += [
            f"/{route}?{chosen}" for route in ("modules", "memory_spaces", "usage", "breakdown", "findings")
        ]
    used: list[int] = []

    def request(number: int) -> tuple[str, int, bytes]:
        path = paths[number * 7 % len(paths)]
        status, body = get(port, path)
        used.append(service._cache.used_bytes)
        return path, status, body

    with serving(service) as port, ThreadPoolExecutor(CLIENTS) as pool:
        answers = list(pool.map(request, range(REQUESTS)))
    assert Counter(status for _, status, _ in answers) == {200: REQUESTS}
    distinct: dict[str, set[bytes]] = {}
    for path, _, body in answers:
        distinct.setdefault(path, set()).add(body)
    assert len(distinct) == len(paths)
    assert all(len(bodies) == 1 for bodies in distinct.values())
    assert max(used) <= cache_bytes
    # What the cache counts is what it holds, whatever went through it.
    kept = service._cache._kept
    assert service._cache.used_bytes == sum(size for _, size in kept.values())
    assert not service._cache._running


def test_equal_requests_at_once_are_one_computation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a", program(1024, bystanders=2000))
    made: list[str] = []

    class Counted(LoadedModule):
        def __init__(self, *arguments: object) -> None:
            made.append(threading.current_thread().name)
            super().__init__(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(service_module, "LoadedModule", Counted)
    path = "/usage?run=a&module=jit_f&space=HBM"
    with serving(Service(str(tmp_path))) as port, ThreadPoolExecutor(16) as pool:
        answers = set(pool.map(lambda _: get(port, path), range(16)))
    assert [status for status, _ in answers] == [200]
    assert len(made) == 1


def test_hosts_of_one_program_are_decoded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for host in range(64):
        write(tmp_path, "a", program(1024), host=f"host{host}")
    made: list[object] = []

    class Counted(LoadedModule):
        def __init__(self, *arguments: object) -> None:
            made.append(arguments)
            super().__init__(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(service_module, "LoadedModule", Counted)
    (module,) = Service(str(tmp_path)).modules("a").modules
    assert len(module.hosts) == 64
    assert len(made) == 1
