"""Runs one thing in a process of its own and says how long it took and how much memory it had at its peak.

The kernel counts to a process what its parent had when it was forked, so a small process stands between.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_BETWEEN = """
import json, os, subprocess, sys, time
began = time.perf_counter()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
seconds = time.perf_counter() - began
print(json.dumps([seconds, usage.ru_maxrss, os.waitstatus_to_exitcode(status)]))
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """Wall seconds from start to end, import included, and the peak of resident memory in bytes."""

    seconds: float
    peak_bytes: int


def cost_of(*command: str | os.PathLike[str]) -> Cost:
    """Run a command that must succeed. Unix only: the kernel keeps the peak."""
    arguments = [sys.executable, "-S", "-c", _BETWEEN, *(os.fspath(part) for part in command)]
    # As an installed package starts: with its bytecode kept.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(arguments, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    seconds, peak, code = json.loads(done.stdout)
    if code != 0:
        raise RuntimeError(f"{command} ended with {code}\n{done.stderr}")
    return Cost(seconds, peak * (1 if sys.platform == "darwin" else 1024))


def best_of(times: int, command: Sequence[str | os.PathLike[str]]) -> Cost:
    """The least of several runs, time and memory each."""
    costs = [cost_of(*command) for _ in range(times)]
    return Cost(min(cost.seconds for cost in costs), min(cost.peak_bytes for cost in costs))
