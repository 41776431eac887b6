"""No parameter of a request is ever a path: nothing outside of the logdir is opened, whatever is asked."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest
from werkzeug.test import Client

from tensorboard_plugin_memviewer.service import Service
from tests.reliability.captures import apps_of, program, write

PARAMETERS = (
    "run",
    "host",
    "module",
    "space",
    "at",
    "by",
    "id",
    "capacity",
    "format",
    "baseline_run",
    "baseline_host",
    "baseline_module",
    "baseline_space",
)

_opened: list[str] | None = None


def _note(event: str, arguments: tuple[object, ...]) -> None:
    if _opened is not None and event in ("open", "os.scandir", "os.listdir"):
        path = arguments[0]
        if isinstance(path, (str, bytes, os.PathLike)):
            _opened.append(os.fsdecode(path))


sys.addaudithook(_note)


@contextmanager
def opened() -> Iterator[list[str]]:
    """The paths that this process opens or lists within the block."""
    global _opened  # noqa: PLW0603 - a hook cannot be taken away again
    paths: list[str] = []
    _opened = paths
    try:
        yield paths
    finally:
        _opened = None


def attempts(outside: Path, logdir: Path) -> list[str]:
    """Ways to write the run outside of the logdir, and some that no file system takes."""
    way = os.path.relpath(outside, logdir / "plugins" / "profile")
    plain = [
        str(outside),
        way,
        f"a/{way}",
        f"./{way}",
        way.replace("/", "\\"),
        f"file://{outside}",
        f"//{outside}",
        "link",
        "link/secret",
        "link/secret/host0.xplane.pb",
        "a/../../../../outside",
        "a\x00",
        f"{outside}\x00.xplane.pb",
        "~",
        "~root/.bashrc",
        "/etc/passwd",
        "../" * 40 + "etc/passwd",
        "/proc/self/environ",
        "\\\\server\\share",
        "memory://x",
        "http://127.0.0.1:9/x",
    ]
    return [*plain, *(quote(text, safe="") for text in plain)]


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    """A logdir with one run, a link to a folder outside of it, and beside it a run that is not its own."""
    made = tmp_path / "logdir"
    write(made, "a")
    write(tmp_path / "outside", "secret", program(4096, "jit_secret"))
    (made / "plugins" / "profile" / "link").symlink_to(tmp_path / "outside" / "plugins" / "nothing_here")
    return made


@pytest.mark.skipif(sys.platform == "win32", reason="needs the right to make links")
def test_no_parameter_is_a_path(logdir: Path, tmp_path: Path) -> None:
    apps = apps_of(Service(str(logdir)))
    usual = {
        "run": "a",
        "module": "jit_f",
        "space": "HBM",
        "format": "csv",
        "id": "100",
        "baseline_run": "a",
        "baseline_module": "jit_f",
    }
    # What is imported when it is first needed is no answer to a path.
    for app in apps.values():
        Client(app).get(query_string=usual)
    outside = tmp_path / "outside" / "plugins" / "profile" / "secret"
    with opened() as paths:
        for route, app in apps.items():
            for parameter in PARAMETERS:
                for text in attempts(outside, logdir):
                    response = Client(app).get(query_string={**usual, parameter: text})
                    assert response.status_code in (200, 400, 404), (route, parameter, text)
                    assert b"jit_secret" not in response.get_data(), (route, parameter, text)
    assert [path for path in paths if not Path(path).is_relative_to(logdir)] == []


def test_the_hook_sees_what_is_opened(tmp_path: Path) -> None:
    write(tmp_path, "a")
    with opened() as paths:
        Service(str(tmp_path)).modules("a")
    assert any(path.endswith("host0.xplane.pb") for path in paths)
