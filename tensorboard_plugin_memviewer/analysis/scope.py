"""Parses framework op names: the scope in the user's code, forward or backward, recomputed or not.

Knows how JAX writes its transformations into names
(`jit(step)/transpose(jvp(layer_3))/while/body/attn/dot_general`) and a little of TensorFlow's. Names are
untrusted: every string gives a Place, in time linear in its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

# Which pass of differentiation an operation belongs to; "none" is neither, as in inference or an optimizer.
Direction = Literal["forward", "backward", "none"]


class Place(NamedTuple):
    """Where in the user's own program an operation stands.

    `path` is the user's scope, outermost first, the program's own function included; loops show as `while`,
    branches as `cond` and `branch N`, what JAX alone put there not at all. `remat` says that the operation is
    computed a second time.
    """

    path: tuple[str, ...]
    direction: Direction
    remat: bool

    @property
    def scope(self) -> str:
        """The path as text, slashes between."""
        return "/".join(self.path)


class Places(NamedTuple):
    """The places of many op names: that of name i is `table[row[i]]`, its scope `scopes[scope[i]]`, the
    framework's operation `operations[operation[i]]`.

    Places, scopes and operations are distinct, in the order in which they are met.
    """

    table: tuple[Place, ...]
    row: NDArray[np.int32]
    scopes: tuple[str, ...]
    scope: NDArray[np.int32]
    operations: tuple[str, ...]
    operation: NDArray[np.int32]


NOWHERE: Final = Place((), "none", False)

# Transformations that JAX writes around a scope or function name.
_WRAPPERS: Final = frozenset(
    {
        *("jit", "pjit", "pmap", "vmap", "shard_map", "remat", "checkpoint"),
        *("jvp", "transpose", "linearize", "custom_jvp", "custom_vjp"),
    }
)
# Components that are JAX's own machinery, not a scope of the user.
_MACHINERY: Final = frozenset(
    {
        *("closed_call", "core_call", "named_call", "pjit", "shard_map"),
        *("checkpoint", "remat", "remat2", "rematted_computation"),
        *("custom_jvp_call", "custom_vjp_call", "custom_vjp_call_jaxpr", "custom_lin"),
    }
)
_RECOMPUTED: Final = "rematted_computation"
_TENSORFLOW_BACKWARD: Final = frozenset(("gradient_tape", "gradients"))
_BRANCH: Final = re.compile(r"branch_(\d+)_fun")
# What JAX names a program's argument: `x`, `params['w']`, `state.opt[0]`.
_ARGUMENT: Final = re.compile(r"[^/()]*\[")
# Behind an operation, unlike the index of an argument: `[dimension_numbers=(((1,), (0,)), …]`.
_PARAMETERS: Final = re.compile(r"\[\s*\w+=")
_SQUARE: Final = re.compile(r"[\[\]]")
# XLA marks the copies that its own rematerialization makes in the instruction's name.
_XLA_REMAT: Final = re.compile(r"\.remat(?:\d*|_compressed|_uncompressed)(?:\.|$)")

_DEEPEST_NEST: Final = 16
_LONGEST_NAME: Final = 65536
# A beginning of a name is walked from the one before it, each a call deep and with a copy of the path: names
# made to be long or deep are not.
_LONGEST_SHARED: Final = 300
_DEEPEST_SHARED: Final = 32
# What is longer is worked out each time, since caches count entries, not bytes.
_LONGEST_KEPT: Final = 1000


def is_rematerialized(instruction_name: str) -> bool:
    """Whether XLA made the instruction to compute a value again instead of keeping it."""
    return ".remat" in instruction_name and _XLA_REMAT.search(instruction_name) is not None


def places_of(op_names: Iterable[str]) -> Places:
    """The places of op names; of several joined by `;` or `(a:b)`, as fusions have, of the first."""
    numbers: dict[Place, int] = {}
    operations: dict[str, int] = {}
    rows: list[tuple[int, int]] = []
    for name in op_names:
        place, operation = parse_scope(name)
        number = numbers.setdefault(place, len(numbers))
        rows.append((number, operations.setdefault(operation, len(operations))))
    row, of_name = np.array(rows, np.int32).reshape(-1, 2).T
    scopes: dict[str, int] = {}
    scope = np.array([scopes.setdefault(place.scope, len(scopes)) for place in numbers], np.int32)
    return Places(tuple(numbers), row, tuple(scopes), scope[row], tuple(operations), of_name)


def parse_scope(op_name: str) -> tuple[Place, str]:
    """The place of an op name as `places_of` gives it, and the framework's operation, empty where the name
    ends at a scope.
    """
    op_name = _without_parameters(op_name)
    if "[" in op_name and _ARGUMENT.match(op_name):
        return NOWHERE, op_name
    name = _first_of_several(op_name[:_LONGEST_NAME])
    head, slash, op = name.rpartition("/")
    if slash and not _has_bracket(op) and op not in _MACHINERY:
        return _place(head) if len(head) <= _LONGEST_KEPT else _stepped(head).place, op
    components = _components(name)
    op = "" if _ends_at_scope(components[-1]) else components.pop()
    return _walk(components).place, op


class _Walk:
    """What is known of a name behind some of its components."""

    __slots__ = ("around", "is_gradient", "last", "path", "remat", "transposed")

    def __init__(self) -> None:
        self.path: list[str] = []
        self.around: frozenset[str] = frozenset()
        self.remat = False
        # The scopes in the last transposition, and how deep the path was there.
        self.transposed: tuple[tuple[str, ...], int] | None = None
        self.last: str | None = None
        self.is_gradient = False

    def copy(self) -> _Walk:
        """One that can be walked on without moving this one."""
        copy = _Walk()
        copy.path, copy.around, copy.remat = self.path[:], self.around, self.remat
        copy.transposed, copy.last, copy.is_gradient = self.transposed, self.last, self.is_gradient
        return copy

    def enter(self, component: str) -> None:
        """Go behind one more component."""
        around, parts = _unwrapped(component) if "(" in component else ((), (component,))
        if around:
            self.around = self.around.union(around)
        if "transpose" in around:
            self.transposed = parts, len(self.path)
        elif "jvp" in around and self.transposed is not None and self.transposed[0] == parts != ("",):
            # In the backward pass of a checkpoint the name says its scope again, from the top.
            del self.path[self.transposed[1] :]
        if self.last is None:
            self.is_gradient = component in _TENSORFLOW_BACKWARD
        for part in parts:
            self.remat = self.remat or part == _RECOMPUTED
            if not _is_machinery(part, self.last, len(self.path), called="jit" in around):
                self.path.append(_branch_name(part))
            self.last = part

    @property
    def place(self) -> Place:
        """Where the name stands so far."""
        backward = self.is_gradient or "transpose" in self.around
        direction: Direction = "backward" if backward else "forward" if "jvp" in self.around else "none"
        return Place(tuple(self.path), direction, self.remat)


@lru_cache(maxsize=2**12)
def _place(head: str) -> Place:
    return _stepped(head).place


# Names share their beginnings: each is walked once. What is kept here is not walked on.
@lru_cache(maxsize=2**14)
def _walked(head: str) -> _Walk:
    return _stepped(head)


def _stepped(head: str) -> _Walk:
    """One component on from what is before it; from the start where brackets may hold the last slash."""
    before, slash, component = head.rpartition("/")
    if _has_bracket(component) or len(head) > _LONGEST_SHARED or head.count("/") > _DEEPEST_SHARED:
        return _walk(_components(head))
    walk = _walked(before).copy() if slash else _Walk()
    walk.enter(component)
    return walk


def _walk(components: Iterable[str]) -> _Walk:
    walk = _Walk()
    for component in components:
        walk.enter(component)
    return walk


def _has_bracket(text: str) -> bool:
    return "(" in text or ")" in text


def _without_parameters(op_name: str) -> str:
    """Without the parameters that older JAX writes behind the operation: `dot_general[precision=None]`."""
    if not op_name.endswith("]") or "=" not in op_name:
        return op_name
    depth, end = 0, len(op_name)
    for bracket in reversed(list(_SQUARE.finditer(op_name))):
        depth += 1 if bracket[0] == "]" else -1
        if depth == 0:
            end = bracket.start()
            break
    return op_name[:end] if _PARAMETERS.match(op_name, end) else op_name


def _first_of_several(op_name: str) -> str:
    head = op_name.partition(";")[0]
    before, bracket, merged = head.rpartition("/(") if head.endswith(")") else ("", "", "")
    return f"{before}/{merged.partition(':')[0]}" if bracket and ":" in merged else head


def _components(name: str) -> list[str]:
    """Split at the slashes outside of brackets; at every slash where brackets do not match."""
    pieces = name.split("/")
    if "(" not in name:
        return pieces
    whole: list[str] = []
    held: list[str] = []
    depth = 0
    for piece in pieces:
        if "(" in piece or ")" in piece:
            depth = max(depth + piece.count("(") - piece.count(")"), 0)
        if depth > 0 or held:
            held.append(piece)
            if depth == 0:
                whole.append("/".join(held))
                held = []
        else:
            whole.append(piece)
    return pieces if held else whole


def _ends_at_scope(component: str) -> bool:
    """Whether a last component names a call or a piece of machinery instead of an operation."""
    return component in _MACHINERY or ("(" in component and _unwrapped(component)[0] != ())


def _unwrapped(component: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The transformations around a component, outermost first, and the scopes inside."""
    return _known_unwrapped(component) if len(component) <= _LONGEST_KEPT else _unwrap(component)


@lru_cache(maxsize=2**12)
def _known_unwrapped(component: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return _unwrap(component)


def _unwrap(component: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    around: list[str] = []
    inside = component
    for _ in range(_DEEPEST_NEST):
        wrapper, bracket, inner = inside.partition("(")
        if not bracket or not inner.endswith(")") or wrapper not in _WRAPPERS:
            break
        around.append(wrapper)
        inside = inner[:-1]
    return tuple(around), tuple(inside.split("/")) if around else (inside,)


def _is_machinery(part: str, last: str | None, depth: int, called: bool) -> bool:
    """Whether a part of the name, after `last` and below `depth` scopes, is none of the user's scopes."""
    if not part or part in _MACHINERY:
        return True
    if depth == 0:
        return part in _TENSORFLOW_BACKWARD
    if part in ("body", "cond") and last == "while":
        return True
    # Functions of JAX's own library start with an underscore; a wrapped `main` is from releases before 0.7.
    library = called and (part[0] == "_" or (part == "main" and depth == 1))
    # einsum opens a scope that is its subscripts.
    return library or "->" in part


def _branch_name(part: str) -> str:
    branch = _BRANCH.fullmatch(part) if part.startswith("branch_") else None
    return part if branch is None else f"branch {branch[1]}"
