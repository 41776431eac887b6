"""Runs the fast tests on every Python, with the oldest and the newest packages allowed, and prints a table.

Looks for the Pythons on PATH and in pyenv; one that this machine lacks is reported as not run. `--write FILE`
keeps the table.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "matrix"
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
RESOLUTIONS = {"oldest": "lowest-direct", "newest": "highest"}
SHOWN = ("tensorboard", "protobuf", "numpy", "werkzeug", "fsspec", "tensorboard-plugin-profile", "jax")
TOOLS = ("pytest>=8", "hypothesis", "pytest-xdist", "brotli", "pillow", "playwright")
# TensorBoard before 2.20 needs pkg_resources, which newer versions of setuptools lack.
OLD_TENSORBOARD = ("setuptools<81",)
EXTRA = {
    "oldest": OLD_TENSORBOARD,
    # None is a dependency: with the oldest packages the tests are run without them.
    "newest": ("jax", "pandas", "nbclient", "ipykernel", "pip"),
}

_HEAD = """# Versions

`make test-matrix` runs the tests that need no browser on every supported Python, with the oldest and with the
newest packages that are allowed, and writes this table. JAX is not a dependency: the tests that need it run
in the rows with the newest packages, with the newest JAX for that Python, and are skipped in the other rows.
The supported versions of xprof are listed under [In the Profile tab](profile_tab.md).
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One environment; `outcome` is pytest's last line, or what failed before it.

    `passed` is None where this machine lacks the Python.
    """

    python: str
    packages: str
    versions: tuple[str, ...]
    outcome: str
    passed: bool | None


def main() -> int:
    """Run every row; 1 where one failed or none was run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pythons", nargs="*", default=PYTHONS, help="versions of Python; all unless given")
    parser.add_argument("--write", type=Path, metavar="FILE", help="keep the table in this file")
    arguments = parser.parse_args()
    write: Path | None = arguments.write
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "uv"], check=True)
    rows = [tested(python, packages) for python in arguments.pythons for packages in RESOLUTIONS]
    table = as_markdown(rows)
    print(table)
    if write is not None:
        write.write_text(f"{_HEAD}\n{table}", encoding="utf-8")
    outcomes = {row.passed for row in rows}
    return 0 if True in outcomes and False not in outcomes else 1


def tested(python: str, packages: str) -> Row:
    """Make one environment and run the tests in it."""
    interpreter = find_python(python)
    if interpreter is None:
        return Row(python, packages, ("",) * len(SHOWN), "not run: not on this machine", None)
    folder = FOLDER / f"{python}-{packages}"
    shutil.rmtree(folder, ignore_errors=True)
    inside = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    extra = EXTRA[packages]
    steps = (
        uv("venv", "--python", interpreter, folder),
        uv("pip", "install", "--python", inside, *TOOLS, *extra),
        uv("pip", "install", "--python", inside, "--resolution", RESOLUTIONS[packages], "-e", ROOT, *extra),
    )
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return Row(python, packages, ("",) * len(SHOWN), done.stderr.strip().splitlines()[-1], False)
    command = [os.fspath(inside), "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += ["-m", "not packaging and not house", "--ignore", "tests/browser"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    (folder / "pytest.txt").write_text(done.stdout + done.stderr, encoding="utf-8")
    lines = done.stdout.strip().splitlines() or ["pytest did not start"]
    outcome = re.sub(r", \d+ deselected| in [\d.]+s.*", "", lines[-1].strip("= "))
    return Row(python, packages, versions(inside), outcome, done.returncode == 0)


def uv(*arguments: str | Path) -> list[str]:
    """A command of uv, which installs in seconds and knows how to take the oldest versions."""
    return [sys.executable, "-m", "uv", "-q", *(os.fspath(argument) for argument in arguments)]


def find_python(version: str) -> str | None:
    """An interpreter of that version: pyenv's, else the one on PATH."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    of_pyenv = sorted(root.glob(f"{version}.*/bin/python"))
    return os.fspath(of_pyenv[-1]) if of_pyenv else shutil.which(f"python{version}")


def versions(python: Path) -> tuple[str, ...]:
    """Versions of the packages of the table in one environment, "" for one that is absent."""
    code = (
        "import importlib.metadata as m, sys\n"
        "have = {d.metadata['Name'].lower().replace('_', '-'): d.version for d in m.distributions()}\n"
        "print(*(have.get(name, '') for name in sys.argv[1:]), sep='\\n')"
    )
    done = subprocess.run([python, "-c", code, *SHOWN], capture_output=True, text=True, check=True)
    return tuple(done.stdout.split("\n")[: len(SHOWN)])


def as_markdown(rows: list[Row]) -> str:
    """The table, a row an environment."""
    head = ("Python", "packages", *SHOWN, "tests")
    cells = [(row.python, row.packages, *row.versions, row.outcome) for row in rows]
    lines = [head, tuple("---" for _ in head), *cells]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    sys.exit(main())
