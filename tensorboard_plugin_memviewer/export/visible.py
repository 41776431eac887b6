"""Names made fit for a file that people open: one line, nothing that cannot be seen."""

from __future__ import annotations


def visible(text: str) -> str:
    """`text` on one line, with what cannot be seen (control and direction marks) as its escape."""
    if text.isprintable():
        return text
    escaped = (c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text)
    return "".join(escaped)
