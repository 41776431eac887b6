"""The `breakdown` answer, `memviewer peak` and `Breakdown.to_dict`: what is alive at a point, grouped."""

from __future__ import annotations

from typing import TypedDict

from tensorboard_plugin_memviewer.analysis.live_set import Breakdown, largest_live_rows
from tensorboard_plugin_memviewer.wire.buffer_record import BufferRecord
from tensorboard_plugin_memviewer.wire.headline import Headline
from tensorboard_plugin_memviewer.wire.names import SpaceNames
from tensorboard_plugin_memviewer.wire.problems import Problem, problem_records
from tensorboard_plugin_memviewer.wire.subject import Subject


class Group(TypedDict):
    """Buffers that are alive at the point and share a key."""

    key: str
    """The owner, scope, source line, …: "(no owner)", "(no name)" or "(no source line)" for those without."""
    path: list[str]
    """The names of the groups that it is in, outermost first, itself last."""
    bytes: int
    unpadded_bytes: int
    count: int
    """The number of its buffers."""
    buffers: list[int]
    """Their rows, largest first."""


class BreakdownAnswer(SpaceNames):
    """The live set at a point: usage_bytes = Σ groups − shared_bytes + scoped_bytes, exactly."""

    headline: Headline
    point: int
    instruction: str | None
    """The instruction at the point, None where none is known."""
    by: str
    """What the groups share: `owner`, `category`, `scope`, `source`, `type`, `opcode`, `dtype` or `shape`."""
    usage_bytes: int
    shared_bytes: int
    """Counted in more than one buffer, because live buffers share addresses."""
    scoped_bytes: int
    """Scoped memory of the instruction."""
    groups: list[Group]
    buffers: list[BufferRecord]
    """Every buffer alive at the point, largest first."""
    problems: list[Problem]


def breakdown_answer(subject: Subject, found: Breakdown, by: str) -> BreakdownAnswer:
    """A breakdown of the subject."""
    plan = subject.loaded.plan
    row = int(plan.order.instruction[found.point])
    return {
        **subject.space_names,
        "headline": subject.headline,
        "point": found.point,
        "instruction": plan.module.instructions.names[row] if row >= 0 else None,
        "by": by,
        "usage_bytes": found.usage_bytes,
        "shared_bytes": found.shared_bytes,
        "scoped_bytes": found.scoped_bytes,
        "groups": [
            {
                "key": group.key,
                "path": list(group.path),
                "bytes": group.bytes,
                "unpadded_bytes": group.unpadded_bytes,
                "count": len(group.rows),
                "buffers": group.rows.tolist(),
            }
            for group in found.groups
        ],
        "buffers": subject.records(largest_live_rows(subject.usage, found.point).tolist()),
        "problems": problem_records(plan.problems),
    }
