"""Sizes of memory spaces as a user gives them, to the command line or in Python: one rule for both."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping

from tensorboard_plugin_memviewer.errors import BadParameter
from tensorboard_plugin_memviewer.model.space import HBM, space_name, space_number
from tensorboard_plugin_memviewer.units import parse_memory

Size = int | str
_EXAMPLES = "Use '16GiB' (of HBM), {'HBM': '16GiB', 'VMEM': '64MiB'}, or integer bytes."


def parse_sizes(texts: Iterable[str]) -> dict[int, int]:
    """Bytes by memory space of options such as "16GiB" (HBM) and "VMEM=64MiB".

    Raises BadParameter, also for a space that is given twice.
    """
    pairs = [text.rpartition("=") for text in texts]
    return _sizes((name if equals else space_name(HBM), size) for name, equals, size in pairs)


def sizes_of(given: Size | Mapping[str, Size] | None) -> dict[int, int]:
    """Bytes by memory space of what a caller gives: a size of HBM, or sizes by name. Raises BadParameter."""
    if given is None:
        return {}
    if isinstance(given, str):
        return parse_sizes([given])
    if isinstance(given, Mapping):
        return _sizes(given.items())
    return _sizes([(space_name(HBM), given)])


def _sizes(pairs: Iterable[tuple[str, Size]]) -> dict[int, int]:
    sizes: dict[int, int] = {}
    for name, size in pairs:
        space = space_number(name) if isinstance(name, str) else None
        if space is None:
            raise BadParameter(
                f"{name!r} is not a memory space", "Write HBM, VMEM, SMEM, CMEM, Host or a number."
            )
        if space in sizes:
            raise BadParameter(f"two sizes are given for {space_name(space)}", "Give one.")
        sizes[space] = _size(size)
    return sizes


def _size(given: Size) -> int:
    if isinstance(given, str):
        return parse_memory(given)
    try:
        count = operator.index(given)
    except TypeError:
        raise BadParameter(f"{given!r} is not a size of memory", _EXAMPLES) from None
    if isinstance(given, bool) or count < 0:
        raise BadParameter(f"{given!r} is not a size of memory", _EXAMPLES)
    # The same rule as for text: a small number is a forgotten unit.
    return parse_memory(str(count))
