"""The `memory_spaces` answer, and `memviewer summary`: modules with every headline number."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tensorboard_plugin_memviewer.analysis.capacity import Capacity
from tensorboard_plugin_memviewer.analysis.usage import Headline as Numbers
from tensorboard_plugin_memviewer.analysis.usage import SpaceUsage
from tensorboard_plugin_memviewer.wire import VERSION
from tensorboard_plugin_memviewer.wire.headline import Curve, Headline, curve, headline
from tensorboard_plugin_memviewer.wire.modules import ModuleFacts, SpaceLabel, module_facts, space_label
from tensorboard_plugin_memviewer.wire.names import Axis, ModuleNames
from tensorboard_plugin_memviewer.wire.problems import Problem, Versioned, problem_records

if TYPE_CHECKING:
    from tensorboard_plugin_memviewer.errors import Problem as FoundProblem
    from tensorboard_plugin_memviewer.service import LoadedModule, ModuleSummary


class SpaceNumbers(SpaceLabel, Headline):
    """A memory space with its headline numbers."""


class SpaceEntry(SpaceNumbers):
    """A memory space of a module."""

    curve: Curve


class SpacesAnswer(ModuleNames):
    """The memory spaces that a module uses."""

    axis: Axis
    points: int
    """The number of program points."""
    spaces: list[SpaceEntry]


class SummaryEntry(ModuleFacts):
    """A module with the headline numbers of all its memory spaces."""

    run: str
    spaces: list[SpaceNumbers]


class SummaryAnswer(Versioned):
    """`memviewer summary --format json`: the modules of all runs, the largest peak of HBM first."""

    modules: list[SummaryEntry]
    problems: list[Problem]


def spaces_answer(
    names: ModuleNames, loaded: LoadedModule, spaces: Iterable[tuple[SpaceUsage, Capacity]]
) -> SpacesAnswer:
    """The memory spaces of a module, each with its capacity."""
    order = loaded.plan.order
    return {
        **names,
        "axis": order.axis,
        "points": order.points,
        "spaces": [space_entry(usage, capacity) for usage, capacity in spaces],
    }


def space_entry(usage: SpaceUsage, capacity: Capacity) -> SpaceEntry:
    """One memory space of a module."""
    return {**space_numbers(usage.space, usage.headline, capacity), "curve": curve(usage.usage)}


def space_numbers(space: int, numbers: Numbers, capacity: Capacity) -> SpaceNumbers:
    """A memory space with its headline numbers."""
    return {**space_label(space), **headline(numbers, capacity)}


def summary_answer(
    modules: Iterable[tuple[str, ModuleSummary]], problems: Iterable[FoundProblem]
) -> SummaryAnswer:
    """Modules, each with its run."""
    return {
        "version": VERSION,
        "modules": [summary_entry(run, summary) for run, summary in modules],
        "problems": problem_records(problems),
    }


def summary_entry(run: str, summary: ModuleSummary) -> SummaryEntry:
    """A module of a run."""
    spaces = [space_numbers(space.color, space.headline, space.capacity) for space in summary.spaces]
    return {"run": run, **module_facts(summary), "spaces": spaces}
