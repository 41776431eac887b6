"""Categories of memory: by honest names, by known truth, and without any name at all."""

from __future__ import annotations

import json
import lzma
import re
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tensorboard_plugin_memviewer.analysis.usage import Plan, plan
from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module
from tensorboard_plugin_memviewer.model.module import AllocationType, Module
from tensorboard_plugin_memviewer.model.op_metadata import NO_METADATA
from tensorboard_plugin_memviewer.vocabulary.categories import CATEGORIES
from tests.build import module as built
from tests.conftest import CASES

FOLDERS = ("modules", "pairs", "found/advice", "owners")
FILES = sorted(
    file for folder in FOLDERS for file in (CASES / folder).glob("*.hlo_proto.pb*") if CASES.is_dir()
)
TRUTHS = sorted((CASES / "owners").glob("*.truth.json"))

# First rule that matches an argument's path. A program is looked at where one of its paths begins with one of
# LEARNED or is a cache: then all of its names are honest.
RULES = (
    (r"(opt(_state)?|mu|nu|m|v|ms|acc)(\[.*)?$|step$", "optimizer state"),
    (r"(params|ws|ps|emb)(\[.*)?$|w$", "parameter"),
    (r"cache(\[.*)?$", "KV cache"),
    (r"", "input"),
)
LEARNED = ("params[", "opt[", "cache[", "ms[", "acc[")


def decoded(file: Path) -> Module:
    data = file.read_bytes()
    return decode_module(lzma.decompress(data) if file.suffix == ".xz" else data)


@cache
def plan_of(file: Path) -> Plan:
    return plan(decoded(file))


def nameless(module: Module) -> Module:
    """The module with nothing that its author or framework wrote."""
    table = module.instructions
    instructions = replace(table, names=tuple(f"a{row}" for row in range(len(table))))
    return replace(
        module, metadata=tuple(NO_METADATA for _ in module.metadata), frames=(), instructions=instructions
    )


def words_of(of: Plan) -> list[str]:
    return [CATEGORIES[row].word for row in of.categories.row.tolist()]


def named(of: Plan) -> dict[str, str]:
    """Words by the name of the instruction."""
    names = (of.module.instructions.names[row] for row in of.module.buffers.instruction.tolist())
    return dict(zip(names, words_of(of), strict=True))


def paths_of(module: Module) -> dict[int, str]:
    """The paths of arguments by row of LogicalBuffers."""
    table, row = module.instructions, module.buffers.instruction
    found = np.flatnonzero(table.has_opcode("parameter")[row] & (table.computation[row] == module.entry))
    return {buffer: module.metadata[table.metadata[row[buffer]]].op_name for buffer in found.tolist()}


def by_name(path: str) -> str:
    return next(word for pattern, word in RULES if re.match(pattern, path))


def is_honest(paths: dict[int, str]) -> bool:
    return any(path.startswith(LEARNED) or path == "cache" for path in paths.values())


@pytest.mark.cases
def test_arguments_of_programs_with_honest_names() -> None:
    right: Counter[bool] = Counter()
    looked_at = 0
    for file in FILES:
        of = plan_of(file)
        paths = paths_of(of.module)
        if not is_honest(paths):
            continue
        looked_at += 1
        words = words_of(of)
        for buffer, path in paths.items():
            right[words[buffer] == by_name(path)] += int(of.module.buffers.size[buffer])
    assert looked_at > 90
    assert right[True] >= 0.99 * right.total()


@pytest.mark.cases
def test_names_change_nothing() -> None:
    for file in FILES:
        of = plan_of(file)
        again = plan(nameless(of.module))
        assert np.array_equal(of.categories.row, again.categories.row), file.name


@pytest.mark.cases
@pytest.mark.parametrize("truth", TRUTHS, ids=lambda file: file.name)
def test_arguments_of_programs_with_known_truth(truth: Path) -> None:
    of = plan_of(truth.with_name(truth.name.replace(".truth.json", ".hlo_proto.pb")))
    table, row = of.module.instructions, of.module.buffers.instruction
    expected = {one["parameter"]: one["category"] for one in json.loads(truth.read_text())["arguments"]}
    words = words_of(of)
    found = {int(table.parameter_number[row[buffer]]): words[buffer] for buffer in paths_of(of.module)}
    assert found == expected


