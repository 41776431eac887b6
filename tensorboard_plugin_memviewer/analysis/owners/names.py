"""What the framework's names say of an instruction: the author's scope, the user's line, pass, recomputation.

A *name* is a number: a row of Module.metadata, or after those a row of FusedEnds.metadata; -1 is no name. Each
is read when it is first asked for, and once.

| part of a name | part of the author's scope |
| --- | --- |
| the program's own function, `jit(train_step)` in front | no |
| `jvp()`, `transpose()`, `vmap()`, `checkpoint`, `closed_call`, … (analysis/scope.py) | no: passes and plumbing |
| `while`, `cond`, `branch N`, `scan` | no: control flow |
| how JAX stacks and slices for a loop, `jit(dynamic_index_in_dim)` | no |
| what the author or a library opened or wrote: `blocks`, `mlp`, `jit(log_softmax)` | yes |
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import numpy as np

from tensorboard_plugin_memviewer.analysis.scope import Direction, Place, parse_scope
from tensorboard_plugin_memviewer.analysis.sources import Source, source_of
from tensorboard_plugin_memviewer.analysis.usage import Plan
from tensorboard_plugin_memviewer.model.module import NO_METADATA, Flags, Ints, OpMetadata

NO_NAME: Final = -1

_CONTROL_FLOW: Final = frozenset({"while", "cond", "scan", "body"})
_BRANCH: Final = re.compile(r"branch \d+")
_LOOP_ACCESS: Final = frozenset(
    {
        *("dynamic_index_in_dim", "dynamic_update_index_in_dim"),
        *("dynamic_slice_in_dim", "dynamic_update_slice_in_dim"),
    }
)
_PROGRAMS: Final = ("jit(", "pjit(", "pmap(")
# The operation stands in the body of a loop itself, not in what the body calls.
_IN_BODY: Final = re.compile(
    r"(^|/)while/body/(jit\((dynamic_(update_)?(index|slice)_in_dim)\)/)?[^/]*$"
)


class Named(NamedTuple):
    """What one name says. `scope` and `source` are None where it says nothing."""

    scope: str | None
    source: Source | None
    direction: Direction
    remat: bool


_UNNAMED: Final = Named(None, None, "none", False)


class Names:
    """The names of a module. `telling` is by row of Module.metadata whether it tells of an owner, `backward` and
    `model` whether it is of a backward pass, and of either pass.
    """

    def __init__(self, plan: Plan) -> None:
        self._module = plan.module
        self._places = plan.places
        self._sources = plan.sources
        self._plain = len(plan.module.metadata)
        self._known: dict[int, Named] = {NO_NAME: _UNNAMED}
        self._scopes: dict[tuple[Place, bool], str] = {}
        table = self._places.table
        self.backward: Flags = np.array([one.direction == "backward" for one in table])[self._places.row]
        self.model: Flags = np.array([one.direction != "none" for one in table])[self._places.row]
        has_source = np.array([one is not None for one in self._sources.table])[self._sources.row]
        named = np.array([bool(one.op_name) for one in plan.module.metadata], np.bool_)
        self.telling: Flags = has_source | named

    def alike(self, rows: Ints) -> Ints:
        """By row of Module.metadata a number that those which say the same have in common."""
        starts = np.array([one.op_name.startswith(_PROGRAMS) for one in self._module.metadata], np.int64)
        named = np.array([bool(one.op_name) for one in self._module.metadata], np.int64)
        kinds = (self._places.row.astype(np.int64) * 2 + starts) * 2 + named
        numbers: Ints = kinds * len(self._sources.table) + self._sources.row
        return numbers[rows]

    def of_fused(self, row: int) -> int:
        """The name that a row of FusedEnds.metadata is."""
        return self._plain + row if row >= 0 else NO_NAME

    def named(self, name: int) -> Named:
        """What a name says."""
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = self._read(name)
        return found

    def says(self, name: int) -> bool:
        """Whether a name tells of an owner."""
        named = self.named(name)
        return named.scope is not None or named.source is not None

    def is_of_loop(self, name: int, loop: int) -> bool:
        """Whether an operation is a loop's own access to what it carries: it stands in the body itself, on
        the line of the loop. `loop` is the loop's name.
        """
        metadata = self._metadata(name)
        if not metadata.op_name:
            return True
        if _IN_BODY.search(metadata.op_name) is None:
            return False
        own, of_loop = self.named(name).source, self.named(loop).source
        return own is None or of_loop is None or own == of_loop

    def _metadata(self, name: int) -> OpMetadata:
        if name < 0:
            return NO_METADATA
        if name < self._plain:
            return self._module.metadata[name]
        return self._module.fused.metadata[name - self._plain]

    def _read(self, name: int) -> Named:
        metadata = self._metadata(name)
        if name < self._plain:
            source = self._sources.table[self._sources.row[name]]
            place = self._places.table[self._places.row[name]]
        else:
            source = source_of(self._module, metadata)
            place, _ = parse_scope(metadata.op_name)
        if not metadata.op_name:
            return _UNNAMED._replace(source=source)
        key = place, metadata.op_name.startswith(_PROGRAMS)
        scope = self._scopes.get(key)
        if scope is None:
            scope = self._scopes[key] = "/".join(_author_scope(*key))
        return Named(scope, source, place.direction, place.remat)


def _author_scope(place: Place, starts_with_program: bool) -> list[str]:
    path = place.path[1:] if starts_with_program else place.path
    return [
        part
        for part in path
        if part not in _CONTROL_FLOW and part not in _LOOP_ACCESS and not _BRANCH.fullmatch(part)
    ]
