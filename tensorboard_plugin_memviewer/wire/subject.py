"""One memory space of a module as encoders take it: loaded, with its names and its capacity."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from tensorboard_plugin_memviewer.analysis.capacity import Capacity
from tensorboard_plugin_memviewer.analysis.usage import SpaceUsage
from tensorboard_plugin_memviewer.model.space import space_name
from tensorboard_plugin_memviewer.service import LoadedModule
from tensorboard_plugin_memviewer.wire.buffer_record import BufferRecord, buffer_record
from tensorboard_plugin_memviewer.wire.headline import Headline, headline
from tensorboard_plugin_memviewer.wire.names import ModuleNames, Platform, SpaceNames


@dataclass(frozen=True, slots=True)
class Subject:
    """What an answer about one memory space is made from. `names` are those of the module."""

    names: ModuleNames
    loaded: LoadedModule
    usage: SpaceUsage
    capacity: Capacity

    @property
    def space_names(self) -> SpaceNames:
        """The module's names and those of the memory space."""
        space = self.usage.space
        return {**self.names, "space": space_name(space), "memory_space": space}

    @property
    def platform(self) -> Platform | None:
        """ "tpu", "gpu", "cpu", or None where the file does not say."""
        return cast("Platform | None", self.loaded.module.platform)

    @property
    def headline(self) -> Headline:
        """The headline numbers with the capacity."""
        return headline(self.usage.headline, self.capacity)

    def records(self, rows: Iterable[int]) -> list[BufferRecord]:
        """The buffers in rows of the usage's table."""
        return [buffer_record(self.loaded.plan, self.usage, row) for row in rows]
