"""What our plugin adds to TensorBoard's start: with it and without it in turn, each in a new process.

Over when the list of plugins is answered: TensorBoard's page waits for that. Every start finds its plugins
through the same filter, so that it costs both sides the same. As a script: `python -m bench.startup [PAIRS]`.
"""

from __future__ import annotations

import http.client
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.measured import ROOT

PAIRS = 20
_PATIENCE_S = 60.0
_ASK_AGAIN_S = 0.001
_DEMO = ROOT / "tensorboard_plugin_memviewer" / "demo"

# Code that Python runs when it starts: hides the plugins named in the environment.
_HIDE = """
import importlib.metadata, os
find, hidden = importlib.metadata.distributions, set(os.environ["HIDDEN_PLUGINS"].split())

def names(distribution):
    return {entry.name for entry in distribution.entry_points if entry.group == "tensorboard_plugins"}

importlib.metadata.distributions = lambda **how: (it for it in find(**how) if not names(it) & hidden)
"""

# What TensorBoard does with our plugin before it serves, timed where all that it needs itself is imported.
_OUR_PART = """
import time, types
from tensorboard import default, program
from tensorboard.plugins import base_plugin
default.get_static_plugins()
began = time.perf_counter()
from tensorboard_plugin_memviewer.plugin_loader import LOADER
flags = types.SimpleNamespace(memviewer_profile_tab="replace", memviewer_capacity="")
LOADER.load(base_plugin.TBContext(flags=flags, logdir="/nowhere", plugin_name_to_instance={}))
print(time.perf_counter() - began)
"""


@dataclass(frozen=True, slots=True)
class Spread:
    """Median, and the quartiles around it, in seconds; prints as milliseconds."""

    low: float
    median: float
    high: float

    def __str__(self) -> str:
        low, median, high = (round(value * 1e3) for value in (self.low, self.median, self.high))
        return f"{median} ms (half of them {low} to {high})"


def spread(values: Sequence[float]) -> Spread:
    """Of at least two values."""
    return Spread(*statistics.quantiles(values, n=4))


@dataclass(frozen=True, slots=True)
class Start:
    """Start without our plugin, and what the plugin adds to it: wall clock and processor time."""

    without: Spread
    added: Spread
    added_processor: Spread


def starts(*, xprof: bool, pairs: int = PAIRS) -> Start:
    """Starts on the demo in turn, where xprof is installed or is not."""
    hidden = () if xprof else ("profile",)
    with tempfile.TemporaryDirectory(prefix="memviewer-start-") as folder:
        (Path(folder) / "sitecustomize.py").write_text(_HIDE, encoding="utf-8")
        sides = {"with": hidden, "without": (*hidden, "memviewer")}
        taken: dict[str, list[tuple[float, float]]] = {"with": [], "without": []}
        for turn in range(pairs + 1):
            # The one that goes first has the colder caches: they take turns at that as well.
            for side in sorted(sides, reverse=turn % 2 == 0):
                seconds = start(folder, sides[side])
                # The first pair warms the caches of both.
                if turn > 0:
                    taken[side].append(seconds)
    both = list(zip(taken["with"], taken["without"], strict=True))
    return Start(
        without=spread([wall for wall, _ in taken["without"]]),
        added=spread([ours[0] - theirs[0] for ours, theirs in both]),
        added_processor=spread([ours[1] - theirs[1] for ours, theirs in both]),
    )


def start(folder: str, hidden: Sequence[str]) -> tuple[float, float]:
    """Seconds from the start of a TensorBoard until it has listed its plugins: wall clock, processor time."""
    port = _free_port()
    command = [sys.executable, "-m", "tensorboard.main", "--logdir", os.fspath(_DEMO)]
    command += ["--host", "127.0.0.1", "--port", str(port), "--load_fast", "false"]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONPATH": folder, "HIDDEN_PLUGINS": " ".join(hidden)}
    quiet = subprocess.DEVNULL
    began = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=quiet, stdout=quiet, stderr=quiet)
    try:
        while not _lists_plugins(port):
            if process.poll() is not None or time.perf_counter() - began > _PATIENCE_S:
                raise RuntimeError("TensorBoard did not come up")
            time.sleep(_ASK_AGAIN_S)
        wall = time.perf_counter() - began
    finally:
        process.kill()
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
    return wall, usage.ru_utime + usage.ru_stime


def our_part(times: int = PAIRS) -> Spread:
    """Importing our plugin and making it, in a process that has imported TensorBoard."""
    command = [sys.executable, "-c", _OUR_PART]
    runs = (
        subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True) for _ in range(times)
    )
    return spread([float(run.stdout) for run in runs])


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def _lists_plugins(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_PATIENCE_S)
    try:
        connection.request("GET", "/data/plugins_listing")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def main() -> None:
    """Print everything once."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS
    print(f"import and make the plugin: {our_part(pairs)}", flush=True)
    for xprof in (True, False):
        one = starts(xprof=xprof, pairs=pairs)
        print(f"start {'with' if xprof else 'without'} xprof: {one.without}; our plugin adds {one.added}, ")
        print(f"    of processor time {one.added_processor}", flush=True)


if __name__ == "__main__":
    main()
