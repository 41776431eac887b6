"""Findings against programs that were compiled before and after the change that they advise."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from tensorboard_plugin_memviewer.analysis.findings import Finding
from tensorboard_plugin_memviewer.analysis.usage import space_usage
from tensorboard_plugin_memviewer.model.module import AllocationType
from tests.analysis.findings.found import found_in, planned_case
from tests.conftest import CASES

pytestmark = pytest.mark.cases

FOLDER = CASES / "pairs"
PAIRS = json.loads((FOLDER / "pairs.json").read_text()) if FOLDER.is_dir() else []
DONATION = [pair for pair in PAIRS if pair["kind"] == "donation"]
HEALTHY = sorted({pair["after"] for pair in PAIRS if pair["healthy"]})
# What an effect may be off by, as a share of the truth.
TOLERANCE = 0.03
# A buffer of more than half of the peak is named, though nothing is wrong with it.
LARGE_AND_HEALTHY = {"v6e_kept_mean.hlo_proto.pb"}


def path(file: str) -> str:
    return f"pairs/{file.partition('.')[0]}"


@cache
def found(file: str) -> dict[str, Finding]:
    return found_in(planned_case(path(file)))


def arguments(file: str, aliased: bool, least: int) -> set[str]:
    """The paths of the arguments of `least` bytes or more that are donated, or that are not."""
    plan = planned_case(path(file))
    module, buffers = plan.module, space_usage(plan, 0).buffers
    names = set()
    for allocation, buffer in zip(buffers.allocation.tolist(), buffers.buffer.tolist(), strict=True):
        is_argument = module.allocations.type[allocation] == AllocationType.PARAMETER
        is_large = module.allocations.size[allocation] >= least
        if is_argument and is_large and module.allocations.aliased[allocation] == aliased:
            names.add(op_name(plan, buffer))
    return names


def op_name(plan: Any, buffer: int) -> str:
    instructions = plan.module.instructions
    row = plan.module.buffers.instruction[buffer]
    is_parameter = instructions.opcodes[instructions.opcode[row]] == "parameter"
    name: str = plan.module.metadata[instructions.metadata[row]].op_name
    return name if is_parameter and instructions.computation[row] == plan.module.entry else ""


@pytest.mark.parametrize("pair", DONATION, ids=lambda pair: pair["id"])
def test_donation_names_the_arguments_that_the_other_program_donates(pair: dict[str, Any]) -> None:
    finding = found(pair["before"])["undonated_arguments"]
    plan = planned_case(path(pair["before"]))
    buffers = space_usage(plan, 0).buffers.buffer[list(finding.rows)].tolist()
    named = {op_name(plan, buffer) for buffer in buffers} - {""}
    least = finding.bytes // 1000  # Evidence of less is not listed.
    donated = arguments(pair["after"], True, least) & arguments(pair["before"], False, least)
    assert named == donated - {""}
    assert not {"x", "y", "step"} & named


@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair["follows"]], ids=lambda pair: pair["id"])
def test_an_effect_that_is_stated_holds(pair: dict[str, Any]) -> None:
    for finding in found(pair["before"]).values():
        if finding.cure == pair["kind"] and finding.effect is not None:
            true, slack = pair["fall_required"], TOLERANCE * abs(pair["fall_required"])
            assert finding.effect.low - slack <= true <= finding.effect.high + slack


@pytest.mark.parametrize("file", HEALTHY)
def test_healthy_programs_get_no_advice(file: str) -> None:
    kinds = found(file).keys() - {"wide_floats"}
    assert kinds == ({"large_buffer"} if file in LARGE_AND_HEALTHY else set())


def test_most_mistakes_are_named() -> None:
    """One that lowers the peak by a twentieth or more leaves no program without a finding, but where it
    is about shardings, which are not read, or smaller than a third of the peak.
    """
    silent = {
        pair["before"].partition(".")[0]
        for pair in PAIRS
        if 20 * pair["fall_peak"] >= pair["peak_before"] and not found(pair["before"])
    }
    assert silent <= {"v6e_moe_onehot", "v6e_tf_ck_block", "v6ex4_embed_replicated"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("found/advice/grad_accum_undonated_v5e", "found/advice/grad_accum_donated_v5e"),
        ("found/advice/scan_nodonate", "found/advice/scan_base"),
        ("found/advice/donation_cpu_before", "found/advice/donation_cpu_after"),
        ("modules/v5e_tf_scan_nodonate", "modules/v5e_tf_scan"),
    ],
)
def test_donation_of_state_in_loops(before: str, after: str) -> None:
    effect = found_in(planned_case(before))["undonated_arguments"].effect
    needs = [space_usage(planned_case(name), 0).headline.required_bytes for name in (before, after)]
    assert effect is not None and effect.low <= needs[0] - needs[1] <= effect.high
