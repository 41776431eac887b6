"""A table, laid out for a terminal or as Markdown. Independent of its content."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tensorboard_plugin_memviewer.cli.safe_text import cells, safe_markdown, shortened
from tensorboard_plugin_memviewer.cli.terminal import styled, width
from tensorboard_plugin_memviewer.visible import elided, visible

_GAP = "  "
_NARROWEST = 16
# A shape of a million elements is useless in a table; JSON and CSV have all of it.
_LONGEST_CELL = 200


class Column(NamedTuple):
    """A title, and whether its cells stand to the right (numbers) and may be shortened (names)."""

    title: str
    right: bool = False
    shortens: bool = False


class Table:
    """Rows of raw text, one cell a column; a row may have a style, see terminal.styled."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns = columns
        self.rows: list[tuple[str, ...]] = []
        self.styles: dict[int, str] = {}

    def add(self, *row: str, style: str | None = None) -> None:
        """Append a row."""
        if style is not None:
            self.styles[len(self.rows)] = style
        self.rows.append(row)

    def text(self) -> str:
        """The table with aligned columns; on a terminal that is too narrow, names lose their middle."""
        rows = [[visible(cell) for cell in row] for row in self._cut()]
        titles = [column.title for column in self.columns]
        widths = self._fitted([max(map(cells, column)) for column in zip(titles, *rows, strict=True)])
        lines = [styled(self._line(titles, widths), "bold")]
        for at, row in enumerate(rows):
            line = self._line(row, widths)
            lines.append(styled(line, self.styles[at]) if at in self.styles else line)
        return "\n".join(lines)

    def markdown(self) -> str:
        """The table as GitHub's Markdown has it."""
        rules = ["--:" if column.right else ":--" for column in self.columns]
        head = [safe_markdown(column.title.capitalize()) for column in self.columns]
        body = [[safe_markdown(cell) for cell in row] for row in self._cut()]
        return "\n".join(_markdown_line(row) for row in (head, rules, *body))

    def _cut(self) -> list[list[str]]:
        """The rows without the middle of very long cells."""
        return [[elided(cell, _LONGEST_CELL) for cell in row] for row in self.rows]

    def _fitted(self, widths: list[int]) -> list[int]:
        room = width()
        if room is None:
            return widths
        excess = sum(widths) + len(_GAP) * (len(widths) - 1) - room
        for at in sorted(range(len(widths)), key=lambda at: -widths[at]):
            if excess > 0 and self.columns[at].shortens:
                kept = max(min(_NARROWEST, widths[at]), widths[at] - excess)
                excess -= widths[at] - kept
                widths[at] = kept
        return widths

    def _line(self, row: Sequence[str], widths: Sequence[int]) -> str:
        shown = []
        for cell, room, column in zip(row, widths, self.columns, strict=True):
            text = shortened(cell, room)
            blank = " " * (room - cells(text))
            shown.append(blank + text if column.right else text + blank)
        return _GAP.join(shown).rstrip()


def _markdown_line(row: Iterable[str]) -> str:
    return "| " + " | ".join(row) + " |"
