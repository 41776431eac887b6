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


def scan(stacks: int) -> str:
    """A loop of four iterations that stacks as many arrays of 4 MiB, and what reads them."""
    array = "f32[4,512,512]"
    shape = f"({', '.join(stacks * [array])})"

    def elements(of: str, name: str) -> list[str]:
        return [f"{name}{at} = {array} get-tuple-element({of}) index={at}" for at in range(stacks)]

    def several(name: str) -> str:
        return ", ".join(f"{name}{at}" for at in range(stacks))

    updates = [f"u{at} = {array} dynamic-update-slice(c{at}, x, i)" for at in range(stacks)]
    lines = "\n".join(
        [
            "computation body:",
            f"b = {shape} parameter()",
            *elements("b", "c"),
            "x = f32[1,512,512] constant()",
            "i = s32[] constant()",
            *updates,
            f"t = {shape} tuple({several('u')})",
            "computation cond:",
            f"s = {shape} parameter()",
            "entry main:",
            f"p = {F32} parameter()",
            *[f"z{at} = {array} broadcast(p)" for at in range(stacks)],
            f"o = {shape} tuple({several('z')})",
            f'l = {shape} while(o) calls=body,cond op="jit(f)/jvp()/while"',
            *elements("l", "g"),
            f'r = {array} add({several("g")}) op="jit(f)/transpose(jvp())/mul"',
        ]
    )
    held = " ".join(f"l{{{at}}}:{4 * MIB}@{at * 4 * MIB}" for at in range(stacks))
    events = [f"{sign}l{{{at}}}" for sign in "+-" for at in range(stacks)]
    return f"""{lines}
    alloc parameter {MIB}: p:{MIB}
    alloc temp {stacks * 4 * MIB}: {held}
    trace: {" ".join(events)}
    """
