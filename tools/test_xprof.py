"""Runs the tests inside the Profile tab against several versions of xprof, each in an environment of its own.

Without arguments: from the oldest version that is supported to the newest, one for each change of its page.
`latest` is whatever is newest today.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "xprof"
TESTS = sorted((ROOT / "tests" / "browser").glob("test_profile_tab*.py"))
VERSIONS = ("2.20.0", "2.22.1", "2.23.3", "2.24.2")


def environment(version: str) -> Path:
    """Python of a new environment with our package and that version of xprof."""
    folder = FOLDER / version
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    wanted = "" if version == "latest" else f"=={version}"
    packages = [
        f"tensorboard-plugin-profile{wanted}",
        f"xprof{wanted}",
        "setuptools<81",
        "-e",
        os.fspath(ROOT),
    ]
    subprocess.run([python, "-m", "pip", "install", "-q", *packages], check=True)
    return python


def passes(version: str) -> bool:
    """Whether the tests pass with that version."""
    print(f"== xprof {version}", flush=True)
    environ = {**os.environ, "MEMVIEWER_TENSORBOARD_PYTHON": os.fspath(environment(version))}
    command = [sys.executable, "-m", "pytest", "-q", *map(os.fspath, TESTS)]
    return subprocess.run(command, cwd=ROOT, env=environ, check=False).returncode == 0


def main() -> int:
    """Test every version named; 1 where one failed."""
    versions = sys.argv[1:] or VERSIONS
    failed = [version for version in versions if not passes(version)]
    if failed:
        print(f"failed with xprof {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
