"""What owners are found from: a module with its order, lifetimes, places and sources, as `Plan` has them."""

from __future__ import annotations

from typing import Protocol

from tensorboard_plugin_memviewer.analysis.lifetimes.lifetimes import Lifetimes
from tensorboard_plugin_memviewer.analysis.lifetimes.program_order import ProgramOrder
from tensorboard_plugin_memviewer.analysis.scope import Places
from tensorboard_plugin_memviewer.analysis.sources import Sources
from tensorboard_plugin_memviewer.model.module import Module


class Planned(Protocol):
    """A part of `usage.Plan`, which itself knows the owners."""

    @property
    def module(self) -> Module:
        """The module."""

    @property
    def order(self) -> ProgramOrder:
        """Its program order."""

    @property
    def lifetimes(self) -> Lifetimes | None:
        """When its values are needed; None without a schedule."""

    @property
    def places(self) -> Places:
        """Where in the user's program instructions stand, by row of Module.metadata."""

    @property
    def sources(self) -> Sources:
        """Where in the user's files they come from, by row of Module.metadata."""