@pytest.mark.cases
@pytest.mark.parametrize("name", ["remat_full_cpu", "remat_dots_cpu", "remat_full_h100"])
def test_what_is_computed_again_is_an_activation_with_a_mark(name: str) -> None:
    of = plan_of(CASES / "owners" / f"{name}.hlo_proto.pb")
    again = of.categories.recomputed
    assert again.any()
    assert {words_of(of)[buffer] for buffer in np.flatnonzero(again).tolist()} == {"activation"}
    without = plan_of(CASES / "owners" / "convnet_cpu.hlo_proto.pb").categories.recomputed
    assert not without.any()


def test_a_step_of_two_layers() -> None:
    of = plan(built(STEP))
    words = named(of)
    assert words["w1"] == words["w2"] == "parameter"
    assert words["m1"] == words["m2"] == "optimizer state"
    assert words["x"] == "input"
    assert words["h"] == "activation"
    assert words["dh"] == "activation gradient"
    assert words["g1"] == words["g2"] == "gradient"


def test_a_step_of_a_decoder() -> None:
    of = plan(built(DECODE))
    words = named(of)
    assert words["k"] == "KV cache"
    assert words["w"] == "parameter"
    assert words["t"] == "input"
    assert words["h"] == "workspace"


def test_allocations_tell_without_a_schedule() -> None:
    text = "\n".join(line for line in DECODE.splitlines() if "trace" not in line)
    of = plan(built(text.replace("entry main", "unscheduled entry main")))
    kinds = of.module.allocations.type[of.module.buffers.allocation]
    outputs = [word for word, kind in zip(words_of(of), kinds, strict=True) if kind == AllocationType.OUTPUT]
    assert set(outputs) <= {"output"}


STEP = """
entry main:
  w1 = f32[32,64] parameter() number=0
  w2 = f32[64,16] parameter() number=1
  m1 = f32[32,64] parameter() number=2
  m2 = f32[64,16] parameter() number=3
  x = f32[128,32] parameter() number=4
  h = f32[128,64] fusion(x, w1)
  y = f32[128,16] fusion(h, w2)
  l = f32[] fusion(y)
  dy = f32[128,16] fusion(y)
  g2 = f32[64,16] fusion(h, dy)
  dh = f32[128,64] fusion(dy, w2, h)
  g1 = f32[32,64] fusion(x, dh)
  n2 = f32[64,16] fusion(m2, g2)
  n1 = f32[32,64] fusion(m1, g1)
  v2 = f32[64,16] fusion(w2, n2)
  v1 = f32[32,64] fusion(w1, n1)
  r = (f32[32,64], f32[64,16], f32[32,64], f32[64,16], f32[]) tuple(v1, v2, n1, n2, l)
alloc parameter+output 8192: w1:8192 v1:8192
alloc parameter+output 4096: w2:4096 v2:4096
alloc parameter+output 8192: m1:8192 n1:8192
alloc parameter+output 4096: m2:4096 n2:4096
alloc parameter 16384: x:16384
alloc output 4: l:4
alloc output 40: r:40
alloc temp 100000: h:32768@0 y:8192@32768 dy:8192@40960 g2:4096@49152 dh:32768@53248 g1:8192@86016
trace: +h +y +dy +g2 +dh +g1 -h -y -dy -g2 -dh -g1
"""

DECODE = """
entry main:
  k = f32[8,1024] parameter() number=0
  w = f32[64,1024] parameter() number=1
  t = s32[8] parameter() number=2
  p = s32[] parameter() number=3
  h = f32[64,64] fusion(w, t)
  n = f32[1,1024] fusion(h, w)
  u = f32[8,1024] dynamic-update-slice(k, n, p, p)
  o = s32[8] fusion(u, h)
  r = (f32[8,1024], s32[8]) tuple(u, o)
alloc parameter+output 32768: k:32768 u:32768
alloc parameter 262144: w:262144
alloc parameter 32: t:32
alloc parameter 4: p:4
alloc output 32: o:32
alloc output 16: r:16
alloc temp 20480: h:16384@0 n:4096@16384
trace: +h +n -n -h
"""
