"""Output that cannot be written: a typed error and an honest exit code, never a traceback."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cli.test_process import MEMVIEWER
from tests.patience import PROGRAM_S

FULL = Path("/dev/full")
pytestmark = pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")


def shell(line: str, *arguments: object, unbuffered: str = "") -> subprocess.CompletedProcess[str]:
    """Run a line of shell in which "$@" is the command."""
    return subprocess.run(
        ["/bin/sh", "-c", line, "sh", *MEMVIEWER, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=PROGRAM_S,
        check=False,
        env={"PYTHONUNBUFFERED": unbuffered},
    )


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("list", "{demo}"),
        ("summary", "{demo}", "--format", "json"),
        ("check", "{demo}", "--max-hbm", "1TiB"),
        ("doctor",),
        ("export", "{demo}", "-o", "-"),
        ("--help",),
    ],
)
def test_a_full_disk_is_a_typed_error(demo: Path, arguments: tuple[str, ...], unbuffered: str) -> None:
    given = [argument.format(demo=demo) for argument in arguments]
    done = shell('"$@" > /dev/full', *given, unbuffered=unbuffered)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "memviewer: the output cannot be written: No space left on device",
        "  Free some space there, or write it elsewhere.",
    ]


def test_errors_that_cannot_be_written_keep_their_exit_code(demo: Path) -> None:
    for arguments in (("list", "/nowhere"), ("frob",), ("check", demo, "--max-hbm", "1KiB", "--max", "x")):
        assert shell('"$@" 2> /dev/full', *arguments).returncode == 2


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(("limit", "code"), [("1KiB", 1), ("1TiB", 0)])
@pytest.mark.parametrize("kind", ["text", "json"])
def test_a_check_keeps_its_exit_code_when_its_reader_stops(
    demo: Path, kind: str, limit: str, code: int, unbuffered: str
) -> None:
    line = '{ sleep 0.2; "$@"; echo $? >&2; } | true'
    done = shell(line, "check", demo, "--max-hbm", limit, "--format", kind, unbuffered=unbuffered)
    assert done.stderr == f"{code}\n"


def test_a_closed_stream_takes_everything(demo: Path) -> None:
    assert shell('"$@" >&-', "check", demo, "--max-hbm", "1KiB").returncode == 1
    listed = shell('"$@"', "list", demo).stdout
    done = shell('"$@" 2>&-', "list", demo)
    assert (done.returncode, done.stdout) == (0, listed)
    assert shell('"$@" 2>&-', "list", "/nowhere").stdout == ""
