"""Starts a command from a process that is small, for tests of how much memory the command takes.

The kernel counts to a new process the memory that its parent had when it was forked, and a process that has
run many tests has much.
"""

from __future__ import annotations

import sys

_PASS_ON = "import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:]))"


def from_small_parent(command: list[str]) -> list[str]:
    """The command that runs `command` so, and ends as it ends."""
    return [sys.executable, "-S", "-c", _PASS_ON, *command]
