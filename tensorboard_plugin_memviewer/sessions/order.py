"""The order of names in every list, and how names that are not valid text are shown."""

from __future__ import annotations

import re

_DIGITS = re.compile(r"([0-9]+)")


def in_order(text: str) -> tuple[list[str | int], str]:
    """A sort key by which `host10` comes after `host9`."""
    parts: list[str | int] = list(_DIGITS.split(text))
    parts[1::2] = [_number(str(digits)) for digits in parts[1::2]]
    return parts, text


def printable(name: str) -> str:
    """The name as UTF-8 can carry it: bytes that are no text become the replacement character."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _number(digits: str) -> int:
    """int() refuses more than some thousands of digits."""
    return int(digits[-1000:]) if len(digits) > 1000 else int(digits)
