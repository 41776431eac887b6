"""The XProf that is installed is asked, and our answer in its place has to be the same.

A new XProf that answers differently fails here: then the rules in xprof_answer change, or the
documentation says which XProf it means. An older one than 2.24 is not asked: it has fewer fields.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tensorboard_plugin_memviewer.errors import Unsupported
from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module
from tensorboard_plugin_memviewer.xprof_answer import xprof_answer
from tests.analysis.xprof_comparison import differences
from tests.analysis.xprof_odd_modules import ANSWERED, REFUSED
from tests.build import hlo_bytes
from tests.formats.capture_bytes import metadata_plane, program
from tests.patience import PROGRAM_S

pytest.importorskip("xprof", reason="XProf has no wheel here", exc_type=ImportError)

_VERSION = tuple(int(part) for part in importlib.metadata.version("xprof").split(".")[:2])
pytestmark = pytest.mark.skipif(_VERSION < (2, 24), reason="this XProf answers with fewer fields")

ASKER = Path(__file__).with_name("run_xprof.py")
ODD = {**ANSWERED, **REFUSED}
Answers = dict[str, dict[str, Any]]


def _ask(folder: Path, spaces: str, *runs: Path) -> dict[str, Answers]:
    target = folder / "answers.json"
    command = [sys.executable, os.fspath(ASKER), os.fspath(target), spaces, *map(os.fspath, runs)]
    subprocess.run(command, check=True, capture_output=True, timeout=PROGRAM_S)
    answers: dict[str, Answers] = json.loads(target.read_text(encoding="utf-8"))
    return answers


def _called(name: str) -> str:
    """The program that an odd module is in the capture."""
    return f"built({list(ODD).index(name) + 1})"


@pytest.fixture(scope="module")
def odd_answers(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    """XProf's answers for the odd modules, all in one capture."""
    folder = tmp_path_factory.mktemp("odd")
    run = folder / "run"
    run.mkdir()
    programs = (program(at, _called(name), hlo_bytes(ODD[name]), at) for at, name in enumerate(ODD, 1))
    (run / "host.xplane.pb").write_bytes(metadata_plane(*programs))
    return _ask(folder, "0,1,5", run)[os.fspath(run)]


@pytest.mark.parametrize("name", ANSWERED)
@pytest.mark.parametrize("space", [0, 1, 5])
def test_odd_module(odd_answers: Answers, name: str, space: int) -> None:
    expected = odd_answers[_called(name)][str(space)]
    assert expected is not None
    actual = xprof_answer(decode_module(hlo_bytes(ANSWERED[name])), space)
    # The name of an event on an unknown buffer is not kept.
    if "nobody" in ANSWERED[name]:
        expected.pop("hloInstructionNames", None), actual.pop("hloInstructionNames", None)
    assert differences(expected, actual) == []


@pytest.mark.parametrize("name", REFUSED)
def test_refused_module(odd_answers: Answers, name: str) -> None:
    assert odd_answers[_called(name)]["0"] is None
    with pytest.raises(Unsupported, match="XProf does not answer"):
        xprof_answer(decode_module(hlo_bytes(REFUSED[name])), 0)


def test_captures_that_ship(demo: Path, tmp_path: Path) -> None:
    runs = []
    for capture in sorted(demo.rglob("*.xplane.pb")):
        run = tmp_path / capture.parent.name
        run.mkdir()
        shutil.copy(capture, run)
        runs.append(run)
    compared = 0
    for folder, programs in _ask(tmp_path, "0,1,2,3,4,5,6", *runs).items():
        for name, by_space in programs.items():
            module = decode_module((Path(folder) / f"{name}.hlo_proto.pb").read_bytes())
            for space, expected in by_space.items():
                assert differences(expected, xprof_answer(module, int(space))) == [], (folder, name, space)
                compared += 1
    assert compared > 100
