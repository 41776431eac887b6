"""A PATH as users write it: a location, and after # a selection, as in the page's address."""

from __future__ import annotations

import re
from argparse import Namespace
from typing import Final, NamedTuple

from tensorboard_plugin_memviewer.errors import BadParameter

_CHOICE = re.compile(r"(.*?)#((?:run|host|module|space)=.*)", re.DOTALL)


class Location(NamedTuple):
    """A place and what is chosen there; None where nothing is."""

    path: str
    run: str | None = None
    host: str | None = None
    module: str | None = None
    space: str | None = None


CHOICES: Final = Location._fields[1:]


def parse_location(text: str, **options: str | None) -> Location:
    """The place in `text`, and what it or the options (`run`, `host`, `module`, `space`) choose.

    An option that is missing is one that cannot be chosen by. Raises BadParameter where the text chooses by
    such a one, twice by the same, or otherwise than an option.
    """
    match = _CHOICE.fullmatch(text)
    path, choice = (match[1], match[2]) if match else (text, "")
    chosen: dict[str, str] = {}
    for key, value in _pairs(choice):
        if key not in options:
            known = ", ".join(options)
            advice = f"Select by {known} instead." if known else "Give the path without it."
            raise BadParameter(f"cannot select by {key!r} here: #{choice}", advice)
        given = chosen.get(key, options[key])
        if given not in (None, value):
            raise BadParameter(
                f"two values are given for {key!r}: {given!r} and {value!r}",
                "Use either the option or # in the path.",
            )
        chosen[key] = value
    return Location(path, **{**options, **chosen})


def location_of(arguments: Namespace, path: str | None = None) -> Location:
    """The place of a command's PATH, or of another path of it, with the choosing options that it has."""
    options = {name: getattr(arguments, name) for name in CHOICES if hasattr(arguments, name)}
    return parse_location(arguments.path if path is None else path, **options)


def _pairs(choice: str) -> list[tuple[str, str]]:
    if not choice:
        return []
    # Loads what addresses of networks need, and few paths choose.
    from urllib.parse import parse_qsl  # noqa: PLC0415

    return parse_qsl(choice, keep_blank_values=True)
