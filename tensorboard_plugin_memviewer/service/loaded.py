"""A decoded module with everything derived from it, each computed on first use and once."""

from __future__ import annotations

import threading

from tensorboard_plugin_memviewer.analysis.grouping.groups import Grouping
from tensorboard_plugin_memviewer.analysis.grouping.table import grouping
from tensorboard_plugin_memviewer.analysis.lifetimes.readers import Readers, find_readers
from tensorboard_plugin_memviewer.analysis.owners.owners import Owners
from tensorboard_plugin_memviewer.analysis.owners.storages import Storages, find_storages, storage_of
from tensorboard_plugin_memviewer.analysis.usage import Plan, SpaceUsage, plan, space_usage
from tensorboard_plugin_memviewer.model.module import Ints, Module
from tensorboard_plugin_memviewer.service.collector import paused


class LoadedModule:
    """A module with its plan; usages of spaces and readers are computed when first asked for, once.

    `saved` is the plan and the one usage of a saved result, which are as they are: they cannot be computed.
    """

    def __init__(
        self, module: Module, fingerprint: str, saved: tuple[Plan, SpaceUsage] | None = None
    ) -> None:
        self.plan: Plan = plan(module) if saved is None else saved[0]
        self.fingerprint = fingerprint
        self._lock = threading.Lock()
        self._usages: dict[int, SpaceUsage] = {} if saved is None else {saved[1].space: saved[1]}
        self._groupings: dict[tuple[int, str], Grouping] = {}
        self._storages: dict[int, Storages] = {}
        self._storage_of: Ints | None = None
        self._readers: Readers | None = None

    @property
    def module(self) -> Module:
        """The module as decoded."""
        return self.plan.module

    def usage(self, space: int) -> SpaceUsage:
        """Usage of a memory space."""
        with self._lock:
            if space not in self._usages:
                self._usages[space] = space_usage(self.plan, space)
            return self._usages[space]

    def grouping(self, space: int, by: str) -> Grouping:
        """The buffers of a memory space by key. Raises KeyError for an unknown `by`."""
        usage = self.usage(space)
        with self._lock:
            if (space, by) not in self._groupings:
                self._groupings[space, by] = grouping(self.plan, usage, by)
            return self._groupings[space, by]

    def storages(self, space: int) -> Storages:
        """The storages of a memory space."""
        usage = self.usage(space)
        with self._lock:
            if self._storage_of is None:
                self._storage_of = storage_of(self.plan)
            if space not in self._storages:
                self._storages[space] = find_storages(self.plan, usage, self._storage_of)
            return self._storages[space]

    @property
    def owners(self) -> Owners:
        """Whose memory each logical buffer is."""
        with self._lock, paused():
            return self.plan.owners

    @property
    def readers(self) -> Readers:
        """Who reads each buffer."""
        with self._lock:
            if self._readers is None:
                with paused():
                    self._readers = find_readers(self.plan)
            return self._readers

    def size_bytes(self) -> int:
        """Memory that the module keeps once all is computed: an estimate on the safe side, for the cache's
        bound.
        """
        module, points = self.plan.module, self.plan.order.points
        events = sum(len(trace) for trace in module.traces)
        rows = 600 * len(module.instructions) + 400 * len(module.buffers) + 40 * events
        return rows + points * (8 + 24 * len(self.plan.spaces)) + 100_000
