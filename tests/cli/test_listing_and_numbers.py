"""`list`, `summary` and `peak` on real captures, against numbers computed independently."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tensorboard_plugin_memviewer.vocabulary.groupings import GROUPINGS
from tests.cli.conftest import Answer

Command = Callable[..., Answer]


@pytest.fixture(scope="module")
def expected() -> Any:
    return json.loads((Path(__file__).parents[1] / "data" / "expected.json").read_text())


def test_list_names_every_program(memviewer: Command, demo: Path) -> None:
    answer = memviewer("list", demo, "--format", "json")
    assert answer.code == 0
    runs = {run["run"]: run for run in answer.json["runs"]}
    assert len(runs["tpu_v5e_transformer"]["modules"]) >= 1
    assert runs["xla_dump_oom"]["kind"] == "xla_dump"
    assert all(module["size_bytes"] > 0 for run in runs.values() for module in run["modules"])
    shown = memviewer("list", demo).out
    for run in runs.values():
        for module in run["modules"]:
            assert module["module"] in shown


def test_list_of_one_run_and_of_nothing(memviewer: Command, demo: Path, tmp_path: Path) -> None:
    only = memviewer("list", f"{demo}#run=gpu_h100", "--format", "json").json
    assert [run["run"] for run in only["runs"]] == ["gpu_h100"]
    assert memviewer("list", demo, "--run", "no such run").code == 2
    empty = memviewer("list", tmp_path)
    assert (empty.code, empty.out) == (2, "")
    assert empty.err.startswith("memviewer: ")
    assert "no memory profile found" in empty.err
    missing = memviewer("list", tmp_path / "missing")
    assert missing.code == 2
    assert "does not exist" in missing.err


def test_summary_has_the_expected_numbers(memviewer: Command, data: Path, expected: Any) -> None:
    answer = memviewer("summary", data / "modules", "--format", "json")
    assert answer.code == 0
    compared = 0
    for module in answer.json["modules"]:
        truth = expected["modules"][module["module"]]
        assert (module["axis"], module["points"]) == (truth["axis"], truth["points"])
        spaces = {str(space["memory_space"]): space for space in module["spaces"]}
        assert spaces.keys() == truth["spaces"].keys()
        for color, numbers in truth["spaces"].items():
            for name, value in numbers.items():
                if name != "temporaries_live_at_peak":
                    assert spaces[color][name] == value, (module["module"], color, name)
                    compared += 1
    assert compared > 100


def test_summary_is_ordered_by_peak_and_says_capacity(memviewer: Command, data: Path) -> None:
    answer = memviewer("summary", data / "modules", "--capacity", "1 GiB", "--format", "json").json
    peaks = [
        next((s["peak_bytes"] for s in m["spaces"] if s["memory_space"] == 0), 0) for m in answer["modules"]
    ]
    assert peaks == sorted(peaks, reverse=True)
    hbm = answer["modules"][0]["spaces"][0]
    assert (hbm["capacity_bytes"], hbm["capacity_source"]) == (2**30, "given by the user")


def test_markdown_is_a_table(memviewer: Command, data: Path) -> None:
    lines = memviewer("summary", data / "captures", "--format", "markdown").out.splitlines()
    assert lines[0].startswith("| Run | Module |")
    assert set(lines[1]) <= set("|-: ")
    assert len({line.count("|") - line.count(r"\|") for line in lines[2:] if line}) == 1


def test_a_damaged_file_is_named_and_nothing_is_hidden(memviewer: Command, data: Path) -> None:
    answer = memviewer("summary", data / "damaged")
    assert answer.code == 2
    for name in ("nobuf_v5e_mlp", "truncated_v5e_mlp"):
        assert name in answer.err
    beside = memviewer("summary", data / "damaged" / "truncated_v5e_mlp.hlo_proto.pb", "--format", "json")
    assert beside.code == 2
    assert beside.json["modules"] == []
    assert beside.json["problems"][0]["advice"]


def test_peak_parts_add_up_to_the_usage(memviewer: Command, data: Path) -> None:
    for space in ("HBM", "VMEM"):
        answer = memviewer(
            "peak",
            data / "modules",
            "--module",
            "v5e_padding",
            "--space",
            space,
            "--top",
            10_000,
            "--format",
            "json",
        ).json
        parts = sum(group["bytes"] for group in answer["groups"])
        assert parts - answer["shared_bytes"] + answer["scoped_bytes"] == answer["usage_bytes"]
        assert answer["usage_bytes"] == answer["headline"]["peak_bytes"]
        assert sum(buffer["bytes"] for buffer in answer["buffers"]) == parts
        sizes = [buffer["bytes"] for buffer in answer["buffers"]]
        assert sizes == sorted(sizes, reverse=True)
        assert all(buffer["start"] <= answer["point"] < buffer["end"] for buffer in answer["buffers"])


@pytest.mark.parametrize("command", ["peak", "diff"])
def test_json_is_whole_whatever_is_shown(memviewer: Command, demo: Path, command: str) -> None:
    paths = [f"{demo}#run=tpu_v5e_transformer", f"{demo}#run=gpu_h100"]
    chosen = (command, *paths[: 2 if command == "diff" else 1], "--format", "json")
    whole = memviewer(*chosen, "--top", 100_000).out
    assert memviewer(*chosen, "--top", 2).out == memviewer(*chosen).out == whole
    if command == "peak":
        answer = json.loads(whole)
        for kept in ("groups", "buffers"):
            total = sum(each["bytes"] for each in answer[kept])
            assert total - answer["shared_bytes"] + answer["scoped_bytes"] == answer["usage_bytes"]


@pytest.mark.parametrize(
    ("top", "title"),
    [
        (0, "the 0 largest of 12 buffers alive there"),
        (1, "the largest of 12 buffers alive there"),
        (2, "the 2 largest of 12 buffers alive there"),
        (99, "12 buffers alive there, largest first"),
    ],
)
def test_a_table_of_buffers_counts_them(memviewer: Command, data: Path, top: int, title: str) -> None:
    shown = memviewer("peak", data / "modules", "--module", "v5e_padding", "--top", top).out
    assert title in shown.splitlines()


def test_peak_takes_the_largest_module(memviewer: Command, data: Path) -> None:
    largest = memviewer("summary", data / "captures", "--format", "json").json["modules"][0]
    answer = memviewer("peak", data / "captures").out.splitlines()[0]
    assert largest["module"] in answer
    assert largest["run"] in answer


@pytest.mark.parametrize("by", ["scope", "source", "type", "opcode", "dtype", "shape"])
def test_peak_by_any_grouping(memviewer: Command, data: Path, by: str) -> None:
    answer = memviewer("peak", data / "modules", "--module", "v5e_padding", "--by", by, "--top", 3)
    assert answer.code == 0
    assert f"{GROUPINGS[by].word.upper()} " in answer.out


def test_a_host_that_no_run_has(memviewer: Command, data: Path) -> None:
    assert memviewer("summary", data / "captures", "--host", "nope").code == 2
    assert memviewer("summary", data / "captures", "--host", "cpu-host").code == 0


def test_peak_at_a_point(memviewer: Command, data: Path) -> None:
    at = memviewer("peak", data / "modules", "--module", "v5e_padding", "--at", 0, "--format", "json").json
    assert at["point"] == 0
    assert at["usage_bytes"] <= at["headline"]["peak_bytes"]
    for wrong in ("-1", "x", "99999999", "１"):
        assert memviewer("peak", data / "captures", f"--at={wrong}").code == 2


def test_what_is_not_there(memviewer: Command, data: Path) -> None:
    module = memviewer("peak", data / "modules", "--module", "nope")
    assert module.code == 2
    assert "Modules available" in module.err
    space = memviewer("peak", data / "modules", "--module", "v5e_padding", "--space", "CMEM")
    assert space.code == 2
    assert "VMEM" in space.err


def test_a_partial_listing_is_no_proof_of_absence(memviewer: Command, data: Path, tmp_path: Path) -> None:
    capture = max((data / "captures").rglob("*.xplane.pb"), key=lambda path: path.stat().st_size)
    whole = capture.read_bytes()
    for kept in (len(whole) // 50, len(whole) // 2):
        (tmp_path / "h.xplane.pb").write_bytes(whole[:kept])
        for path in (tmp_path, tmp_path / "h.xplane.pb"):
            for command in ("peak", "summary", "findings"):
                answer = memviewer(command, path, "--module", "nope")
                assert answer.code == 2
                assert "the file is cut short" in answer.err


def test_a_module_of_an_empty_folder(memviewer: Command, tmp_path: Path) -> None:
    answer = memviewer("peak", tmp_path, "--module", "nope")
    assert answer.code == 2
    assert "none" not in answer.err
    assert "Capture a profile" in answer.err


def test_a_wrong_name_gets_the_nearest_and_the_list(memviewer: Command, demo: Path) -> None:
    for options, near in (
        (("--module", "train_step"), "'jit_train_step'"),
        (("--run", "gpu_h10"), "'gpu_h100'"),
        (("--run", "gpu_h100", "--host", "gpu-node"), "'gpu-node-0'"),
        (("--host", "gpu-node"), "'gpu-node-0'"),
        (("--run", "gpu_h100", "--space", "HB"), "'HBM'"),
    ):
        answer = memviewer("peak", demo, *options)
        assert (answer.code, answer.out) == (2, "")
        assert f"Did you mean {near}? " in answer.err


def test_a_refused_program_is_held_against_what_the_compiler_said(memviewer: Command, demo: Path) -> None:
    (module,) = memviewer("summary", demo / "xla_dump_oom", "--format", "json").json["modules"]
    hbm = module["spaces"][0]
    assert (hbm["required_bytes"], hbm["capacity_bytes"]) == (19327353344, 16911433728)
    assert "out-of-memory error" in hbm["capacity_source"]
    shown = memviewer("summary", demo / "xla_dump_oom").out
    assert "18.00 GiB" in shown
    assert "15.75 GiB" in shown
    asked = memviewer("peak", demo / "xla_dump_oom", "--capacity", "16GiB").out.splitlines()[0]
    assert "2.00 GiB over 16.00 GiB" in asked


def test_a_dump_of_text_alone_gives_what_it_can(memviewer: Command, data: Path, tmp_path: Path) -> None:
    (source,) = (data / "dump_text").glob("*buffer-assignment.txt")
    (tmp_path / source.name).write_bytes(source.read_bytes())
    whole = memviewer("summary", data / "dump_text", "--format", "json").json["modules"]
    answer = memviewer("summary", tmp_path, "--format", "json")
    (module,) = answer.json["modules"]
    for name in ("allocated_bytes", "argument_bytes", "output_bytes", "temporary_bytes", "required_bytes"):
        assert module["spaces"][0][name] == whole[0]["spaces"][0][name]
    (problem,) = answer.json["problems"]
    assert "--xla_dump_hlo_as_proto" in problem["advice"]
    assert "None" not in memviewer("peak", tmp_path).out
