"""`memviewer check`: exit codes that CI can trust."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Answer

Command = Callable[..., Answer]


def required(memviewer: Command, path: Path, module: str) -> int:
    (found,) = memviewer("summary", path, "--module", module, "--format", "json").json["modules"]
    (hbm,) = [space["required_bytes"] for space in found["spaces"] if space["space"] == "HBM"]
    return int(hbm)


def test_the_limit_is_inclusive_to_the_byte(memviewer: Command, data: Path) -> None:
    needs = required(memviewer, data / "modules", "v5e_mlp_donated")
    chosen = ("check", data / "modules", "--module", "v5e_mlp_donated", "--max-hbm")
    assert memviewer(*chosen, needs).code == 0
    over = memviewer(*chosen, needs - 1, "--format", "json")
    assert over.code == 1
    (verdict,) = over.json["verdicts"]
    assert (verdict["required_bytes"], verdict["allowed_bytes"], verdict["passed"]) == (
        needs,
        needs - 1,
        False,
    )
    assert not over.json["passed"]


def test_other_memory_spaces(memviewer: Command, data: Path) -> None:
    chosen = ("check", data / "modules", "--module", "v5e_tf_scan", "--max")
    assert memviewer(*chosen, "VMEM=128MiB").code == 0
    assert memviewer(*chosen, "VMEM=100MiB").code == 1
    assert memviewer(*chosen, "100MiB").code == 2


def test_growth_over_a_baseline(memviewer: Command, data: Path) -> None:
    before, after = (
        data / "modules" / "v5e_mlp_donated.hlo_proto.pb",
        data / "modules" / "v5e_mlp_nodonate.hlo_proto.pb",
    )
    least = required(memviewer, before, "v5e_mlp_donated")
    grown = memviewer("check", data / "captures", "--baseline", data / "captures", "--format", "json")
    assert grown.code == 0
    assert all(verdict["baseline_bytes"] == verdict["required_bytes"] for verdict in grown.json["verdicts"])
    other = memviewer("check", after, "--baseline", before, "--format", "json")
    assert other.code == 0, "modules of other names are not held against each other"
    assert other.json["not_in_baseline"] == ["v5e_mlp_nodonate"]
    assert least > 0


def test_growth_is_measured_by_name(memviewer: Command, data: Path, tmp_path: Path) -> None:
    for folder, name in (("before", "v5e_mlp_donated"), ("after", "v5e_mlp_nodonate")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "step.hlo_proto.pb").write_bytes(
            (data / "modules" / f"{name}.hlo_proto.pb").read_bytes()
        )
    chosen = ("check", tmp_path / "after", "--baseline", tmp_path / "before")
    assert memviewer(*chosen).code == 1
    assert memviewer(*chosen, "--max-growth", "100%").code == 0
    grown = required(memviewer, tmp_path / "after", "step") - required(memviewer, tmp_path / "before", "step")
    assert memviewer(*chosen, "--max-growth", grown).code == 0
    assert memviewer(*chosen, "--max-growth", grown - 1).code == 1


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--max-growth", "2%"),
        ("--max-hbm", "lots"),
        ("--max-hbm", "14GB"),
        ("--max", "VMEM=96MB"),
        ("--baseline", "/nowhere/at/all"),
    ],
)
def test_what_cannot_be_checked(memviewer: Command, data: Path, options: tuple[str, ...]) -> None:
    answer = memviewer("check", data / "captures", *options)
    assert answer.code == 2
    assert answer.err.startswith("memviewer: ")


def test_a_module_that_cannot_be_read_is_not_vouched_for(
    memviewer: Command, data: Path, tmp_path: Path
) -> None:
    for source in (
        data / "modules" / "v5e_scalar.hlo_proto.pb",
        data / "damaged" / "truncated_v5e_mlp.hlo_proto.pb",
    ):
        if source.exists():
            (tmp_path / source.name).write_bytes(source.read_bytes())
    answer = memviewer("check", tmp_path, "--max-hbm", "1TiB", "--format", "json")
    assert answer.code == 2
    assert not answer.json["passed"]
    assert memviewer("check", tmp_path, "--max-hbm", "1TiB", "--module", "v5e_scalar").code in (0, 2)


def test_a_limit_without_a_unit_is_not_taken_for_bytes(memviewer: Command, demo: Path) -> None:
    answer = memviewer("check", demo, "--max-hbm", "14")
    assert answer.code == 2
    assert "'14' without a unit is 14 bytes" in answer.err
    grown = memviewer("check", demo, "--baseline", demo, "--max-growth", "2")
    assert grown.code == 2
    assert "'2' without a unit is 2 bytes" in grown.err
    assert memviewer("check", demo, "--baseline", demo, "--max-growth", "0").code == 0
    assert memviewer("check", demo, "--max-hbm", "14 B").code == 1
