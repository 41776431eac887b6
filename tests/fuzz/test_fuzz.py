"""Runs every fuzzer for a while, from its committed corpus: FUZZ_SECONDS each, 30 unless it is set.

Thirty seconds always try the same inputs; a longer run tries new ones. Needs the package atheris, in this
Python or in $MEMVIEWER_FUZZ_PYTHON.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S
from tests.small_parent import from_small_parent

HERE = Path(__file__).parent
PYTHON = os.environ.get("MEMVIEWER_FUZZ_PYTHON") or (
    sys.executable if importlib.util.find_spec("atheris") is not None else None
)
SECONDS = int(os.environ.get("FUZZ_SECONDS", "30"))
SEED = 0 if "FUZZ_SECONDS" in os.environ else 1  # 0 lets libFuzzer choose one
TARGETS = sorted(path.stem.removeprefix("fuzz_") for path in HERE.glob("fuzz_*.py"))


@pytest.mark.slow
@pytest.mark.skipif(PYTHON is None, reason="no atheris for this Python")
@pytest.mark.parametrize("target", TARGETS)
def test_fuzz(target: str, tmp_path: Path) -> None:
    assert PYTHON is not None
    corpus = tmp_path / "corpus"
    shutil.copytree(HERE / "corpus" / target, corpus)
    # The instrumentation keeps some megabytes of its own for each second.
    limits = ["-max_len=65536", f"-rss_limit_mb={512 + 4 * SECONDS}", f"-timeout={PATIENCE_S:.0f}"]
    command = [
        PYTHON,
        str(HERE / f"fuzz_{target}.py"),
        f"-seed={SEED}",
        f"-max_total_time={SECONDS}",
        *limits,
    ]
    command += [f"-artifact_prefix={tmp_path}/", str(corpus)]
    done = subprocess.run(
        from_small_parent(command),
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        env={**os.environ, "PYTHONHASHSEED": "0" if SEED else "random"},
    )
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-2000:]}"
    assert "Done " in done.stderr
