"""What people see, byte for byte: a change here is a change of the command's face, to be looked at."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Answer
from tests.conftest import DATA, DEMO, ROOT

GOLDEN = ROOT / "tests" / "golden" / "cli"
MODULES = DATA / "modules"
COMMANDS = {
    "list.txt": ("list", DEMO),
    "summary.txt": ("summary", DATA / "captures"),
    "summary.md": (
        "summary",
        f"{MODULES}#module=v5e_padding",
        "--format",
        "markdown",
        "--capacity",
        "15.75G",
    ),
    "peak_vmem.txt": ("peak", f"{MODULES}#module=v5e_padding&space=VMEM", "--by", "shape", "--top", "5"),
    "peak.json": ("peak", f"{MODULES}#module=v5e_scalar", "--format", "json"),
    "diff.txt": (
        "diff",
        f"{MODULES}#module=v5e_mlp_donated",
        f"{MODULES}#module=v5e_mlp_nodonate",
        "--top",
        "4",
    ),
    "explain_oom.txt": ("explain-oom", DEMO / "xla_dump_oom" / "error.txt", "--top", "3"),
    "explain_oom.md": (
        "explain-oom",
        DEMO / "xla_dump_oom" / "error.txt",
        "--top",
        "3",
        "--format",
        "markdown",
    ),
    "check.txt": ("check", f"{MODULES}#module=v5e_padding", "--max-hbm", "112MiB", "--max", "VMEM=128MiB"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_output(memviewer: Callable[..., Answer], name: str, pytestconfig: pytest.Config) -> None:
    answer = memviewer(*COMMANDS[name])
    assert str(ROOT) not in answer.out, "a golden must not know where it was made"
    path = GOLDEN / name
    if pytestconfig.getoption("--update-goldens"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(answer.out, encoding="utf-8")
    assert answer.out == path.read_text(encoding="utf-8")


def test_every_golden_has_its_command() -> None:
    assert {path.name for path in Path(GOLDEN).iterdir()} == set(COMMANDS)
