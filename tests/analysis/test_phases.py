"""Phases: which points go together, which names they get, and that they are few."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tensorboard_plugin_memviewer.analysis.lifetimes.program_order import program_order
from tensorboard_plugin_memviewer.analysis.phase_merging import merged
from tensorboard_plugin_memviewer.analysis.phases import MOST_PHASES, Phases, PointPlaces, phases
from tensorboard_plugin_memviewer.analysis.scope import Place, is_rematerialized, places_of
from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module

MODULES = Path(__file__).parent.parent / "data" / "modules"


def phases_of(program: str, most: int = MOST_PHASES) -> Phases:
    """Phases of points written one a line: op name, then perhaps `@N` for region N, then perhaps `remat`."""
    names: list[str] = []
    regions: list[int] = []
    again: list[bool] = []
    for line in program.strip().splitlines():
        words = line.split()
        again.append(words[-1] == "remat")
        regions.append(next((int(word[1:]) for word in words if word[0] == "@"), 0))
        names.append("" if words[0] == "-" else words[0])
    table, row, *_ = places_of(names)
    return phases(PointPlaces(table, row, np.array(again, bool), np.array(regions, np.int32)), most)


def labels(found: Phases) -> list[str]:
    return [found.table[row].label for row in found.column.tolist()]


def test_a_training_step() -> None:
    found = phases_of("""
        jit(step)/jvp(embed)/gather
        jit(step)/jvp()/while/body/attn/exp
        jit(step)/jvp()/while/body/attn/exp  remat
        jit(step)/transpose(jvp())/while/body/checkpoint/rematted_computation/attn/exp
        jit(step)/transpose(jvp())/while/body/attn/exp
        jit(step)/transpose(jvp())/reduce_sum
        jit(step)/mul
        jit(step)/jvp(embed)/gather
    """)
    assert labels(found) == [
        "embed forward",
        "while/attn forward",
        "while/attn forward, recomputed",
        "while/attn backward, recomputed",
        "while/attn backward",
        "step backward",
        "step",
        "embed forward",
    ]
    embed = found.table[0]
    assert (embed.scope, embed.direction, embed.remat) == ("step/embed", "forward", False)
    assert found.column.tolist() == [0, 1, 2, 3, 4, 5, 6, 0]


def test_what_the_compiler_adds_belongs_to_what_is_before_it_in_its_region() -> None:
    found = phases_of("""
        params['w']
        jit(f)/a/add
        -
        -              @1
        jit(f)/b/add   @1
        -              @1
        -
        jit(f)/c/add
        -              @2
    """)
    assert labels(found) == ["a", "a", "a", "b", "b", "b", "c", "c", "c"]


def test_a_region_without_names_takes_the_last_before_it() -> None:
    assert labels(phases_of("jit(f)/a/add\n- @1\njit(f)/b/add @2")) == ["a", "a", "b"]
    assert labels(phases_of("- @1\njit(f)/b/add @2")) == ["b", "b"]


def test_a_program_without_names() -> None:
    found = phases_of("-\nreduce_sum\n-")
    assert labels(found) == ["no names"] * 3
    assert (found.table[0].scope, found.table[0].direction) == ("", "none")


def test_a_program_without_points() -> None:
    none = np.zeros(0, np.int32)
    found = phases(PointPlaces([], none, none.astype(bool), none))
    assert found.table == ()
    assert found.column.tolist() == []


def test_labels_keep_the_root_where_there_are_several() -> None:
    assert labels(phases_of("jit(f)/a/add\njit(g)/a/add")) == ["f/a", "g/a"]


def numbered(count: int, inside: str) -> str:
    return "\n".join(f"jit(f)/jvp(layer_{n})/{part}/add" for n in range(count) for part in inside.split())


def test_few_scopes_are_all_kept() -> None:
    found = phases_of(numbered(4, "attn mlp"))
    assert labels(found)[:3] == ["layer_0/attn forward", "layer_0/mlp forward", "layer_1/attn forward"]
    assert len(found.table) == 8


def test_many_scopes_are_cut_at_a_depth() -> None:
    found = phases_of(numbered(40, "attn mlp"))
    assert len(found.table) == 40
    assert found.table[7].label == "layer_7 forward"


def test_very_many_scopes_are_gathered_by_number() -> None:
    found = phases_of(numbered(300, "attn mlp"))
    assert len(found.table) == 60
    assert found.table[3].label == "layer_10-19/mlp forward"
    assert found.table[3].scope == "f/layer_10-19/mlp"


def test_the_passes_stay_apart_whatever_the_limit() -> None:
    found = phases_of("jit(f)/jvp(a)/x\njit(f)/transpose(jvp(a))/x\njit(f)/b/x", most=1)
    assert [phase.label for phase in found.table] == ["forward", "backward", "other"]


part = st.sampled_from(["a", "b", "layer_1", "layer_2", "layer_12", "x_3_y_4", "9" * 30])
keys = st.builds(
    Place,
    st.lists(part, max_size=10).map(tuple),
    st.sampled_from(["forward", "backward", "none"]),
    st.booleans(),
)


LONG, NONE = ("9" * 30,), ()
ONE_TOO_MANY = [
    *(Place(NONE, direction, False) for direction in ("forward", "none", "backward")),
    *(Place(path, "forward", True) for path in (LONG, NONE, ("a",))),
    Place(("a",), "forward", False),
]


@example(ONE_TOO_MANY, 6).via("a number too long to count is gathered with nothing else")
@given(st.lists(keys, max_size=60), st.integers(6, 20))
def test_merging_keeps_the_limit_and_the_passes(given_keys: list[Place], most: int) -> None:
    result = merged(given_keys, most)
    assert len(set(result.phases)) == len(result.phases) <= most
    assert len(result.row) == len(given_keys)
    assert set(result.row.tolist()) == set(range(len(result.phases)))
    for key, row in zip(given_keys, result.row.tolist(), strict=True):
        phase = result.phases[row]
        assert (phase.direction, phase.remat) == (key.direction, key.remat)
        assert len(phase.path) <= len(key.path)
    if len({(key.path[:8], key.direction, key.remat) for key in given_keys}) <= most:
        assert result.phases == list(dict.fromkeys(result.phases))
        assert all(
            result.phases[row].path == key.path[:8] for key, row in zip(given_keys, result.row, strict=True)
        )


@given(st.lists(st.integers(0, 3)), st.data())
def test_every_point_has_a_phase(ops: list[int], data: st.DataObject) -> None:
    regions = data.draw(st.lists(st.integers(0, 2), min_size=len(ops), max_size=len(ops)))
    table, row, *_ = places_of(["", "jit(f)/a/x", "jit(f)/jvp(b)/x", "argument"])
    columns = row[np.array(ops, np.int32)], np.zeros(len(ops), bool), np.array(regions, np.int32)
    found = phases(PointPlaces(table, *columns))
    assert len(found.column) == len(ops)
    assert list(dict.fromkeys(found.column.tolist())) == list(range(len(found.table)))
    named = {1: "a", 2: "b forward"}
    assert all(label == named[op] for op, label in zip(ops, labels(found), strict=True) if op in named)


def real_phases(name: str) -> Phases:
    module = decode_module((MODULES / f"{name}.hlo_proto.pb").read_bytes())
    order = program_order(module)
    rows = order.instruction
    again = [is_rematerialized(module.instructions.names[row]) for row in rows.tolist()]
    table, row, *_ = places_of(metadata.op_name for metadata in module.metadata)
    return phases(PointPlaces(table, row[module.instructions.metadata[rows]], np.array(again), order.region))


@pytest.mark.parametrize("path", sorted(MODULES.glob("*.pb")), ids=lambda path: path.name.split(".")[0])
def test_phases_of_real_programs_are_few_and_all_named(path: Path) -> None:
    found = real_phases(path.name.removesuffix(".hlo_proto.pb"))
    assert 1 <= len(found.table) <= MOST_PHASES
    assert all(phase.scope for phase in found.table)
    assert len({phase.label for phase in found.table}) == len(found.table)


def test_a_real_training_step_with_checkpoints() -> None:
    found = {phase.label for phase in real_phases("v5e_tf_remat").table}
    assert {
        "train_step forward",
        "while/attn forward",
        "while/mlp forward",
        "log_softmax backward",
        "while/attn backward",
        "while/attn backward, recomputed",
        "while/mlp backward, recomputed",
        "train_step",
    } <= found


def test_what_xla_rematerializes_is_told_apart() -> None:
    found = [phase.label for phase in real_phases("v5e_oom").table]
    assert sorted(found) == [
        "train_step backward",
        "train_step forward",
        "train_step forward, recomputed",
    ]


def test_hostile_names_stay_as_they_are() -> None:
    found = {phase.label for phase in real_phases("v5e_odd_names").table}
    assert "</script><b>/mlp backward" in found
    assert 'layer<1>&"x"/attn forward' in found
