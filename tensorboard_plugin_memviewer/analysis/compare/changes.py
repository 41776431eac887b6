"""Matches the buffers of two modules, and classifies what changed.

Ids and positions mean nothing across two compilations. Buffers are grouped by what made them (the framework's
operation, the opcode) and their shape; groups of the two sides that agree in all belong together, then those
that differ in shape only, then those that lie in another memory space.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from tensorboard_plugin_memviewer.analysis.live_set import metadata_of
from tensorboard_plugin_memviewer.analysis.usage import Plan, SpaceUsage, space_usage
from tensorboard_plugin_memviewer.model.module import AllocationType
from tensorboard_plugin_memviewer.vocabulary.changes import ChangeKind

# What the compiler appends to a name to make it unique.
_NUMBERED: Final = re.compile(r"(?:\.(?:\d+|clone|remat\d*))+$")


class Key(NamedTuple):
    """What buffers are matched by. `op_name` is the framework's name; `name` the instruction's, without its
    number, where there is no `op_name`. `shape` has no layout: the same array may lie differently in memory.
    """

    op_name: str
    name: str
    opcode: str
    shape: str


@dataclass(frozen=True, slots=True)
class Half:
    """One side's buffers of a change. `rows` are rows of its SpaceUsage.buffers, largest first.

    `bytes` is the sum of their sizes; `peak_count` and `peak_bytes` of those alive at this side's own peak.
    """

    rows: tuple[int, ...]
    bytes: int
    peak_count: int
    peak_bytes: int

    @property
    def count(self) -> int:
        """The number of buffers."""
        return len(self.rows)


NOTHING: Final = Half((), 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Change:
    """Buffers that belong together and differ.

    "moved" is the same buffers, alive at one side's peak and not at the other's; or, where `other_space` is
    given, in that memory space on the other side. `key` is the subject's, of what went the baseline's.
    """

    kind: ChangeKind
    key: Key
    baseline_key: Key
    subject: Half
    baseline: Half
    other_space: int | None = None

    @property
    def difference_bytes(self) -> int:
        """Subject less baseline, each at its own peak."""
        return self.subject.peak_bytes - self.baseline.peak_bytes


Side = tuple[Plan, SpaceUsage]


def find_changes(subject: Side, baseline: Side) -> tuple[tuple[Change, ...], list[Half]]:
    """What changed, the largest difference first; and the subject's halves of what is the same."""
    subjects, baselines = _groups(subject), _groups(baseline)
    pairs = list(_paired(subjects, baselines))
    changes: list[Change] = []
    same: list[Half] = []
    for key, baseline_key in pairs:
        change = _change(key, baseline_key, subjects, baselines)
        if change is None:
            same.append(subjects[key])
        else:
            changes.append(change)
    for key in subjects.keys() - {key for key, _ in pairs}:
        changes.append(Change("appeared", key, key, subjects[key], NOTHING))
    for key in baselines.keys() - {key for _, key in pairs}:
        changes.append(Change("went", key, key, NOTHING, baselines[key]))
    changes = _across_spaces(changes, subject, baseline)
    return tuple(sorted(changes, key=_rank)), same


def _rank(change: Change) -> tuple[int, int, Key, Key]:
    """The same for both ways round."""
    keys = sorted((change.key, change.baseline_key))
    return (
        -abs(change.difference_bytes),
        -abs(change.subject.bytes - change.baseline.bytes),
        keys[0],
        keys[1],
    )


def _groups(side: Side) -> dict[Key, Half]:
    plan, usage = side
    table, peak = usage.buffers, usage.headline.peak_point
    key_of = _Keys(plan, usage)
    members: defaultdict[Key, list[int]] = defaultdict(list)
    rows = np.nonzero(table.represents)[0]
    for row in rows[np.argsort(-table.size[rows], kind="stable")].tolist():
        members[key_of(row)].append(row)
    sizes, live = table.size.tolist(), ((table.start <= peak) & (peak < table.end)).tolist()
    return {key: _half(found, sizes, live) for key, found in members.items()}


