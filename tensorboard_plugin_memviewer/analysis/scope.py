"""What a framework op name says of an instruction: its scope in the user's code, its pass, recomputed or not.

Knows how JAX writes its transformations into names
(`jit(step)/transpose(jvp(layer_3))/while/body/attn/dot_general`) and a little of TensorFlow's. Names are
anybody's text: every string gives a Scope, in time linear in its length.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

# Which pass of differentiation an operation belongs to; "none" is neither, as in inference or an optimizer.
Direction = Literal["forward", "backward", "none"]


@dataclass(frozen=True, slots=True)
class Scope:
    """A parsed op name.

    `path` is the user's scope, outermost first, the program's own function included; loops show as `while`,
    branches as `cond` and `branch N`, what JAX alone put there not at all. `remat` says that the operation is
    computed a second time. `op` is the framework's operation, empty where the name ends at a scope.
    """

    path: tuple[str, ...]
    direction: Direction
    remat: bool
    op: str


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
# XLA marks the copies that its own rematerialization makes in the instruction's name.
_XLA_REMAT: Final = re.compile(r"\.remat(?:\d*|_compressed|_uncompressed)(?:\.|$)")

_DEEPEST_NEST: Final = 16
_LONGEST_NAME: Final = 65536


def is_rematerialized(instruction_name: str) -> bool:
    """Whether XLA made the instruction to compute a value again instead of keeping it."""
    return ".remat" in instruction_name and _XLA_REMAT.search(instruction_name) is not None


@lru_cache(maxsize=2**17)
def parse_scope(op_name: str) -> Scope:
    """The scope of an op name; of several joined by `;` or `(a:b)`, as fusions have, of the first."""
    if _ARGUMENT.match(op_name):
        return Scope((), "none", False, op_name)
    components = _components(_first_of_several(op_name[:_LONGEST_NAME]))
    op = "" if _ends_at_scope(components[-1]) else components.pop()
    path: list[str] = []
    remat = False
    around_all: set[str] = set()
    transposed: tuple[tuple[str, ...], int] | None = None
    last = ""
    for component in components:
        around, parts = _unwrapped(component) if "(" in component else ((), (component,))
        around_all.update(around)
        if "transpose" in around:
            transposed = parts, len(path)
        elif "jvp" in around and transposed is not None and transposed[0] == parts != ("",):
            # In the backward pass of a checkpoint the name says its scope again, from the top.
            del path[transposed[1] :]
        for part in parts:
            remat = remat or part == _RECOMPUTED
            if not _is_machinery(part, last, len(path), called="jit" in around):
                path.append(_branch_name(part))
            last = part
    return Scope(tuple(path), _direction(around_all, components), remat, op)


def _direction(around: set[str], components: list[str]) -> Direction:
    if "transpose" in around or (components and components[0] in _TENSORFLOW_BACKWARD):
        return "backward"
    return "forward" if "jvp" in around else "none"


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


@lru_cache(maxsize=4096)
def _unwrapped(component: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The transformations around a component, outermost first, and the scopes inside."""
    around: list[str] = []
    inside = component
    for _ in range(_DEEPEST_NEST):
        wrapper, bracket, inner = inside.partition("(")
        if not bracket or not inner.endswith(")") or wrapper not in _WRAPPERS:
            break
        around.append(wrapper)
        inside = inner[:-1]
    return tuple(around), tuple(inside.split("/")) if around else (inside,)


def _is_machinery(part: str, last: str, depth: int, called: bool) -> bool:
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
