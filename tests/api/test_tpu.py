"""The real TPU compiler, ahead of time: a program that does not fit, and one that does.

Needs PyPI's libtpu, of the version that the installed JAX asks for. Where it is not installed it is fetched
to a folder of the test's own; where that fails the tests are skipped and say so.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.patience import PROGRAM_S

pytest.importorskip("jax", reason="jax is not installed")
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("tpu")]


@pytest.fixture(scope="module")
def libtpu(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str | None]:
    """A folder to put on the path, None where libtpu is installed."""
    if importlib.util.find_spec("libtpu") is not None:
        yield None
        return
    wanted = [text.partition(";")[0] for text in importlib.metadata.requires("jax") or () if "libtpu" in text]
    if not wanted or sys.platform != "linux":
        pytest.skip("there is no libtpu for this platform")
    folder = tmp_path_factory.mktemp("libtpu")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder)]
    done = subprocess.run(
        [*install, wanted[0].strip()], capture_output=True, text=True, timeout=PROGRAM_S, check=False
    )
    if done.returncode != 0:
        pytest.skip(f"libtpu cannot be installed: {done.stderr.strip().splitlines()[-1]}")
    yield str(folder)
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def answer(libtpu: str | None, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What tests/api/aot_for_tpu.py prints."""
    path = os.pathsep.join(filter(None, (str(ROOT), libtpu)))
    done = subprocess.run(
        [sys.executable, "-m", "tests.api.aot_for_tpu", str(tmp_path_factory.mktemp("oom"))],
        capture_output=True,
        text=True,
        timeout=PROGRAM_S,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout.splitlines()[-1])


def gib(text: str, error: str) -> float:
    found = re.search(text, error)
    assert found is not None, error
    return float(found[1])


def test_a_program_that_does_not_fit_leaves_its_plan(answer: Any) -> None:
    found = answer["out_of_memory"]
    # The second wording is that of the last libtpu for Python 3.10, which refuses for the temporaries alone.
    needs = gib(r"(?:HLO temporaries \(|Used )([\d.]+)G", found["error"])
    has = gib(r"(?:available HBM \(|Used [\d.]+G of )([\d.]+)G", found["error"])
    says = "temporary_bytes" if "Used " in found["error"] else "required_bytes"
    assert found["kept"][says] / 2**30 == pytest.approx(needs, abs=0.006)
    assert found["kept"]["capacity_bytes"] / 2**30 == pytest.approx(has, abs=0.006)
    assert found["kept"]["findings"][0] == "over_capacity"
    assert any("memviewer summary" in note for note in found["notes"]) or sys.version_info < (3, 11)


def test_a_refused_program_has_a_module_all_the_same(answer: Any) -> None:
    assert answer["refused"]["required_bytes"] == answer["out_of_memory"]["kept"]["required_bytes"]
    assert answer["refused"]["capacity_bytes"] == answer["out_of_memory"]["kept"]["capacity_bytes"]


def test_a_lowered_program_has_everything(answer: Any) -> None:
    found = answer["lowered"]
    assert found["problems"] == [] and found["platform"] == "tpu"
    assert found["scoped"]["VMEM"] > 2**20, "from the dump after code generation"
    assert found["capacity_bytes"] == 1575 * 2**30 // 100
    assert found["argument_bytes"] == 2 * (2048 * 2048 + 4096 * 2048)


def test_a_compiled_program_says_what_it_lacks(answer: Any) -> None:
    found, whole = answer["compiled"], answer["lowered"]
    assert found["problems"] == ["sums_only"] and found["platform"] == "tpu"
    assert found["argument_bytes"] == whole["argument_bytes"]
    assert found["capacity_bytes"] == whole["capacity_bytes"]
    assert found["scoped"] == {"HBM": 0, "VMEM": whole["scoped"]["VMEM"]}
