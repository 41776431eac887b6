"""Storages as columns: pieces of memory, each of which a person would call one array."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tensorboard_plugin_memviewer.analysis.owners.owner import Owner
from tensorboard_plugin_memviewer.analysis.owners.storages import live_bytes
from tensorboard_plugin_memviewer.analysis.usage import SpaceUsage
from tensorboard_plugin_memviewer.api.buffers import Buffers
from tensorboard_plugin_memviewer.api.frames import frame_of
from tensorboard_plugin_memviewer.model.module import Ints
from tensorboard_plugin_memviewer.service import LoadedModule

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class Storage:
    """One row of Storages; see there."""

    row: int
    instruction: str
    owner: Owner
    category: str
    shape: str
    type: str
    bytes: int
    start: int
    end: int
    buffers: Buffers


class Storages:
    """The storages of one memory space, the largest first. Columns are numpy arrays, sizes in bytes.

    A storage is one array in memory, under whatever names it goes: a loop's initial value, its parameter, its
    updates and its result are one. Every buffer belongs to exactly one.
    """

    def __init__(self, loaded: LoadedModule, usage: SpaceUsage) -> None:
        self._loaded = loaded
        self._usage = usage
        self._storages = loaded.storages(usage.space)
        self._represent = Buffers(loaded, usage, self._storages.chief)

    def __len__(self) -> int:
        return len(self._storages)

    def __getitem__(self, row: int) -> Storage:
        at = range(len(self))[row]
        return Storage(
            row=at,
            instruction=str(self.instruction[at]),
            owner=self.owner[at],
            category=str(self.category[at]),
            shape=str(self.shape[at]),
            type=str(self.type[at]),
            bytes=int(self.bytes[at]),
            start=int(self.start[at]),
            end=int(self.end[at]),
            buffers=self.buffers(at),
        )

    def __iter__(self) -> Iterator[Storage]:
        return (self[at] for at in range(len(self)))

    @cached_property
    def instruction(self) -> NDArray[np.object_]:
        """The instruction that defines the buffer which stands for it: of an argument the parameter."""
        return self._represent.instruction

    @cached_property
    def owner(self) -> NDArray[np.object_]:
        """Whose memory it is: an Owner for each."""
        return self._represent.owner

    @cached_property
    def category(self) -> NDArray[np.object_]:
        """What kind of memory it is: the category of the buffer which stands for it."""
        return self._represent.category

    @cached_property
    def shape(self) -> NDArray[np.object_]:
        """The shape of the buffer which stands for it."""
        return self._represent.shape

    @cached_property
    def type(self) -> NDArray[np.object_]:
        """ "Parameter", "Output", "Thread-local", "Constant" or "Temporary"."""
        return self._represent.type

    @property
    def bytes(self) -> Ints:
        """Bytes as stored: of the largest of its buffers, or of its whole allocation."""
        return self._storages.size

    @property
    def start(self) -> Ints:
        """The first program point at which it is alive."""
        return self._storages.first

    @property
    def end(self) -> Ints:
        """The program point after the last at which it is alive; in between it may rest."""
        return self._storages.end

    def buffers(self, row: int) -> Buffers:
        """The buffers of a storage, in program order."""
        return Buffers(self._loaded, self._usage, self._storages.rows_of(row))

    def live_bytes(self, at: int) -> Ints:
        """The bytes that each storage takes at a program point. What several share counts once, for the
        largest of them: the sum is the usage there without scoped memory.
        """
        return live_bytes(self._loaded.plan, self._usage, self._storages, at)

    def to_pandas(self) -> DataFrame:
        """A row a storage, its buffers left out. Raises Unsupported without pandas."""
        names = [field.name for field in fields(Storage) if field.name not in ("row", "buffers")]
        return frame_of({name: getattr(self, name) for name in names}, index="row")

    def __repr__(self) -> str:
        return f"<memviewer.Storages: {len(self)} rows>"
