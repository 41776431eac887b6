"""First and later views over HTTP, from one warm TensorBoard that has both memory viewers in it."""

from __future__ import annotations

import gzip
import json
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.browser.tensorboard import Server, serve


@contextmanager
def warm(logdir: Path) -> Iterator[Server]:
    """TensorBoard that has answered once in each plugin, about a capture that is not measured."""
    with serve(logdir) as server:
        _get(f"{server.data}modules", run="warm_up")
        _get(f"{server.address}data/plugin/profile/module_list", run="warm_up")
        yield server


def first_view(server: Server, run: str, space: str) -> tuple[float, int]:
    """Seconds and bytes of our first view: the runs, the modules with their peaks, one module's usage."""
    began = time.perf_counter()
    _get(f"{server.data}runs")
    modules = json.loads(gzip.decompress(_get(f"{server.data}modules", run=run)))["modules"]
    usage = _get(f"{server.data}usage", run=run, module=modules[0]["module"], space=space)
    return time.perf_counter() - began, len(usage)


def xprof_first_view(server: Server, run: str, color: int) -> tuple[float, int]:
    """The same of XProf's: its list of modules, and its answer for one of them."""
    base = f"{server.address}data/plugin/profile/"
    began = time.perf_counter()
    module = gzip.decompress(_get(f"{base}module_list", run=run)).decode().split(",")[0]
    answer = _get(
        f"{base}data", run=run, tag="memory_viewer", host="host0", module_name=module, memory_space=str(color)
    )
    return time.perf_counter() - began, len(answer)


def later_view(server: Server, route: str, **query: str) -> float:
    """Seconds of one more answer about a module that has been seen."""
    began = time.perf_counter()
    _get(f"{server.data}{route}", **query)
    return time.perf_counter() - began


def modules_of(server: Server, run: str) -> float:
    """Seconds of our list of modules of a run."""
    began = time.perf_counter()
    _get(f"{server.data}modules", run=run)
    return time.perf_counter() - began


def _get(address: str, **query: str) -> bytes:
    """The body as the server sends it, gzipped."""
    request = urllib.request.Request(f"{address}?{urllib.parse.urlencode(query)}")
    request.add_header("Accept-Encoding", "gzip")
    with urllib.request.urlopen(request, timeout=600) as response:
        body: bytes = response.read()
    return body
