"""The usage of one memory space of one module as the Python API shows it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tensorboard_plugin_memviewer.analysis.capacity import Capacity
from tensorboard_plugin_memviewer.analysis.compare import compare
from tensorboard_plugin_memviewer.analysis.findings import find_findings
from tensorboard_plugin_memviewer.analysis.grouping.table import GROUPINGS
from tensorboard_plugin_memviewer.analysis.live_set import Breakdown as FoundBreakdown
from tensorboard_plugin_memviewer.analysis.live_set import breakdown, largest_live_rows
from tensorboard_plugin_memviewer.analysis.point_phases import phases_of
from tensorboard_plugin_memviewer.analysis.usage import Headline, SpaceUsage
from tensorboard_plugin_memviewer.api.buffers import Buffers, largest
from tensorboard_plugin_memviewer.api.frames import frame_of
from tensorboard_plugin_memviewer.api.notebook import Shown, usage_html
from tensorboard_plugin_memviewer.api.results import Comparison, Findings
from tensorboard_plugin_memviewer.api.storages import Storages
from tensorboard_plugin_memviewer.errors import BadParameter, nearest
from tensorboard_plugin_memviewer.model.module import Ints
from tensorboard_plugin_memviewer.model.space import space_name
from tensorboard_plugin_memviewer.service import LoadedModule
from tensorboard_plugin_memviewer.vocabulary.groupings import GroupBy
from tensorboard_plugin_memviewer.wire.breakdown import BreakdownAnswer, breakdown_answer
from tensorboard_plugin_memviewer.wire.names import ModuleNames
from tensorboard_plugin_memviewer.wire.subject import Subject

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class Group:
    """Live buffers of one group: bytes as stored and without padding. `buffers` has the largest first.

    `path` are the names of the groups that it is in, itself last; `key` is the same as one text.
    """

    key: str
    path: tuple[str, ...]
    bytes: int
    unpadded_bytes: int
    buffers: Buffers


@dataclass(frozen=True)
class Breakdown:
    """The buffers alive at a program point, grouped: usage_bytes = Σ groups − shared_bytes + scoped_bytes."""

    point: int
    by: str
    usage_bytes: int
    shared_bytes: int
    scoped_bytes: int
    groups: tuple[Group, ...]
    _subject: Subject = field(repr=False, compare=False)
    _found: FoundBreakdown = field(repr=False, compare=False)

    def to_dict(self) -> BreakdownAnswer:
        """The answer of the route `breakdown`."""
        return breakdown_answer(self._subject, self._found, self.by)

    def to_pandas(self) -> DataFrame:
        """A row a group. Raises Unsupported without pandas."""
        groups = self.groups
        return frame_of(
            {
                self.by: [group.key for group in groups],
                "bytes": [group.bytes for group in groups],
                "unpadded_bytes": [group.unpadded_bytes for group in groups],
                "count": [len(group.buffers) for group in groups],
            }
        )


class Usage:
    """How much of a memory space is used, point by point, and by what. All sizes are integer bytes.

    `headline` holds the numbers by the names of docs/numbers.md (`headline.peak_bytes`, …); what is asked for
    most is here too.
    """

    def __init__(self, names: ModuleNames, loaded: LoadedModule, space: int, capacity: Capacity) -> None:
        self.module = names["module"]
        self._names = names
        self._loaded = loaded
        self._capacity = capacity
        self._usage: SpaceUsage = loaded.usage(space)

    @property
    def space(self) -> str:
        """The name of the memory space."""
        return space_name(self._usage.space)

    @property
    def headline(self) -> Headline:
        """The headline numbers."""
        return self._usage.headline

    @property
    def peak_bytes(self) -> int:
        """The largest usage at any program point."""
        return self.headline.peak_bytes

    @property
    def peak_point(self) -> int:
        """The first program point that reaches it."""
        return self.headline.peak_point

    @property
    def required_bytes(self) -> int:
        """All allocations and the largest scoped memory: the least capacity that holds the program."""
        return self.headline.required_bytes

    @property
    def capacity_bytes(self) -> int | None:
        """The device's memory of this space, None where nothing says."""
        return self._capacity.bytes

    @property
    def capacity_source(self) -> str | None:
        """Who says it."""
        return self._capacity.source

    @property
    def usage(self) -> Ints:
        """Bytes in use at each program point, scoped memory included."""
        return _read_only(self._usage.usage)

    @property
    def unpadded(self) -> Ints:
        """The same without padding."""
        return _read_only(self._usage.unpadded)

    @property
    def scoped(self) -> Ints:
        """Scoped memory of the instruction at each program point."""
        return _read_only(self._usage.scoped)

    @cached_property
    def instructions(self) -> NDArray[np.object_]:
        """The name of the instruction at each program point, "" where none is known."""
        names, rows = self._loaded.module.instructions.names, self._loaded.plan.order.instruction
        return np.array([names[row] if row >= 0 else "" for row in rows.tolist()], dtype=object)

    @cached_property
    def phases(self) -> NDArray[np.object_]:
        """The phase of the user's program at each program point, such as "layer_3/attn backward"."""
        found = phases_of(self._loaded.plan)
        labels = np.array([phase.label for phase in found.table], dtype=object)
        return labels[found.column]

    @cached_property
    def buffers(self) -> Buffers:
        """Every buffer of the space, a row a span of its life; findings and comparisons count by it."""
        return Buffers(self._loaded, self._usage, np.arange(len(self._usage.buffers)))

    @cached_property
    def storages(self) -> Storages:
        """Every piece of memory of the space, a row each, the largest first; each opens to its buffers."""
        return Storages(self._loaded, self._usage)

    def live(self, at: int | None = None) -> Buffers:
        """The buffers alive at a program point (by default the peak), largest first. Raises BadParameter."""
        return Buffers(self._loaded, self._usage, largest_live_rows(self._usage, self._point(at)))

    def breakdown(self, by: GroupBy = "owner", at: int | None = None) -> Breakdown:
        """The live set at a program point by "owner", "category", "scope", "source", "type", "opcode",
        "dtype" or "shape".

        Raises BadParameter for another `by` or a point outside the program.
        """
        if by not in GROUPINGS:
            near = nearest(str(by), list(GROUPINGS))
            hint = "" if near is None else f"Did you mean {near!r}? "
            raise BadParameter(f"cannot group by {by!r}", f"{hint}Group by one of: {', '.join(GROUPINGS)}.")
        grouped = self._loaded.grouping(self._usage.space, by)
        found = breakdown(self._usage, grouped, self._point(at))
        groups = tuple(
            Group(
                group.key,
                group.path,
                group.bytes,
                group.unpadded_bytes,
                Buffers(self._loaded, self._usage, group.rows),
            )
            for group in found.groups
        )
        return Breakdown(
            point=found.point,
            by=by,
            usage_bytes=found.usage_bytes,
            shared_bytes=found.shared_bytes,
            scoped_bytes=found.scoped_bytes,
            groups=groups,
            _subject=self._subject,
            _found=found,
        )

    @cached_property
    def findings(self) -> Findings:
        """What the numbers say by themselves, the most urgent first; `rows` count in `buffers`."""
        loaded = self._loaded
        found = find_findings(loaded.plan, self._usage, loaded.readers, self._capacity)
        return Findings(found, self._subject)

    def compare(self, baseline: Usage) -> Comparison:
        """This usage against another: what appeared, went, grew, shrank or moved."""
        found = compare((self._loaded.plan, self._usage), (baseline._loaded.plan, baseline._usage))
        values = {one.name: getattr(found, one.name) for one in fields(found)}
        return Comparison(**values, _subject=self._subject, _baseline=baseline._subject)

    @property
    def _subject(self) -> Subject:
        return Subject(self._names, self._loaded, self._usage, self._capacity)

    def to_pandas(self) -> DataFrame:
        """A row a program point. Raises Unsupported without pandas."""
        columns: dict[str, Any] = {
            "usage": self._usage.usage,
            "unpadded": self._usage.unpadded,
            "scoped": self._usage.scoped,
            "instruction": self.instructions,
            "phase": self.phases,
        }
        return frame_of(columns, index="point")

    def _point(self, at: int | None) -> int:
        if at is None:
            return self.peak_point
        if not 0 <= at < self._usage.points:
            raise BadParameter(
                f"there is no program point {at}", f"Points go from 0 to {self._usage.points - 1}."
            )
        return at

    def __repr__(self) -> str:
        return f"<memviewer.Usage {self.space} of {self.module!r}: peak {self.peak_bytes} bytes>"

    def _repr_html_(self) -> str:
        live, problems = largest(self.live()), self._loaded.plan.problems
        return usage_html(Shown(self.module, self._usage, self._capacity, self.findings, live, problems))


def _read_only(array: Ints) -> Ints:
    view: Ints = array.view()
    view.flags.writeable = False
    return view
