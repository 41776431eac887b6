"""Starts a real TensorBoard in a process of its own, waits until it answers, and ends it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.patience import PATIENCE_S, soon

_ADDRESS = re.compile(r"at (http://127\.0\.0\.1:\d+)(/\S*)? ")


@dataclass(frozen=True, slots=True)
class Server:
    """A running TensorBoard. `address` ends with "/" and holds the path prefix; `log` is what it wrote."""

    address: str
    log_file: Path

    @property
    def data(self) -> str:
        """Address of our routes."""
        return f"{self.address}data/plugin/memviewer/"

    @property
    def log(self) -> str:
        """Everything that TensorBoard has written to its terminal."""
        return self.log_file.read_text(encoding="utf-8", errors="replace")


@contextmanager
def serve(
    logdir: str | os.PathLike[str],
    *arguments: str,
    python: str | None = None,
    environment: Mapping[str, str] | None = None,
) -> Iterator[Server]:
    """TensorBoard on `logdir` with more arguments, on a free port of this machine, until the block ends.

    `python` is the interpreter whose packages are used: $MEMVIEWER_TENSORBOARD_PYTHON, else this one. Raises
    AssertionError where it does not come up.
    """
    with tempfile.TemporaryDirectory(prefix="memviewer-tensorboard-") as folder:
        log_file = Path(folder) / "log.txt"
        interpreter = python or os.environ.get("MEMVIEWER_TENSORBOARD_PYTHON", sys.executable)
        command = [interpreter, "-m", "tensorboard.main", "--logdir", os.fspath(logdir), "--port", "0"]
        command += ["--host", "127.0.0.1", "--load_fast", "false", *arguments]
        with log_file.open("wb") as log:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=folder,
                env={**os.environ, "PYTHONUNBUFFERED": "1", **(environment or {})},
            )
        try:
            yield Server(_wait(process, log_file), log_file)
        finally:
            process.terminate()
            try:
                process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait(process: subprocess.Popen[bytes], log_file: Path) -> str:
    """The address, once it answers."""
    found: list[str] = []

    def answers() -> bool:
        log = log_file.read_text(encoding="utf-8", errors="replace")
        said = _ADDRESS.search(log)
        if said is not None and _answers(address := f"{said[1]}{said[2] or '/'}"):
            found.append(address)
        return bool(found) or process.poll() is not None

    soon(answers)
    assert found, f"TensorBoard did not come up:\n{log_file.read_text(encoding='utf-8', errors='replace')}"
    return found[0]


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}data/plugins_listing", timeout=PATIENCE_S) as response:
            return bool(response.status == 200)
    except (urllib.error.URLError, OSError):
        return False
