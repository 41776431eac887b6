"""Names of a capture made fit to print: they are untrusted text.

A terminal obeys escape codes, and direction marks make one name look like another; Markdown has its own
signs. Here everything that is not a visible character is shown as its escape.
"""

from __future__ import annotations

import re
import unicodedata

_PLAIN = re.compile(r"[ -~]*", re.ASCII)
# Control, format (direction marks), surrogate, private use, unassigned; separators of lines and paragraphs.
_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_MARKDOWN = re.compile(r"([\\`*_\[\]|~#])", re.ASCII)


def safe(text: str) -> str:
    """`text` on one line without anything that a terminal would obey or that cannot be seen."""
    if _PLAIN.fullmatch(text):
        return text
    return "".join(_shown(character) for character in text)


def safe_markdown(text: str) -> str:
    """`safe`, and nothing in it that Markdown or HTML would take for its own."""
    text = safe(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _MARKDOWN.sub(r"\\\1", text)


def cells(text: str) -> int:
    """How many columns of a terminal `text`, already safe, takes."""
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


def _shown(character: str) -> str:
    if unicodedata.category(character) not in _HIDDEN:
        return character
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")
