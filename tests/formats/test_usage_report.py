"""XLA's own totals agree with the allocations of every real module; where they do not, that is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module
from tensorboard_plugin_memviewer.formats.usage_report import checked_against_report, parse_usage_totals
from tensorboard_plugin_memviewer.service.service import Service
from tests.conftest import DATA

REPORTS = sorted((DATA / "modules").glob("*.memory-usage-report.txt"))
DUMP = DATA / "dump_text"


@pytest.mark.parametrize("report", REPORTS, ids=lambda path: path.name.partition(".")[0])
def test_every_real_module_adds_up_to_what_xla_says(report: Path) -> None:
    name = report.name.removesuffix(".memory-usage-report.txt")
    text = report.read_text()
    module = decode_module((report.parent / f"{name}.hlo_proto.pb").read_bytes())
    assert parse_usage_totals(text)
    assert checked_against_report(module, text) is module


def test_totals_by_memory_space_and_the_older_single_total() -> None:
    new = "Memory Space: default (color=0)\nTotal bytes: 19327353344 (18.00GiB)\n\n\n"
    new += "Memory Space: color_7 (color=7)\nTotal bytes: 0 (0B)\n"
    assert parse_usage_totals(new) == {0: 19327353344, 7: 0}
    assert parse_usage_totals("Total bytes used: 32412720 (30.91MiB)\n\nAllocations sorted by size:\n") == {
        None: 32412720
    }
    assert parse_usage_totals("nothing of the kind") == {}


def test_a_report_of_another_compilation_beside_the_dump(tmp_path: Path) -> None:
    for path in DUMP.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())

    def problems() -> list[str]:
        (module,) = Service(str(tmp_path)).modules(tmp_path.name).modules
        return [problem.message for problem in module.problems]

    assert problems() == []
    (report,) = tmp_path.glob("*usage-report.txt")
    report.write_text("Memory Space: default (color=0)\nTotal bytes: 1024 (1KiB)\n")
    (said,) = problems()
    assert "states that 1.00 KiB of HBM are allocated" in said
