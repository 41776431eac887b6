"""Which modules of a dump are parts of another program in it, and are not listed as programs of their own.

What they work on is in their program's plan already, or on the host: as programs of their own they would be
counted twice. A module that stands alone is always listed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from tensorboard_plugin_memviewer.errors import Problem
from tensorboard_plugin_memviewer.sessions.dumps import DumpModule

_WHY: Final = {
    "host computation": "what a program computes on the host, planned for the CPU and not for device memory",
    "extracted": "kernels of a program, whose own plan holds their arguments and results",
}
_MOST_NAMED: Final = 3


def without_parts(
    dumps: Sequence[DumpModule], is_kernel: Callable[[DumpModule], bool]
) -> tuple[list[DumpModule], list[Problem]]:
    """The modules that are programs, and a problem for each kind of the others, which names them.

    `is_kernel` looks into a module that by its name was cut out of another.
    """

    def is_part(dump: DumpModule) -> bool:
        return dump.name.part == "host computation" or (dump.name.part == "extracted" and is_kernel(dump))

    parts = [dump for dump in dumps if dump.name.part is not None and is_part(dump)]
    whole = [dump for dump in dumps if dump not in parts]
    if not any(dump.name.platform == "tpu" for dump in whole):
        return list(dumps), []
    return whole, [
        _problem(kind, of_kind) for kind in _WHY if (of_kind := [d for d in parts if d.name.part == kind])
    ]


def _problem(kind: str, parts: list[DumpModule]) -> Problem:
    names = ", ".join(part.name.key for part in parts[:_MOST_NAMED])
    if len(parts) > _MOST_NAMED:
        names += f" and {len(parts) - _MOST_NAMED} more"
    count = "1 module is" if len(parts) == 1 else f"{len(parts)} modules are"
    example = next(iter(parts[0].files()))
    return Problem(
        "parts",
        f"{count} not listed: {_WHY[kind]} ({names})",
        "They are parts of a program that is listed. Open a part's own file to see its plan.",
        example.path,
    )
