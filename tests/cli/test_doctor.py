"""`memviewer doctor` tells why a logdir shows nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Answer

Command = Callable[..., Answer]


def checks(answer: Answer, about: str) -> list[dict[str, str]]:
    return [check for check in answer.json["checks"] if check["about"] == about]


def test_the_installation(memviewer: Command) -> None:
    answer = memviewer("doctor", "--format", "json")
    assert [check["status"] for check in checks(answer, "tensorboard")] == ["ok"]
    assert checks(answer, "TensorBoard tab")[0]["status"] == "ok"
    assert answer.code == (0 if answer.json["ok"] else 1)


def test_a_logdir_that_shows(memviewer: Command, demo: Path) -> None:
    answer = memviewer("doctor", demo, "--format", "json")
    (run,) = checks(answer, "gpu_h100")
    assert run["status"] == "ok"
    assert "memory plan" in run["message"]
    assert "jax 0.10.2, jaxlib 0.10.2" in run["message"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("plugins/profile/r/host.trace.json.gz", "xplane.pb"),
        ("module_0001.jit_f.before_optimizations.hlo.pb", "after_optimizations"),
        ("module_0001.jit_f.cpu_after_optimizations.txt", "--xla_dump_hlo_as_proto"),
        ("run/events.out.tfevents.123.host", "jax.profiler.trace"),
        ("live.prof", "live arrays"),
    ],
)
def test_what_is_there_instead(memviewer: Command, tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_bytes(b"")
    answer = memviewer("doctor", tmp_path)
    assert answer.code == 1
    assert Path(name).name in answer.out
    assert said in answer.out


def test_a_timeline_beside_its_capture_is_no_near_miss(memviewer: Command, tmp_path: Path) -> None:
    run = tmp_path / "plugins" / "profile" / "r"
    run.mkdir(parents=True)
    (run / "host.trace.json.gz").write_bytes(b"")
    assert "without their *.xplane.pb" in memviewer("doctor", tmp_path).out
    # An XSpace with one plane, which has only a name.
    (run / "host.xplane.pb").write_bytes(b"\x0a\x0b\x12\x09/host:CPU")
    answer = memviewer("doctor", tmp_path)
    assert answer.code == 1
    assert "trace.json.gz" not in answer.out
    assert "enable_hlo_proto" in answer.out


@pytest.mark.parametrize(
    "name", ["host.xplane.pb", "jit_f(1).hlo_proto.pb", "module_0001.jit_f.cpu_after_optimizations.hlo.pb"]
)
def test_an_empty_file_is_one_problem(memviewer: Command, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"")
    for path in (tmp_path, tmp_path / name):
        (problem,) = memviewer("summary", path, "--format", "json").json["problems"]
        assert (problem["code"], problem["message"]) == ("empty", f"{name} is empty")


def test_damage_is_named(memviewer: Command, data: Path) -> None:
    answer = memviewer("doctor", data / "damaged", "--format", "markdown")
    assert answer.code == 1
    assert "truncated\\_v5e\\_mlp" in answer.out
    assert "no buffer assignment" in answer.out


def test_damage_is_no_lack_of_a_capture(memviewer: Command, demo: Path, tmp_path: Path) -> None:
    capture = demo / "plugins" / "profile" / "tpu_v5e_transformer" / "host0.xplane.pb"
    run = tmp_path / "plugins" / "profile" / "r"
    run.mkdir(parents=True)
    (run / "host0.xplane.pb").write_bytes(capture.read_bytes()[:30000])
    first, second = checks(memviewer("doctor", tmp_path, "--format", "json"), "r")
    assert (first["status"], first["advice"]) == ("failure", "")
    assert "cut short" in second["message"]


def test_a_path_that_is_not_there(memviewer: Command, tmp_path: Path) -> None:
    assert memviewer("doctor", tmp_path / "nope").code == 2
