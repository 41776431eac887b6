"""What the framework's names say of an instruction: the author's scope, the user's line, pass, recomputation.

A *name* is a number: a row of Module.metadata, or after those a row of FusedEnds.metadata; -1 is no name.

| part of a name | part of the author's scope |
| --- | --- |
| the program's own function, `jit(train_step)` in front | no |
| `jvp()`, `transpose()`, `checkpoint`, `closed_call`, … (analysis/scope.py) | no: passes and plumbing |
| `while`, `cond`, `branch N`, `scan`, `eval_jaxpr` | no: control flow |
| how JAX stacks and slices for a loop, `jit(dynamic_index_in_dim)` | no |
| what the author or a library opened or wrote: `blocks`, `mlp`, `jit(log_softmax)` | yes |
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from tensorboard_plugin_memviewer.analysis.owners.planned import Planned
from tensorboard_plugin_memviewer.analysis.scope import places_of
from tensorboard_plugin_memviewer.analysis.sources import Source, source_of
from tensorboard_plugin_memviewer.model.module import Flags, Ints
from tensorboard_plugin_memviewer.model.op_metadata import NO_METADATA, OpMetadata

NO_NAME: Final = -1

_PROGRAMS: Final = ("jit(", "pjit(", "pmap(")
_LOOP_ACCESS: Final = r"dynamic_(?:update_)?(?:index|slice)_in_dim"
# Parts of a scope that are control flow or a loop's own, with the slash behind them.
_PLUMBING: Final = re.compile(
    rf"(?<![^/])(?:while|cond|scan|body|eval_jaxpr|branch \d+|{_LOOP_ACCESS})(?:/|$)"
)
# The operation stands in the body of a loop itself, not in what the body calls.
_IN_BODY: Final = re.compile(rf"(?:^|/)while/body/(?:jit\({_LOOP_ACCESS}\)/)?[^/]*$")


class Names:
    """The names of a module, as columns by name. The last row of each is for NO_NAME.

    `scope` is the number of the author's scope in `scopes`, `source` that of the user's line in `sources`,
    both -1 where the name tells nothing; `tells` whether there is a scope below the top level, or a line;
    `forward` and `backward` which pass it is of; `recomputed` whether it is computed once more.
    """

    def __init__(self, plan: Planned) -> None:
        module = plan.module
        fused = module.fused.metadata
        self._metadata = (module.metadata, fused)
        self._plain = len(module.metadata)
        self._op_names = [one.op_name for one in (*module.metadata, *fused)]
        places = places_of([*(one.op_name for one in fused), ""])
        tables = (*plan.places.table, *places.table)
        place = np.concatenate([plan.places.row, places.row + len(plan.places.table)])
        self.forward: Flags = np.array([one.direction == "forward" for one in tables])[place]
        self.backward: Flags = np.array([one.direction == "backward" for one in tables])[place]
        self.recomputed: Flags = np.array([one.remat for one in tables])[place]
        scopes = (*plan.places.scopes, *places.scopes)
        self.scopes: list[str] = []
        self.scope: Ints = self._author_scopes(
            scopes, np.concatenate([plan.places.scope, places.scope + len(plan.places.scopes)])
        )
        self.sources: list[Source] = []
        self.source: Ints = self._lines(plan)
        at_top = np.array([scope == "" for scope in (*self.scopes, "")], np.bool_)[self.scope]
        self.tells: Flags = ~at_top | (self.source >= 0)

    def of_fused(self, row: int) -> int:
        """The name that a row of FusedEnds.metadata is."""
        return self._plain + row if row >= 0 else NO_NAME

    def metadata(self, name: int) -> OpMetadata:
        """What the framework said under a name."""
        if name < 0:
            return NO_METADATA
        plain, fused = self._metadata
        return plain[name] if name < len(plain) else fused[name - len(plain)]

    def is_of_loop(self, name: int, loop: int) -> bool:
        """Whether an operation is a loop's own access to what it carries: it stands in the body itself, on
        the line of the loop. `loop` is the loop's name.
        """
        op_name = self.metadata(name).op_name
        if not op_name:
            return True
        if _IN_BODY.search(op_name) is None:
            return False
        own, of_loop = int(self.source[name]), int(self.source[loop])
        return own < 0 or of_loop < 0 or own == of_loop

    def _author_scopes(self, scopes: tuple[str, ...], of_name: Ints) -> Ints:
        """Numbers the author's scopes; `of_name` are rows of `scopes`, which still hold the plumbing."""
        starts = np.array([name.startswith(_PROGRAMS) for name in (*self._op_names, "")], np.int64)
        kinds, of_kind = np.unique(of_name * 2 + starts, return_inverse=True)
        numbers: dict[str, int] = {}
        found = []
        for kind in kinds.tolist():
            scope = scopes[kind // 2]
            if kind % 2:
                scope = scope.partition("/")[2]
            if _PLUMBING.search(scope):
                scope = _PLUMBING.sub("", scope).rstrip("/")
            found.append(numbers.setdefault(scope, len(numbers)))
        self.scopes = list(numbers)
        known = np.array([bool(name) for name in (*self._op_names, "")], np.bool_)
        return np.where(known, np.array(found, np.int64)[of_kind.reshape(-1)], -1)

    def _lines(self, plan: Planned) -> Ints:
        """Numbers the lines; those of the plan's table come first, in their order."""
        fused = [source_of(plan.module, one) for one in plan.module.fused.metadata]
        numbers: dict[Source, int] = {}
        of_table = [
            -1 if one is None else numbers.setdefault(one, len(numbers)) for one in plan.sources.table
        ]
        of_fused = [-1 if one is None else numbers.setdefault(one, len(numbers)) for one in fused]
        self.sources = list(numbers)
        return np.concatenate([np.array(of_table, np.int64)[plan.sources.row], np.array([*of_fused, -1])])
