"""The command as a process: exit codes, closed pipes, terminals, and a quick start."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S, PROGRAM_S

MEMVIEWER = (sys.executable, "-m", "tensorboard_plugin_memviewer.cli")
HEAVY = ("numpy", "google.protobuf", "tensorboard", "fsspec", "werkzeug", "asyncio")
# Small, but together they take longer to load than a large capture takes to scan.
SMALL = ("dataclasses", "inspect", "json", "datetime")


def run(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    command = [*MEMVIEWER, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=PROGRAM_S, check=False, **options)  # type: ignore[call-overload,no-any-return]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("list", "{demo}"), 0),
        (("check", "{demo}", "--max-hbm", "1KiB"), 1),
        (("list", "/nowhere"), 2),
        (("frob",), 2),
    ],
)
def test_exit_codes(demo: Path, arguments: tuple[str, ...], code: int) -> None:
    done = run(*(argument.format(demo=demo) for argument in arguments))
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr


def test_the_installed_script_is_the_same_command() -> None:
    script = Path(sys.executable).parent / "memviewer"
    shown = subprocess.run([script, "--version"], capture_output=True, text=True, check=True).stdout
    assert shown == run("--version").stdout


def imported_by(*arguments: str) -> set[str]:
    """The modules that a run of Python imports."""
    command = [sys.executable, "-X", "importtime", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PROGRAM_S, check=True)
    lines = (line for line in done.stderr.splitlines() if line.startswith("import time:"))
    return {line.rsplit("|", 1)[1].strip() for line in lines}


def test_list_starts_without_anything_heavy(demo: Path) -> None:
    imported = imported_by("-m", "tensorboard_plugin_memviewer.cli", "list", str(demo))
    assert "tensorboard_plugin_memviewer.formats.xspace" in imported
    # Since Python 3.14 argparse needs some of the small ones itself.
    imported -= imported_by("-c", "import argparse; argparse.ArgumentParser().parse_args()")
    unwanted = tuple(f"{one}." for one in (*HEAVY, *SMALL))
    assert not [name for name in imported if f"{name}.".startswith(unwanted)]


def test_a_reader_that_has_seen_enough(demo: Path) -> None:
    with subprocess.Popen(
        [*MEMVIEWER, "list", str(demo)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(PATIENCE_S) == 0


def test_a_stream_that_knows_no_letters(data: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    done = run("peak", data / "captures", "--format", "text", env=environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii()


def test_a_stream_without_a_minus_sign_has_a_hyphen(demo: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    done = run("check", demo, "--max-hbm", "1KiB", "--format", "text", env=environment)
    assert done.returncode == 1, done.stderr
    assert re.search(r" -\d+(\.\d\d)? [KMG]iB", done.stdout)
    assert "2212" not in done.stdout


def on_a_terminal(*arguments: object, columns: int = 80) -> str:
    """What the command writes to a terminal."""
    leader, follower = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm"}
    environment.pop("NO_COLOR", None)
    command = [*MEMVIEWER, *map(str, arguments)]
    with subprocess.Popen(command, stdout=follower, stderr=follower, env=environment) as process:
        os.close(follower)
        written = bytearray()
        while True:
            try:
                part = os.read(leader, 65536)
            except OSError:
                break
            if not part:
                break
            written += part
        process.wait(PATIENCE_S)
    os.close(leader)
    return written.decode()


def test_color_and_width_on_a_terminal_only(demo: Path) -> None:
    shown = on_a_terminal("summary", demo, columns=100)
    assert "\x1b[1m" in shown
    lines = re.sub(r"\x1b\[[0-9;]*[mK]", "", shown).replace("\r", "").splitlines()
    assert any("…" in line for line in lines)
    piped = run("summary", demo).stdout
    assert "\x1b" not in piped
    assert "…" not in piped


def test_no_color_is_heeded(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    environment = {**os.environ}
    leader, follower = pty.openpty()
    with subprocess.Popen([*MEMVIEWER, "list", str(demo)], stdout=follower, env=environment) as process:
        os.close(follower)
        written = b""
        try:
            while part := os.read(leader, 65536):
                written += part
        except OSError:
            pass
        process.wait(PATIENCE_S)
    os.close(leader)
    assert b"\x1b" not in written


@pytest.fixture
def heeding_interrupts() -> Iterator[None]:
    """What a shell runs in the background is deaf to Ctrl-C, and so are its children: not in this test."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeding_interrupts")
def test_interrupt_is_how_a_server_ends(demo: Path) -> None:
    page = demo.parent / "static" / "page.html"
    if not page.is_file():
        pytest.skip("the page is not built")
    command = [*MEMVIEWER, "serve", str(demo), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        address = re.search(r"http://127.0.0.1:\S+", process.stdout.readline())
        assert address is not None
        with urllib.request.urlopen(address[0], timeout=PATIENCE_S) as answer:
            assert answer.status == 200
        process.send_signal(signal.SIGINT)
        try:
            assert process.wait(PATIENCE_S) == 0
        finally:
            process.kill()
        assert "Traceback" not in process.stderr.read()


@pytest.mark.slow
def test_demo_is_a_real_tensorboard_on_a_copy_of_the_captures(tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    command = [*MEMVIEWER, "demo", "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        address = re.search(r"http://\S+/", line)
        assert address is not None, line
        assert len(list(tmp_path.glob("memviewer-demo-*"))) == 1
        with urllib.request.urlopen(f"{address[0]}data/plugin/memviewer/runs", timeout=PATIENCE_S) as answer:
            runs = [run["run"] for run in json.load(answer)["runs"]]
        assert "tpu_v5e_transformer" in runs
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0
    assert list(tmp_path.glob("memviewer-demo-*")) == []
