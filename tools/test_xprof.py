"""Runs the tests inside the Profile tab against several versions of xprof, each in an environment of its own.

Without arguments: from the oldest version that is supported to the newest, one for each change of its page.
`latest` is whatever is newest today. Ends with a table, a row a version; one skipped test fails its row.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from tools.test_matrix import OLD_TENSORBOARD, uv

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "xprof"
TESTS = sorted((ROOT / "tests" / "browser").glob("test_profile_tab*.py"))
VERSIONS = ("2.20.0", "2.22.1", "2.23.3", "2.24.2")
_INSTALLED = (
    "from importlib.metadata import version\n"
    "print(*map(version, ('xprof', 'tensorboard', 'protobuf')), sep='\\n')"
)


@dataclass(frozen=True, slots=True)
class Row:
    """What one version came to; `problems` are the tests that did not pass, or why none ran."""

    wanted: str
    xprof: str = ""
    tensorboard: str = ""
    protobuf: str = ""
    tests: int = 0
    seconds: float = 0.0
    problems: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether tests ran, and every one passed."""
        return self.tests > 0 and not self.problems


def main() -> int:
    """Test every version named; 1 where one failed."""
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "uv"], check=True)
    rows = [tested(version) for version in sys.argv[1:] or VERSIONS]
    print(f"\n{as_table(rows)}")
    return 0 if all(row.passed for row in rows) else 1


def tested(wanted: str) -> Row:
    """Make the environment of one version and run the tests with it."""
    print(f"== xprof {wanted}", flush=True)
    folder = FOLDER / wanted
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    try:
        make_environment(wanted, folder, python)
        found = subprocess.run([python, "-c", _INSTALLED], capture_output=True, text=True, check=True)
    except subprocess.CalledProcessError as error:
        return Row(wanted, problems=(f"no environment: {error}",))
    xprof, tensorboard, protobuf = found.stdout.split()
    results = folder / "results.xml"
    command = [sys.executable, "-m", "pytest", "-q", f"--junitxml={results}", *map(os.fspath, TESTS)]
    environment = {**os.environ, "MEMVIEWER_TENSORBOARD_PYTHON": os.fspath(python)}
    code = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
    tests, seconds, problems = read_results(results) if results.exists() else (0, 0.0, ())
    if code != 0 and not problems:
        problems = (f"pytest ended with {code}",)
    return Row(wanted, xprof, tensorboard, protobuf, tests, seconds, problems)


def make_environment(wanted: str, folder: Path, python: Path) -> None:
    """A new environment with our package and one version of xprof. Raises CalledProcessError."""
    shutil.rmtree(folder, ignore_errors=True)
    exact = "" if wanted == "latest" else f"=={wanted}"
    packages = (f"tensorboard-plugin-profile{exact}", f"xprof{exact}", *OLD_TENSORBOARD, "-e", ROOT)
    subprocess.run(uv("venv", "--python", sys.executable, folder), check=True)
    subprocess.run(uv("pip", "install", "--python", python, *packages), check=True)


def read_results(path: Path) -> tuple[int, float, tuple[str, ...]]:
    """Number of tests, seconds of all, and those that did not pass, of a file in JUnit's format."""
    # Written by our own pytest a moment ago.
    cases = list(ElementTree.parse(path).getroot().iter("testcase"))  # noqa: S314
    problems = tuple(
        f"{case.get('name')}: {outcome.tag}"
        for case in cases
        for outcome in case
        if outcome.tag in ("failure", "error", "skipped")
    )
    return len(cases), sum(float(case.get("time", 0)) for case in cases), problems


def as_table(rows: list[Row]) -> str:
    """A row a version, and beneath it the tests that did not pass."""
    lines = [f"{'xprof':<8} {'TensorBoard':<12} {'protobuf':<9} {'tests':>5} {'seconds':>8}  result"]
    for row in rows:
        result = "passed" if row.passed else "FAILED"
        lines.append(
            f"{row.xprof or row.wanted:<8} {row.tensorboard:<12} {row.protobuf:<9} "
            f"{row.tests:>5} {row.seconds:>8.0f}  {result}"
        )
        lines += [f"    {problem}" for problem in row.problems]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
