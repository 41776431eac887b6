"""What both tools that take pictures need: their arguments, and the demo in TensorBoard and Chromium.

Knows no picture.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import ARGUMENTS
from tests.browser.tensorboard import serve
from tests.conftest import DEMO
from tools.find_chromium import find


def which_and_where(description: str | None, known: Collection[str], folder: Path) -> tuple[list[str], Path]:
    """The names on the command line, all that are known without one, and the folder for their pictures."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(known)}")
    parser.add_argument("--into", type=Path, default=folder, metavar="FOLDER")
    arguments = parser.parse_args()
    if unknown := sorted(set(arguments.names) - set(known)):
        parser.error(f"there is no {', '.join(unknown)}")
    into: Path = arguments.into
    into.mkdir(parents=True, exist_ok=True)
    return arguments.names or list(known), into


@contextmanager
def demo_page() -> Iterator[tuple[str, Browser]]:
    """The address of the page on a copy of the demo captures, and a browser for it, until the block ends."""
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find(), args=ARGUMENTS)
        with serve(shutil.copytree(DEMO, Path(scratch) / "logs")) as server:
            yield f"{server.data}page.html", chromium
        chromium.close()
