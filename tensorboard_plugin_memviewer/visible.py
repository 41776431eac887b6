"""Makes names from captures safe to show: they are untrusted text."""

from __future__ import annotations


def elided(text: str, most: int) -> str:
    """`text` in at most `most` characters, its middle left out where it is longer."""
    if len(text) <= most:
        return text
    head = most // 2
    return f"{text[:head]}…{text[len(text) - (most - head - 1) :]}"


def visible(text: str) -> str:
    """`text` on one line, with what cannot be seen as its escape: a terminal obeys control characters, and
    direction marks make one name look like another.
    """
    if text.isprintable():
        return text
    escaped = (c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text)
    return "".join(escaped)
