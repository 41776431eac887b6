"""`memviewer.open` on the demo and on real modules: the same numbers as everywhere, as typed columns."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

import tensorboard_plugin_memviewer as memviewer
from tensorboard_plugin_memviewer.analysis.grouping.table import GROUPINGS
from tensorboard_plugin_memviewer.api.buffers import Buffer
from tensorboard_plugin_memviewer.api.module import Module
from tensorboard_plugin_memviewer.errors import BadParameter, MemviewerError, NotFound
from tensorboard_plugin_memviewer.units import format_bytes
from tensorboard_plugin_memviewer.vocabulary.groupings import GroupBy
from tests.conftest import DATA, DEMO

EXPECTED: dict[str, Any] = json.loads((DATA / "expected.json").read_text())["modules"]


def module_of(name: str) -> Module:
    (module,) = memviewer.open(DATA / "modules" / f"{name}.hlo_proto.pb").modules
    return module


@pytest.fixture(scope="module")
def transformer() -> Module:
    return memviewer.open(DEMO).run("tpu_v5e_transformer").modules[0]


@pytest.mark.parametrize("name", ["v5e_tf_scan", "v7x_mlp", "h100_decode", "v5e_host_optstate"])
def test_numbers_of_real_modules(name: str) -> None:
    module = module_of(name)
    for space, usage in module.usages.items():
        expected = EXPECTED[name]["spaces"][str(usage._usage.space)]
        assert usage.peak_bytes == expected["peak_bytes"], space
        assert usage.peak_point == expected["peak_point"]
        assert usage.usage.max() == usage.peak_bytes
        assert usage.usage.argmax() == usage.peak_point
        assert len(usage.usage) == len(usage.instructions) == len(usage.phases) == module.points


@pytest.mark.parametrize(
    ("run", "capacity"),
    [
        ("tpu_v5e_transformer", "15.75 GiB"),
        ("tpu_v5e_kernels", "15.75 GiB"),
        ("tpu_v4_cmem", "15.25 GiB"),
        ("tpu_v7x_sparsecore", "94.74 GiB"),
        ("gpu_h100", "79.11 GiB"),
    ],
)
def test_packed_captures_say_their_device(run: str, capacity: str) -> None:
    for module in memviewer.open(DEMO).run(run).modules:
        assert format_bytes(module.usage("HBM").capacity_bytes or 0) == capacity


def test_runs_and_modules_of_a_logdir() -> None:
    logdir = memviewer.open(str(DEMO))
    kinds = {run.name: run.kind for run in logdir.runs}
    assert kinds["xla_dump_oom"] == "xla_dump" and kinds["tpu_v5e_transformer"] == "profile"
    peaks = [module.peaks.get("HBM", 0) for module in logdir.modules]
    assert peaks == sorted(peaks, reverse=True)
    assert logdir.module("jit_train_step").name == "jit_train_step"
    assert {module.run for module in logdir.modules} == set(kinds)


def test_the_program_that_does_not_fit() -> None:
    usage = memviewer.open(DEMO).run("xla_dump_oom").modules[0].usage()
    assert usage.required_bytes == 19327353344
    assert usage.capacity_bytes is not None and usage.capacity_bytes < usage.required_bytes
    assert usage.findings[0].kind == "over_capacity"
    given = memviewer.open(DEMO, capacity={"HBM": "32GiB"}).run("xla_dump_oom").modules[0].usage()
    assert given.capacity_bytes == 32 << 30
    assert "over_capacity" not in {finding.kind for finding in given.findings}


def test_live_buffers_and_their_columns(transformer: Module) -> None:
    usage = transformer.usage("HBM")
    live = usage.live()
    assert live.counts.all() and (np.diff(live.bytes) <= 0).all()
    assert ((live.start <= usage.peak_point) & (usage.peak_point < live.end)).all()
    for name in (
        "id",
        "instruction",
        "opcode",
        "op_name",
        "scope",
        "source",
        "shape",
        "dtype",
        "type",
        "last_read",
    ):
        assert len(getattr(live, name)) == len(live)
    first = live[0]
    assert (first.bytes, first.shape) == (int(live.bytes[0]), live.shape[0])
    assert [buffer.row for buffer in live[:3]] == live.row[:3].tolist()
    temporaries = live[live.type == "Temporary"]
    assert set(temporaries.type) == {"Temporary"} and 0 < len(temporaries) < len(live)
    read = next(at for at, last in enumerate(live.last_read) if last >= 0)
    assert live.readers(read)[-1] == live.last_read[read]
    stacked = next(at for at, source in enumerate(live.source) if source)
    assert live.source[stacked].endswith(f":{live.stack(stacked)[0].line}")


def test_columns_are_made_once(transformer: Module) -> None:
    """Records are read off them: walking over a table of many is no walk over each column again."""
    live = transformer.usage("HBM").live()
    for name in (field.name for field in fields(Buffer)):
        assert getattr(live, name) is getattr(live, name), name


def test_columns_cannot_be_written_to(transformer: Module) -> None:
    with pytest.raises(ValueError, match="read-only"):
        transformer.usage().usage[0] = 1


@pytest.mark.parametrize("by", get_args(GroupBy))
def test_breakdown_sums_to_the_usage(transformer: Module, by: GroupBy) -> None:
    usage = transformer.usage()
    for at in (None, 0, transformer.points - 1):
        found = usage.breakdown(by, at)
        total = sum(group.bytes for group in found.groups)
        assert (
            total - found.shared_bytes + found.scoped_bytes == found.usage_bytes == usage.usage[found.point]
        )
        assert all(group.bytes == group.buffers.bytes.sum() for group in found.groups)


def test_rows_of_findings_and_comparisons_count_in_buffers(transformer: Module) -> None:
    usage = transformer.usage()
    finding = next(finding for finding in usage.findings if finding.kind == "activations")
    assert "while.7" in set(usage.buffers[list(finding.rows)].instruction)
    other = memviewer.open(DEMO).run("tpu_v5e_transformer").modules[1].usage()
    comparison = usage.compare(other)
    assert comparison.parts.total_bytes == usage.peak_bytes - other.peak_bytes
    change = next(change for change in comparison.changes if change.subject.count)
    assert set(usage.buffers[list(change.subject.rows)].op_name) == {change.key.op_name}
    assert usage.compare(usage).changes == ()


@pytest.mark.parametrize(
    ("ask", "near", "listed"),
    [
        (lambda logs: logs.module("train_step"), "'jit_train_step'", "jit_train_step("),
        (lambda logs: logs.module("jit_trian_step"), "'jit_train_step'", "jit_train_step("),
        (lambda logs: logs.run("gpu_h100").module("Train"), "'jit_train_step'", "jit_train_step("),
        (lambda logs: logs.run("GPU_H100"), "'gpu_h100'", "xla_dump_oom"),
        (lambda logs: logs.run("tpu_v5_kernels"), "'tpu_v5e_kernels'", "gpu_h100"),
        (lambda logs: logs.run("gpu_h100").modules[0].usage("HMB"), "'HBM'", "HBM"),
        (lambda logs: logs.run("gpu_h100").modules[0].usage().breakdown("scop"), "'scope'", "dtype"),
    ],
)
def test_what_is_not_there_is_told_with_the_nearest_and_a_list(ask: Any, near: str, listed: str) -> None:
    with pytest.raises(MemviewerError) as caught:
        ask(memviewer.open(DEMO))
    assert caught.value.advice.startswith(f"Did you mean {near}? ")
    assert listed in caught.value.advice


def test_groupings_of_the_type_are_those_that_there_are() -> None:
    assert get_args(GroupBy) == tuple(GROUPINGS)


def test_a_module_missing_from_a_damaged_capture_tells_the_damage(tmp_path: Path) -> None:
    capture = (DATA / "captures").rglob("*.xplane.pb")
    content = max((path.read_bytes() for path in capture), key=len)
    cut = tmp_path / "h.xplane.pb"
    for share in (50, 3, 2):
        cut.write_bytes(content[: len(content) // share])
        with pytest.raises(NotFound) as caught:
            memviewer.open(cut).module("no such module")
        assert "cut short" in caught.value.message


def test_what_is_not_there_is_said(transformer: Module, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        memviewer.open(tmp_path / "nothing")
    with pytest.raises(NotFound, match="Host"):
        transformer.usage("Host")
    with pytest.raises(NotFound):
        memviewer.open(DEMO).run("no such run")
    with pytest.raises(NotFound):
        memviewer.open(DEMO).module("no such module")
    with pytest.raises(BadParameter):
        memviewer.open(DEMO, capacity={"FLASH": 1})
    with pytest.raises(BadParameter):
        transformer.usage().live(transformer.points)
    with pytest.raises(BadParameter):
        transformer.usage().breakdown("color")  # type: ignore[arg-type]
    assert issubclass(NotFound, memviewer.MemviewerError)


@pytest.mark.parametrize(
    ("capacity", "size"),
    [("16GiB", 16 << 30), ("HBM=15.5G", 31 << 29), (16 * 10**9, 16 * 10**9), (np.int64(2**34), 2**34)],
)
def test_a_capacity_is_text_or_bytes(capacity: Any, size: int) -> None:
    for given in (capacity, {"HBM": capacity}) if "=" not in str(capacity) else (capacity,):
        usage = memviewer.open(DEMO, capacity=given).run("xla_dump_oom").modules[0].usage()
        assert usage.capacity_bytes == size


@pytest.mark.parametrize(
    "capacity",
    ["16GB", "lots", "", 14, -1, True, 16e9, ["16GiB"], b"16GiB", {"HBM": None}, {"HBM": 14}, {0: 1 << 30}],
)
def test_what_is_no_capacity_is_a_typed_error(capacity: Any) -> None:
    with pytest.raises(BadParameter) as caught:
        memviewer.open(DEMO, capacity=capacity)
    assert caught.value.advice


def test_a_module_that_cannot_be_read_is_a_problem_beside_the_others(tmp_path: Path) -> None:
    run = tmp_path / "plugins" / "profile" / "r"
    run.mkdir(parents=True)
    (run / "jit_good(1).hlo_proto.pb").write_bytes((DATA / "modules" / "v5e_tiny.hlo_proto.pb").read_bytes())
    (run / "jit_bad(2).hlo_proto.pb").write_bytes(b"\xff" * 50)
    (found,) = memviewer.open(tmp_path).runs
    assert len(found.modules) == 1
    assert [problem.code for problem in found.unreadable] == ["damaged"]


def test_points_phases_and_buffers_as_data_frames(transformer: Module) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    usage = transformer.usage()
    frame = usage.to_pandas()
    assert frame["usage"].max() == usage.peak_bytes and len(frame) == transformer.points
    assert "while backward" in set(frame["phase"])
    live = usage.live().to_pandas()
    assert live["bytes"].dtype == np.int64 and live["bytes"].is_monotonic_decreasing
    by_type = usage.breakdown("type").to_pandas().set_index("type")["bytes"]
    assert by_type.to_dict() == live.groupby("type")["bytes"].sum().to_dict()


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = (
        "import sys, tensorboard_plugin_memviewer as memviewer; memviewer.MemviewerError; "
        "heavy = {'numpy', 'google.protobuf', 'jax', 'pandas'}; "
        "print(heavy & set(sys.modules), 'open' in dir(memviewer))"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert output == "set() True\n"


def test_every_public_name_is_there() -> None:
    assert all(getattr(memviewer, name) is not None for name in memviewer.__all__)
    with pytest.raises(AttributeError, match="no_such_name"):
        getattr(memviewer, "no_such_name")  # noqa: B009 - the attribute is missing on purpose
    assert issubclass(memviewer.MemviewerError, MemviewerError)
