"""Our answer in XProf's place equals the answers that XProf 2.24.2 gave for every module of tests/data."""

from __future__ import annotations

import gzip
import json
from functools import lru_cache
from pathlib import Path

import pytest

from tensorboard_plugin_memviewer.analysis.xprof_answer import xprof_answer
from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module
from tensorboard_plugin_memviewer.model.module import Module
from tests.analysis.xprof_comparison import differences

DATA = Path(__file__).resolve().parent.parent / "data"
RECORDED = sorted((DATA / "xprof").glob("*.json.gz"))


@lru_cache(maxsize=2)
def _module(name: str) -> Module:
    return decode_module((DATA / "modules" / f"{name}.hlo_proto.pb").read_bytes())


def test_there_are_recorded_answers() -> None:
    assert len(RECORDED) == 203


@pytest.mark.parametrize("recorded", RECORDED, ids=lambda path: path.name.removesuffix(".json.gz"))
def test_equals_what_xprof_answered(recorded: Path) -> None:
    name, space = recorded.name.removesuffix(".json.gz").rsplit(".", 1)
    expected = json.loads(gzip.decompress(recorded.read_bytes()))
    assert differences(expected, xprof_answer(_module(name), int(space))) == []
