"""`memviewer findings`: each with bytes, evidence and something to try."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.build import hlo_bytes
from tests.cli.conftest import Answer

Command = Callable[..., Answer]


def test_a_program_over_capacity(memviewer: Command, demo: Path) -> None:
    answer = memviewer("findings", demo / "xla_dump_oom", "--format", "json").json
    first = answer["spaces"][0]["findings"][0]
    assert answer["spaces"][0]["space"] == "HBM"
    assert first["bytes"] == 19327353344 - 16911433728
    shown = memviewer("findings", demo / "xla_dump_oom").out
    assert first["title"] in shown
    assert first["advice"] in shown


def test_every_finding_has_bytes_and_advice(memviewer: Command, data: Path) -> None:
    answer = memviewer("findings", data / "modules", "--module", "v5e_padding", "--format", "json").json
    findings = [finding for space in answer["spaces"] for finding in space["findings"]]
    assert findings
    for finding in findings:
        assert finding["bytes"] > 0
        assert finding["title"]
        assert finding["advice"]
    assert any("padding" in finding["kind"] for finding in findings)


@pytest.mark.parametrize("kind", ["text", "markdown"])
def test_a_module_where_nothing_stands_out(memviewer: Command, data: Path, kind: str) -> None:
    answer = memviewer("findings", data / "modules", "--module", "v5e_scalar", "--format", kind)
    assert answer.code == 0
    assert "Nothing stands out." in answer.out


def test_a_large_buffer_is_named_where_nothing_else_is_found(memviewer: Command, tmp_path: Path) -> None:
    """An argument that is most of the peak may be what to shard, which no finding knows."""
    text = """
    entry main:
      p = f32[262144] parameter() op="emb"
      r = f32[16] add(p, p)
    alloc parameter 1048576: p:1048576
    alloc output 64: r:64
    """
    (tmp_path / "one.hlo_proto.pb").write_bytes(hlo_bytes(text))
    out = memviewer("findings", tmp_path / "one.hlo_proto.pb").out
    assert "Nothing stands out" not in out
    assert "The largest buffer at the peak is emb f32[262144]: 1.00 MiB, 99.9 % of it (Parameter)." in out


def test_what_a_change_frees_is_said_with_its_bounds(memviewer: Command, data: Path) -> None:
    path = data / "modules" / "v5e_tf_scan_nodonate.hlo_proto.pb"
    found = memviewer("findings", path, "--format", "json").json["spaces"][0]["findings"]
    donation = next(finding for finding in found if finding["cure"] == "donation")
    assert donation["effect"]["kind"] == "unknown" and donation["effect"]["low"] == 0
    assert donation["effect"]["high"] >= donation["bytes"]
    assert f"Up to 1.22 GiB: {donation['title']}" in memviewer("findings", path).out


def test_a_capacity_without_a_space_is_that_of_hbm(memviewer: Command, data: Path) -> None:
    path = data / "modules" / "v5e_tf_scan.hlo_proto.pb"
    for capacity, spaces in (("1MiB", {"HBM"}), ("VMEM=1MiB", {"VMEM"})):
        answer = memviewer("findings", path, "--capacity", capacity, "--format", "json").json
        over = {
            space["space"]
            for space in answer["spaces"]
            if any(finding["kind"].endswith("over_capacity") for finding in space["findings"])
        }
        assert over == spaces
