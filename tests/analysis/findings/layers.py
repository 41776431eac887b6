"""A program of some layers, whose activations wait for its backward pass."""

from __future__ import annotations

from tests.analysis.findings.found import F32, MIB


def layers(count: int, backward: str = "sine") -> str:
    """`count` layers that keep 1 MiB each; `backward` is the name of what reads them."""
    made = [f'h{at} = {F32} tanh(p) op="jit(f)/jvp(layer_{at})/tanh"' for at in range(count)]
    names = [f"h{at}" for at in range(count)]
    lines = "\n".join(
        [
            "entry main:",
            f"p = {F32} parameter()",
            *made,
            f'{backward} = {F32} add({", ".join(names)}) op="jit(f)/transpose(jvp(layer))/mul"',
        ]
    )
    held = " ".join(f"{name}:{MIB}@{at * MIB}" for at, name in enumerate(names))
    events = [f"+{name}" for name in names] + [f"-{name}" for name in names]
    return f"""{lines}
    alloc parameter {MIB // 64}: p:{MIB // 64}
    alloc temp {count * MIB}: {held}
    trace: {" ".join(events)}
    """
