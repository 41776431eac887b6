"""`memviewer doctor`: what is installed, and why a logdir shows nothing."""

from __future__ import annotations

import platform
import re
import sys
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Final

import tensorboard_plugin_memviewer
from tensorboard_plugin_memviewer.cli.exit_codes import FAILED, OK
from tensorboard_plugin_memviewer.cli.location import location_of
from tensorboard_plugin_memviewer.cli.options import Commands, add_command, add_format
from tensorboard_plugin_memviewer.cli.output import print_json
from tensorboard_plugin_memviewer.cli.safe_text import safe_markdown
from tensorboard_plugin_memviewer.cli.streams import until_closed
from tensorboard_plugin_memviewer.cli.terminal import Progress, styled
from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.service.diagnosis import Check, Diagnosis, diagnose
from tensorboard_plugin_memviewer.visible import visible
from tensorboard_plugin_memviewer.wire import VERSION

EXAMPLES: Final = ("logs", "logs --format json")

_NEEDED: Final = ("tensorboard", "protobuf", "numpy", "werkzeug", "fsspec")
_OLDEST_PROFILE: Final = (2, 20)
_COLORS: Final = {"ok": "green", "warning": "yellow", "failure": "red"}


def add(commands: Commands) -> None:
    """Add the command with its options."""
    parser = add_command(commands, "doctor", "Exits with 0 if the logdir shows something.", EXAMPLES)
    parser.add_argument(
        "path", metavar="PATH", nargs="?", help="a logdir; without it, only the installation is checked"
    )
    add_format(parser)


def run(arguments: Namespace) -> int:
    """Print what was found; FAILED where the installation is broken or the logdir shows nothing."""
    installation = list(_installation())
    found = Diagnosis((), shows=True)
    if arguments.path is not None:
        with Progress() as progress:
            found = diagnose(Service(location_of(arguments).path), progress.at)
    checks = [*installation, *found.checks]
    well = found.shows and all(check.status != "failure" for check in installation)
    with until_closed():
        if arguments.format == "json":
            print_json({"version": VERSION, "ok": well, "checks": [asdict(check) for check in checks]})
        else:
            for check in checks:
                print(_in_words(check, arguments.format))
    return OK if well else FAILED


def _in_words(check: Check, kind: str) -> str:
    if kind == "markdown":
        advice = f" {safe_markdown(check.advice)}" if check.advice else ""
        return f"- **{check.status}** {safe_markdown(check.about)}: {safe_markdown(check.message)}.{advice}"
    mark = styled(f"{check.status:<7}", _COLORS[check.status])
    advice = f"\n          {visible(check.advice)}" if check.advice else ""
    return f"{mark}  {visible(check.about)}: {visible(check.message)}{advice}"


def _installation() -> Iterator[Check]:
    version = tensorboard_plugin_memviewer.__version__
    yield Check("ok", "memviewer", f"{version} on Python {platform.python_version()} ({sys.executable})")
    for name in _NEEDED:
        found = _version(name)
        if found is None:
            yield Check(
                "failure", name, "is not installed", f"Install it: {sys.executable} -m pip install {name}"
            )
        else:
            yield Check("ok", name, found)
    yield _entry_point()
    yield _page()
    yield from _profile_plugins()


def _entry_point() -> Check:
    """TensorBoard finds the tab by an entry point of the installed package."""
    names = [point.name for point in metadata.entry_points(group="tensorboard_plugins")]
    if "memviewer" in names:
        return Check("ok", "TensorBoard tab", "is registered")
    advice = f"Install the package itself: {sys.executable} -m pip install tensorboard-plugin-memviewer"
    return Check("failure", "TensorBoard tab", "is not registered with TensorBoard", advice)


def _page() -> Check:
    page = Path(tensorboard_plugin_memviewer.__file__).parent / "static" / "page.html"
    if page.is_file():
        return Check("ok", "page", "is there")
    return Check("failure", "page", "is missing", "Install a released wheel, or build the page: make page")


def _profile_plugins() -> Iterator[Check]:
    """The Profile tab is another package's; two of its packages at once are one too many."""
    found = {
        name: _version(name)
        for name in ("xprof", "tensorboard-plugin-profile", "xprof-nightly", "tbp-nightly")
    }
    installed = [f"{name} {version}" for name, version in found.items() if version is not None]
    if not installed:
        yield Check("ok", "Profile tab", "is not installed; only the Memory Viewer tab is available")
        return
    versions = [version for version in found.values() if version is not None]
    if any(_older(version, _OLDEST_PROFILE) for version in versions):
        advice = "Upgrade it (pip install -U tensorboard-plugin-profile), or use the Memory Viewer tab."
        yield Check("warning", "Profile tab", f"{', '.join(installed)}: keeps its own Memory Viewer", advice)
        return
    yield Check("ok", "Profile tab", ", ".join(installed))


def _older(version: str, oldest: tuple[int, int]) -> bool:
    numbers = re.findall(r"\d+", version)[:2]
    return len(numbers) == 2 and (int(numbers[0]), int(numbers[1])) < oldest


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
