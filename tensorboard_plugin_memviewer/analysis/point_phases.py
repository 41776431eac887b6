"""The phase of every program point of a planned module: what phases.py says, given the module's own names."""

from __future__ import annotations

import numpy as np

from tensorboard_plugin_memviewer.analysis.phases import Phases, PointNames, phases
from tensorboard_plugin_memviewer.analysis.scope import is_rematerialized
from tensorboard_plugin_memviewer.analysis.usage import Plan


def phases_of(plan: Plan) -> Phases:
    """The table of phases, and the row in it of each program point."""
    return phases(point_names(plan))


def point_names(plan: Plan) -> PointNames:
    """What the framework called the instruction at each point."""
    table, instruction = plan.module.instructions, plan.order.instruction
    metadata = np.zeros(len(instruction), np.int32)
    known = instruction >= 0
    metadata[known] = table.metadata[instruction[known]]
    op_names = [entry.op_name for entry in plan.module.metadata]
    again = [row >= 0 and is_rematerialized(table.names[row]) for row in instruction.tolist()]
    return PointNames(op_names, metadata, np.array(again, np.bool_), plan.order.region)
