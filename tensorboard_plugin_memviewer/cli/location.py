"""A PATH as users write it: a place, and after # what to choose there, as in the page's address."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Sequence
from typing import NamedTuple

from tensorboard_plugin_memviewer.errors import BadParameter
from tensorboard_plugin_memviewer.model.space import HBM, space_number
from tensorboard_plugin_memviewer.units import parse_memory

_CHOICE = re.compile(r"(.*?)#((?:run|host|module|space)=.*)", re.DOTALL)


class Location(NamedTuple):
    """A place and what is chosen there; None where nothing is."""

    path: str
    run: str | None = None
    host: str | None = None
    module: str | None = None
    space: str | None = None


def parse_location(
    text: str,
    run: str | None = None,
    host: str | None = None,
    module: str | None = None,
    space: str | None = None,
) -> Location:
    """The place in `text`; what it chooses itself goes before the options.

    Raises BadParameter where it chooses by something unknown.
    """
    match = _CHOICE.fullmatch(text)
    path, choice = (match[1], match[2]) if match else (text, "")
    chosen = {"run": run, "host": host, "module": module, "space": space}
    for key, value in _pairs(choice):
        if key not in chosen:
            raise BadParameter(f"{key!r} is nothing to choose", "Choose by run, host, module and space.")
        chosen[key] = value
    return Location(path, **chosen)


def location_of(arguments: Namespace, path: str | None = None) -> Location:
    """The place of a command's PATH, or of another path of it, with the choosing options that it has."""
    options = {name: getattr(arguments, name, None) for name in Location._fields[1:]}
    return parse_location(arguments.path if path is None else path, **options)


def _pairs(choice: str) -> list[tuple[str, str]]:
    if not choice:
        return []
    # Loads what addresses of networks need, and few paths choose.
    from urllib.parse import parse_qsl  # noqa: PLC0415

    return parse_qsl(choice, keep_blank_values=True)


def parse_sizes(texts: Sequence[str]) -> dict[int, int]:
    """Bytes by memory space of options such as "16GiB" (HBM) and "VMEM=64MiB". Raises BadParameter."""
    sizes: dict[int, int] = {}
    for text in texts:
        name, equals, size = text.rpartition("=")
        space = space_number(name) if equals else HBM
        if space is None:
            raise BadParameter(
                f"{name!r} is no memory space", "Write HBM, VMEM, SMEM, CMEM, Host or a number."
            )
        sizes[space] = parse_memory(size)
    return sizes
