"""`memviewer explain-oom`: errors in new wordings, logs with wrappers, and what is no out-of-memory error."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tensorboard_plugin_memviewer.formats.oom_text import MOST_TEXT, OomReport, parse_oom
from tests.cli.conftest import Answer
from tests.formats.oom_texts import GIB, read

Command = Callable[..., Answer]


@pytest.mark.parametrize(
    "text",
    [
        "RESOURCE_EXHAUSTED: the flux store cannot take 3.00GiB, 1.25GiB free",
        "INTERNAL: OUT_OF_MEMORY: wanted 3.00GiB and had 1.25GiB",
        "OutOfResources: 3.00GiB over 1.25GiB",
        "The flux store ran out of memory: 3.00GiB over 1.25GiB",
    ],
)
def test_a_new_wording(memviewer: Command, tmp_path: Path, text: str) -> None:
    (tmp_path / "e").write_text(text)
    answer = memviewer("explain-oom", tmp_path / "e")
    assert answer.code == 0
    first = answer.out.splitlines()[0]
    assert "in an unknown wording" in first and "3.00 GiB, ≈ 1.25 GiB" in first


def test_figures_of_a_new_wording_by_the_words_beside_them() -> None:
    report = read("RESOURCE_EXHAUSTED: Cannot allocate 3.00GiB of HBM, 1.25GiB free, limit 16.00GiB")
    assert report.wording == "unknown" and report.needed and report.free and report.capacity
    sizes = (report.needed.bytes, report.free.bytes, report.capacity.bytes)
    assert sizes == (3 * GIB, 5 * GIB // 4, 16 * GIB)
    assert (report.platform, report.space) == ("tpu", 0)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("RESOURCE_EXHAUSTED: vmem: cannot place 3.00M", "on_chip"),
        ("RESOURCE_EXHAUSTED: pinned arena of 3.00G", "host"),
        ("INTERNAL: cuStreamCreate: CUDA_ERROR_OUT_OF_MEMORY", "driver"),
        ("RESOURCE_EXHAUSTED: 3.00G", "unknown"),
    ],
)
def test_what_ran_out_in_a_new_wording(text: str, what: str) -> None:
    assert read(text).what == what


def test_a_known_error_comes_before_an_unknown_one() -> None:
    report = read("Out of memory while trying to allocate 5 bytes.\nRESOURCE_EXHAUSTED: 3.00G of something\n")
    assert report.wording == "gpu_allocation"


def test_a_warning_comes_after_an_unknown_error() -> None:
    warning = "Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.11GiB with freed_by_count=0. The"
    warning += " caller indicates that this is not a failure, but this may mean"
    assert read(warning).what == "warning"
    assert read(f"RESOURCE_EXHAUSTED: a new wording\n{'-' * 2000}\n{warning}").wording == "unknown"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("RESOURCE_EXHAUSTED: Received message larger than max (5000000 vs. 4194304)", "gRPC"),
        ("RESOURCE_EXHAUSTED: Quota exceeded for quota metric 'Requests'", "quota"),
        ("RESOURCE_EXHAUSTED: write failed: No space left on device", "disk"),
        ("ZONE_RESOURCE_POOL_EXHAUSTED: RESOURCE_EXHAUSTED: There is no more capacity in the zone", "zone"),
        ("Be careful not to run out of memory.", "no out-of-memory error"),
        ("INVALID_ARGUMENT: shapes (3.00GiB) differ", "no out-of-memory error"),
    ],
)
def test_what_only_looks_like_one(memviewer: Command, tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "e").write_text(text)
    answer = memviewer("explain-oom", tmp_path / "e")
    assert answer.code == 2
    assert reason in answer.err


LINES = (
    "jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: E1000: CompileTimeHbmOom:",
    "Ran out of memory on HBM, the total memory required for HLO temporaries (18.00G) exceeds",
    "available HBM (15.75G). HLO module: jit_f.",
)


def total(report: OomReport | None) -> tuple[int, int, str] | None:
    if report is None or report.required is None or report.capacity is None:
        return None
    return report.required.bytes, report.capacity.bytes, report.module


@pytest.mark.parametrize(
    "prefix",
    [
        "",
        "\x1b[36m(TrainWorker pid=4711, ip=10.0.0.3)\x1b[0m ",
        "\x1b[1;31m(RayTrainWorker.run pid=7)\x1b[0m \x1b[33mERROR\x1b[0m: ",
        "[36m(Worker pid=1)[0m ",
        "\\u001b[36m(Worker pid=1)\\u001b[0m ",
        "(EngineCore_DP0 pid=9) ERROR 06-03 07:41:11 [core.py:11] ",
        "[rank3]: ",
        "[1,0]<stderr>: ",
        "[pod/train-0/main] 2026-01-02T03:04:05.678901234Z ",
        "worker-1  | ",
        "3: ",
        "2026-01-02 03:04:05,678 - ERROR - ",
        "E0000 00:00:1756998431.440298    5182 client.cc:390] ",
        "2026-02-07 11:03:21.100201: W external/xla/xla/a.cc:501] ",
    ],
)
def test_wrappers_of_a_log(prefix: str) -> None:
    text = "".join(f"{prefix}{line}\n" for line in LINES)
    assert total(parse_oom(text)) == (18 * GIB, 16911433728, "jit_f")


def test_colors_within_a_line() -> None:
    text = (
        "\n".join(LINES)
        .replace("HBM", "\x1b[1mHBM\x1b[22m")
        .replace("18.00G", "\x1b]8;;x\x0718.00G\x1b]8;;\x07")
    )
    assert total(parse_oom(text)) == (18 * GIB, 16911433728, "jit_f")


def test_of_a_long_log_the_end_is_read(memviewer: Command, tmp_path: Path) -> None:
    line = "I0101 all is well\n"
    noise = line * (MOST_TEXT // len(line) + 1)
    (tmp_path / "end").write_text(noise + "\n".join(LINES))
    (tmp_path / "start").write_text("\n".join(LINES) + noise)
    assert "18.00 GiB" in memviewer("explain-oom", tmp_path / "end").out
    answer = memviewer("explain-oom", tmp_path / "start")
    assert answer.code == 2 and "in its last 4.00 MiB" in answer.err
