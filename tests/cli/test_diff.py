"""`memviewer diff`: the parts sum to the whole, and the two ways round are each other's negative."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Answer

Command = Callable[..., Answer]
PAIRS = [
    ("v5e_mlp_donated", "v5e_mlp_nodonate"),
    ("v5e_tf_scan", "v5e_tf_remat"),
    ("v5e_tf_scan", "v5e_tf_scan_nodonate"),
]


def file(data: Path, name: str) -> Path:
    return data / "modules" / f"{name}.hlo_proto.pb"


def diff(memviewer: Command, data: Path, a: str, b: str, space: str = "HBM") -> Any:
    answer = memviewer("diff", file(data, a), file(data, b), "--space", space, "--format", "json")
    assert answer.code == 0
    return answer.json


@pytest.mark.parametrize(("a", "b"), PAIRS)
@pytest.mark.parametrize("space", ["HBM", "VMEM"])
def test_parts_sum_to_the_whole(memviewer: Command, data: Path, a: str, b: str, space: str) -> None:
    if not (file(data, a).exists() and file(data, b).exists()):
        pytest.skip("not among the modules here")
    made = diff(memviewer, data, a, b, space)
    parts = made["parts"]
    assert sum(change["difference_bytes"] for change in made["changes"]) == parts["buffers_bytes"]
    total = parts["buffers_bytes"] - parts["shared_bytes"] + parts["scoped_bytes"]
    assert total == parts["total_bytes"] == made["difference"]["peak_bytes"]
    for name, difference in made["difference"].items():
        assert difference == made["subject"]["headline"][name] - made["baseline"]["headline"][name]


def test_a_module_against_itself_is_empty(memviewer: Command, data: Path) -> None:
    made = diff(memviewer, data, "v5e_mlp_donated", "v5e_mlp_donated")
    assert made["changes"] == []
    assert set(made["difference"].values()) == {0}
    shown = memviewer("diff", file(data, "v5e_mlp_donated"), file(data, "v5e_mlp_donated"))
    assert "No buffer differs" in shown.out


def test_the_other_way_round_is_the_negative(memviewer: Command, data: Path) -> None:
    there = diff(memviewer, data, "v5e_mlp_donated", "v5e_mlp_nodonate")
    back = diff(memviewer, data, "v5e_mlp_nodonate", "v5e_mlp_donated")
    assert there["difference"] == {name: -value for name, value in back["difference"].items()}
    assert [-change["difference_bytes"] for change in back["changes"]] == [
        change["difference_bytes"] for change in there["changes"]
    ]
    opposite = {"appeared": "went", "went": "appeared", "grew": "shrank", "shrank": "grew", "moved": "moved"}
    assert [opposite[change["kind"]] for change in back["changes"]] == [
        change["kind"] for change in there["changes"]
    ]


def test_two_modules_of_one_capture_by_name(memviewer: Command, data: Path) -> None:
    modules = data / "modules"
    a, b = f"{modules}#module=v5e_mlp_donated", f"{modules}#module=v5e_mlp_nodonate"
    shown = memviewer("diff", a, b, "--top", 3)
    assert shown.code == 0
    assert "v5e_mlp_nodonate" in shown.out
    assert "more)" in shown.out
    markdown = memviewer("diff", a, b, "--format", "markdown").out
    assert "| Number | Baseline | Now | Difference |" in markdown


def test_a_buffer_that_is_not_alive_at_the_peak_says_so(memviewer: Command, data: Path) -> None:
    shown = memviewer("diff", file(data, "v5e_tf_scan"), file(data, "v5e_tf_remat"))
    assert "not at the peak" in shown.out
    assert " in 0 buffers" not in shown.out
    assert "864 MiB in 6 buffers" in shown.out
