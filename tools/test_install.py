"""Installs the package with the pip that each Python brings, in a new environment each, and prints a table.

Older versions of pip resolve dependencies differently, and may try versions without end: an installation that
takes longer than `--limit` seconds fails. A Python that this machine lacks is reported as not run.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from tools.test_matrix import PYTHONS, ROOT, find_python

FOLDER = ROOT / "build" / "install"
LIMIT_SECONDS = 300
# Ubuntu 22.04 comes with Python 3.10 and this pip, which is older than the one of a plain Python 3.10.
UBUNTU = ("3.10", "22.0.2")
_VERSIONS = (
    "from importlib.metadata import version\n"
    "print(*map(version, ('pip', 'tensorboard-plugin-memviewer', 'tensorboard-plugin-profile')), sep='\\n')"
)


@dataclass(frozen=True, slots=True)
class Row:
    """One installation; `problem` is why it failed, "" where it did not. Not run where `pip` is ""."""

    python: str
    pip: str = ""
    profile: str = ""
    seconds: float = 0.0
    problem: str = ""

    @property
    def outcome(self) -> str:
        """The last cell of the row."""
        return self.problem or (
            f"installed in {self.seconds:.0f} s" if self.pip else "not run: not on this machine"
        )


def main() -> int:
    """Install once for each Python; 1 where one installation failed or none was run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pythons", nargs="*", default=PYTHONS, help="versions of Python; all unless given")
    parser.add_argument(
        "--limit", type=int, default=LIMIT_SECONDS, help="seconds that one installation may take"
    )
    arguments = parser.parse_args()
    wanted = [(python, "") for python in arguments.pythons]
    if UBUNTU[0] in arguments.pythons:
        wanted.append(UBUNTU)
    rows = []
    for python, pip in wanted:
        print(f"== Python {python}, pip {pip or 'that comes with it'}", flush=True)
        rows.append(installed(python, pip, arguments.limit))
    print(f"\n{as_table(rows)}")
    return 1 if any(row.problem for row in rows) or not any(row.pip for row in rows) else 0


def installed(python: str, pip: str, limit: int) -> Row:
    """Install with one Python in a new environment; `pip` is a version, "" for the one that comes with it."""
    interpreter = find_python(python)
    if interpreter is None:
        return Row(python)
    folder = FOLDER / f"{python}-{pip or 'own'}"
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([interpreter, "-m", "venv", folder], check=True)
    inside = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if pip:
        subprocess.run([inside, "-m", "pip", "install", "-q", f"pip=={pip}"], check=True)
    start = time.monotonic()
    problem = pip_install(inside, folder / "pip.txt", limit)
    seconds = time.monotonic() - start
    if problem:
        return Row(python, pip or "its own", "", seconds, f"{problem}; see {folder / 'pip.txt'}")
    found = subprocess.run([inside, "-c", _VERSIONS], capture_output=True, text=True, check=False)
    if found.returncode != 0:
        return Row(python, pip or "its own", "", seconds, found.stderr.strip().splitlines()[-1])
    pip, _, profile = found.stdout.split()
    return Row(python, pip, profile, seconds)


def pip_install(python: Path, log: Path, limit: int) -> str:
    """Run `pip install .` with its output in `log`; why it failed, "" where it did not."""
    command: list[str | Path] = [python, "-m", "pip", "install", "--disable-pip-version-check", ROOT]
    with log.open("w", encoding="utf-8") as output:
        try:
            code = subprocess.run(
                command, stdout=output, stderr=subprocess.STDOUT, timeout=limit, check=False
            ).returncode
        except subprocess.TimeoutExpired:
            return f"not done after {limit} s"
    return f"pip ended with {code}" if code else ""


def as_table(rows: list[Row]) -> str:
    """The table, one row per installation."""
    lines = [("Python", "pip", "tensorboard-plugin-profile", "outcome"), ("---",) * 4]
    lines += [(row.python, row.pip, row.profile, row.outcome) for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    sys.exit(main())
