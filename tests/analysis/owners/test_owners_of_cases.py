"""Owners and storages of real programs: beside truth by construction, and by properties that always hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from tensorboard_plugin_memviewer.analysis.live_set import live_rows
from tensorboard_plugin_memviewer.analysis.owners.owner import Owner
from tensorboard_plugin_memviewer.analysis.owners.owners import find_owners
from tensorboard_plugin_memviewer.analysis.owners.storages import find_storages, live_bytes, storage_of
from tensorboard_plugin_memviewer.analysis.usage import Plan, plan, space_usage
from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module
from tensorboard_plugin_memviewer.model.module import Module
from tensorboard_plugin_memviewer.model.space import HBM, VMEM
from tests.conftest import CASES
from tools.score_owners import Score, judge, scores, share_without_owner

pytestmark = [
    pytest.mark.cases,
    # The judge leaves its files to be closed by themselves.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning"),
]

MODULES = sorted(
    file
    for folder in ("modules", "owners", "found/advice", "found/numbers", "pairs")
    for file in CASES.glob(f"{folder}/*.hlo_proto.pb")
)
SCANNED = ("scan_tf", "remat_full", "remat_dots", "linen_scan", "decode_while", "fori_solver")
TRAINING = sorted(CASES.glob("modules/*_tf_*.hlo_proto.pb")) + sorted(
    CASES.glob("modules/*fsdp*.hlo_proto.pb")
)


@lru_cache(maxsize=1)
def judged() -> tuple[Score, ...]:
    return tuple(scores(CASES / "owners", judge(CASES.parent / "tools" / "owners")))


def test_nearly_all_owners_are_right() -> None:
    known = sum(score.known for score in judged())
    assert sum(score.right for score in judged()) >= 0.95 * known
    assert sum(score.wrong for score in judged()) <= 0.01 * known
    assert sum(score.none for score in judged()) <= 0.04 * known


@pytest.mark.parametrize("program", SCANNED)
def test_owners_inside_loops_are_right(program: str) -> None:
    found = [score for score in judged() if score.name.startswith(program)]
    assert found
    assert all(score.right >= 0.9 * score.known for score in found)


def renamed(module: Module) -> Module:
    """The module with its arguments called a0, a1, …"""
    table = module.instructions
    arguments = np.flatnonzero(table.has_opcode("parameter") & (table.computation == module.entry))
    metadata = list(module.metadata)
    rows = table.metadata.copy()
    for number, row in enumerate(arguments.tolist()):
        metadata.append(module.metadata[rows[row]]._replace(op_name=f"a{number}"))
        rows[row] = len(metadata) - 1
    return replace(module, instructions=replace(table, metadata=rows), metadata=tuple(metadata))


@pytest.mark.parametrize("file", sorted(CASES.glob("owners/*.hlo_proto.pb")), ids=lambda file: file.name)
def test_names_of_arguments_decide_nothing(file: Path) -> None:
    module = decode_module(file.read_bytes())
    before, after = find_owners(plan(module)), find_owners(plan(renamed(module)))
    for row in range(len(module.buffers)):
        assert after.of(row)._replace(path=None) == before.of(row)._replace(path=None)
        assert (after.argument[row], after.of(row).path is None) == (
            before.argument[row],
            before.of(row).path is None,
        )


@pytest.mark.parametrize("file", TRAINING, ids=lambda file: file.name)
def test_training_has_owners(file: Path) -> None:
    found = plan(decode_module(file.read_bytes()))
    for space in (HBM, VMEM):
        assert share_without_owner(found, find_owners(found), space) <= 0.05


def at_peak(found: Plan) -> Counter[Owner]:
    usage, owners = space_usage(found, HBM), find_owners(found)
    sizes: Counter[Owner] = Counter()
    for row in live_rows(usage, usage.headline.peak_point).tolist():
        sizes[owners.of(int(usage.buffers.buffer[row]))] += int(usage.buffers.size[row])
    return sizes


def test_the_largest_owners_of_a_scan_are_lines_of_a_layer() -> None:
    found = plan(decode_module((CASES / "modules" / "v5e_tf_scan.hlo_proto.pb").read_bytes()))
    largest = [owner for owner, _ in at_peak(found).most_common(2)]
    assert [(owner.scope, owner.layers) for owner in largest] == [("attn", 12), ("mlp", 12)]
    assert all(owner.line is not None and owner.line < 70 for owner in largest)


def points_of(points: int) -> Iterator[int]:
    yield from range(0, points, max(points // 50, 1))


@pytest.mark.parametrize("file", MODULES, ids=lambda file: file.name)
def test_storages_add_up_to_usage(file: Path) -> None:
    found = plan(decode_module(file.read_bytes()))
    storage = storage_of(found)
    for space in found.spaces:
        usage = space_usage(found, space)
        storages = find_storages(found, usage, storage)
        assert sorted(storages.rows.tolist()) == list(range(len(usage.buffers)))
        for point in {*points_of(usage.points), usage.headline.peak_point}:
            expected = usage.usage[point] - usage.scoped[point]
            assert live_bytes(found, usage, storages, point).sum() == expected


@pytest.mark.parametrize("file", MODULES, ids=lambda file: file.name)
def test_a_loops_stack_is_one_storage(file: Path) -> None:
    """What a loop carries at one address: its initial value, its parameters, its result."""
    found = plan(decode_module(file.read_bytes()))
    storage, buffers = storage_of(found), found.module.buffers
    assert found.lifetimes is not None
    meeting = found.lifetimes.positions.meeting
    one, two = meeting.source, meeting.target
    together = (buffers.allocation[one] == buffers.allocation[two]) & (buffers.allocation[one] >= 0)
    together &= (buffers.offset[one] == buffers.offset[two]) & (buffers.size[one] == buffers.size[two])
    assert (storage[one[together]] == storage[two[together]]).all()
