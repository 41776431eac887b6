"""`memviewer demo`: the captures that ship with the package, in a real TensorBoard.

They are copied first: other plugins write into the logdir, and an installed package may be read-only.
"""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
import tempfile
from argparse import Namespace
from pathlib import Path
from types import FrameType
from typing import Final

import tensorboard_plugin_memviewer
from tensorboard_plugin_memviewer.cli.exit_codes import OK, UNUSABLE
from tensorboard_plugin_memviewer.cli.options import Commands, add_address, add_command
from tensorboard_plugin_memviewer.errors import Unsupported

EXAMPLES: Final = ("", "--port 6010")

_ADDRESS = re.compile(r" at (http://\S+)")
_PATIENCE_S = 10


def add(commands: Commands) -> None:
    """Add the command with its options."""
    parser = add_command(commands, "demo", "", EXAMPLES)
    add_address(parser, None)


def run(arguments: Namespace) -> int:
    """Run TensorBoard until it ends or is interrupted, as it is meant to be. Raises Unsupported."""
    captures = Path(tensorboard_plugin_memviewer.__file__).parent / "demo"
    if not captures.is_dir():
        raise Unsupported("this installation has no captures", "Install a released wheel of the package.")
    signal.signal(signal.SIGTERM, _interrupt)
    with tempfile.TemporaryDirectory(prefix="memviewer-demo-") as folder:
        logdir = shutil.copytree(captures, Path(folder) / "logs")
        command = [
            sys.executable,
            "-m",
            "tensorboard.main",
            "--logdir",
            str(logdir),
            "--host",
            arguments.bind,
        ]
        if arguments.port is not None:
            command += ["--port", str(arguments.port)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, errors="replace") as process:  # noqa: S603
            try:
                _relay(process)
                return OK if process.wait() == 0 else UNUSABLE
            except KeyboardInterrupt:
                return OK
            finally:
                _end(process)


def _relay(process: subprocess.Popen[str]) -> None:
    """Passes on TensorBoard's output, and once it listens, prints the address to open."""
    assert process.stderr is not None
    for line in process.stderr:
        sys.stderr.write(line)
        if (found := _ADDRESS.search(line)) is not None:
            print(f"Memory Viewer: {found[1].rstrip('/')}/#memviewer", flush=True)


def _end(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
