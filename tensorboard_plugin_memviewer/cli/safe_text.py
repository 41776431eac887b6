"""Escapes names from captures for Markdown and for the columns of a terminal."""

from __future__ import annotations

import re
import unicodedata

from tensorboard_plugin_memviewer.visible import visible

_PLAIN = re.compile(r"[ -~]*", re.ASCII)
_MARKDOWN = re.compile(r"([\\`*_\[\]|~#])", re.ASCII)


def safe_markdown(text: str) -> str:
    """`visible`, and nothing in it that Markdown or HTML would take for its own."""
    text = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _MARKDOWN.sub(r"\\\1", text)


def cells(text: str) -> int:
    """How many columns of a terminal `text`, already visible, takes."""
    if _PLAIN.fullmatch(text):
        return len(text)
    return sum(_cells(character) for character in text)


def shortened(text: str, room: int) -> str:
    """`text` in at most `room` columns, its middle left out: the ends of names tell them apart."""
    if cells(text) <= room:
        return text
    if room < 2:
        return "…"[:room]
    head: list[str] = []
    tail: list[str] = []
    used = 1
    for at in range(len(text)):
        for part, character in ((head, text[at]), (tail, text[-1 - at])):
            used += _cells(character)
            if used > room:
                return "".join([*head, "…", *reversed(tail)])
            part.append(character)
    return text


def _cells(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
