"""The phase of every program point of a planned module, by phases.py from the module's own names."""

from __future__ import annotations

import numpy as np

from tensorboard_plugin_memviewer.analysis.phases import Phases, PointPlaces, phases
from tensorboard_plugin_memviewer.analysis.scope import is_rematerialized
from tensorboard_plugin_memviewer.analysis.usage import Plan


def phases_of(plan: Plan) -> Phases:
    """The table of phases, and the row in it of each program point."""
    return phases(point_places(plan))


def point_places(plan: Plan) -> PointPlaces:
    """Where the instruction at each point stands in the user's own program."""
    table, instruction = plan.module.instructions, plan.order.instruction
    metadata = np.zeros(len(instruction), np.int32)
    known = instruction >= 0
    metadata[known] = table.metadata[instruction[known]]
    again = [row >= 0 and is_rematerialized(table.names[row]) for row in instruction.tolist()]
    return PointPlaces(
        plan.places.table, plan.places.row[metadata], np.array(again, np.bool_), plan.order.region
    )
