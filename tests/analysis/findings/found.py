"""What is found in a module, by kind: in a few lines of text, and in the real ones of tests/data/modules."""

from __future__ import annotations

from functools import cache

from tensorboard_plugin_memviewer.analysis.capacity import Capacity, capacity_of
from tensorboard_plugin_memviewer.analysis.findings import Finding, find_findings
from tensorboard_plugin_memviewer.analysis.lifetimes.readers import find_readers
from tensorboard_plugin_memviewer.analysis.usage import Plan, plan, space_usage
from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module
from tensorboard_plugin_memviewer.model.device import DeviceFacts
from tests.build import module
from tests.conftest import CASES, DATA

MODULES = DATA / "modules"
MIB = 1 << 20
UNKNOWN = Capacity()
# 1 MiB of f32, and half a MiB of bf16.
F32, BF16 = "f32[512,512]", "bf16[512,512]"


@cache
def planned(name: str) -> Plan:
    return plan(decode_module((MODULES / f"{name}.hlo_proto.pb").read_bytes()))


@cache
def planned_case(path: str) -> Plan:
    return plan(decode_module((CASES / f"{path}.hlo_proto.pb").read_bytes()))


def found_in_case(name: str) -> dict[str, Finding]:
    """The findings of a module beside the repository."""
    return found_in(planned_case(f"found/advice/{name}"))


def found_in(found: Plan, space: int = 0, capacity: Capacity = UNKNOWN) -> dict[str, Finding]:
    findings = find_findings(found, space_usage(found, space), find_readers(found), capacity)
    return {finding.kind: finding for finding in findings}


def found_in_text(text: str, capacity: int | None = None) -> dict[str, Finding]:
    return found_in(plan(module(text)), capacity=Capacity(capacity, "a test says so"))


def real(name: str, space: int = 0) -> dict[str, Finding]:
    devices = [DeviceFacts("/device:TPU:0", name.partition("_")[0])]
    return found_in(planned(name), space, capacity_of(devices, space))


def names_of(name: str, finding: Finding, space: int = 0) -> set[str]:
    found = planned(name)
    buffers = space_usage(found, space).buffers.buffer[list(finding.rows)]
    return {found.module.instructions.names[row] for row in found.module.buffers.instruction[buffers]}


def one_argument(size: int) -> str:
    return f"""
    entry main:
      p = f32[{size // 4}] parameter()
      r = f32[] constant()
    alloc parameter {size}: p:{size}
    """
