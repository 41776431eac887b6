"""Prints the Chromium that the browser tests run; `--install` brings one where there is none.

In this order: $CHROMIUM, the machine's own, Debian's package (as root), Playwright's download.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
)


def find() -> str | None:
    """Path of a Chromium or Chrome, None where there is none."""
    given = os.environ.get("CHROMIUM")
    if given:
        return given
    on_path = (shutil.which(name) for name in _NAMES)
    installed = (place for place in _PLACES if Path(place).exists())
    return next((path for path in (*on_path, *installed) if path is not None), None) or _of_playwright()


def _of_playwright() -> str | None:
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def install() -> None:
    """Bring a Chromium. Raises CalledProcessError where that fails."""
    if shutil.which("apt-get") is not None and os.geteuid() == 0:
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-qq"], check=True, stdout=sys.stderr)
        command = [
            "apt-get",
            "install",
            "-y",
            "-qq",
            "--no-install-recommends",
            "chromium",
            "fonts-dejavu-core",
        ]
        subprocess.run(command, check=True, stdout=sys.stderr, env=environment)
    else:
        command = [sys.executable, "-m", "playwright", "install", "chromium"]
        subprocess.run(command, check=True, stdout=sys.stderr)


def main() -> int:
    """Print the path; say what to do where there is none."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--install", action="store_true", help="install one where it is missing")
    found = find()
    if found is None and parser.parse_args().install:
        install()
        found = find()
    if found is None:
        print("No Chromium. Install one, or name it in the variable CHROMIUM.", file=sys.stderr)
        return 1
    print(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