class _Keys:
    """The key of a row. Shapes are spelled out once."""

    def __init__(self, plan: Plan, usage: SpaceUsage) -> None:
        self._plan = plan
        self._usage = usage
        self._shapes: dict[int, str] = {}

    def __call__(self, row: int) -> Key:
        module, buffer = self._plan.module, int(self._usage.buffers.buffer[row])
        if buffer < 0:
            kind = AllocationType(int(module.allocations.type[self._usage.buffers.allocation[row]]))
            return Key("", f"an allocation without buffers, {kind.label}", "", "")
        shape, instruction = self._shape(buffer), int(module.buffers.instruction[buffer])
        if instruction < 0:
            return Key("", "", "", shape)
        table, op = module.instructions, metadata_of(self._plan, self._usage, row).op_name
        name = "" if op else _NUMBERED.sub("", table.names[instruction])
        return Key(op, name, table.opcodes[table.opcode[instruction]], shape)

    def _shape(self, buffer: int) -> str:
        row = int(self._plan.module.buffers.shape[buffer])
        if row not in self._shapes:
            self._shapes[row] = self._plan.module.shapes[row].text(layout=False)
        return self._shapes[row]


def _half(rows: list[int], sizes: list[int], live: list[bool]) -> Half:
    at_peak = [sizes[row] for row in rows if live[row]]
    return Half(tuple(rows), sum(sizes[row] for row in rows), len(at_peak), sum(at_peak))


def _paired(subjects: dict[Key, Half], baselines: dict[Key, Half]) -> Iterator[tuple[Key, Key]]:
    """Keys that belong together: equal ones, then, of one operation, other shapes by size."""
    yield from ((key, key) for key in subjects if key in baselines)
    left, other = (
        _by_operation(mine, theirs) for mine, theirs in ((subjects, baselines), (baselines, subjects))
    )
    for operation, keys in left.items():
        yield from zip(keys, other.get(operation, ()), strict=False)


_Operation = tuple[str, str, bool]


def _by_operation(groups: dict[Key, Half], others: dict[Key, Half]) -> dict[_Operation, list[Key]]:
    """Keys that the others lack, by operation, opcode and whether they are tables of a tuple's pointers, the
    most bytes first. Without an operation's name another shape is another thing.
    """
    found: defaultdict[_Operation, list[Key]] = defaultdict(list)
    for key in sorted(groups, key=lambda key: (-groups[key].bytes, key)):
        if key not in others and key.op_name:
            found[key.op_name, key.opcode, key.shape.startswith("(")].append(key)
    return found


def _change(
    key: Key, baseline_key: Key, subjects: dict[Key, Half], baselines: dict[Key, Half]
) -> Change | None:
    subject, baseline = subjects[key], baselines[baseline_key]
    kind: ChangeKind
    if subject.bytes != baseline.bytes:
        kind = "grew" if subject.bytes > baseline.bytes else "shrank"
    elif subject.peak_bytes != baseline.peak_bytes:
        kind = "moved"
    else:
        return None
    return Change(kind, key, baseline_key, subject, baseline)


def _across_spaces(changes: list[Change], subject: Side, baseline: Side) -> list[Change]:
    """What appeared or went, as moved where the other side has more of it in another memory space."""
    if not any(change.kind in ("appeared", "went") for change in changes):
        return changes
    subjects, baselines = _other_spaces(subject), _other_spaces(baseline)
    return [_moved(change, subjects, baselines) for change in changes]


def _other_spaces(side: Side) -> dict[int, dict[Key, Half]]:
    plan, usage = side
    return {space: _groups((plan, space_usage(plan, space))) for space in plan.spaces if space != usage.space}


def _moved(
    change: Change, subjects: dict[int, dict[Key, Half]], baselines: dict[int, dict[Key, Half]]
) -> Change:
    if change.kind not in ("appeared", "went"):
        return change
    here, there = (subjects, baselines) if change.kind == "appeared" else (baselines, subjects)
    for space, groups in there.items():
        more = groups.get(change.key, NOTHING).count - here.get(space, {}).get(change.key, NOTHING).count
        if more > 0:
            return Change("moved", change.key, change.key, change.subject, change.baseline, space)
    return change
