"""Usage by program point as a self-contained SVG chart, for documents, reviews and chats."""

from __future__ import annotations

import html

import numpy as np

from tensorboard_plugin_memviewer.analysis.capacity import near_capacity
from tensorboard_plugin_memviewer.analysis.usage import Plan, SpaceUsage
from tensorboard_plugin_memviewer.model.module import Ints
from tensorboard_plugin_memviewer.model.space import space_name
from tensorboard_plugin_memviewer.units import format_bytes
from tensorboard_plugin_memviewer.visible import visible


def as_svg(plan: Plan, usage: SpaceUsage, title: str, capacity: int | None = None) -> str:
    """Usage by program point with unpadded usage, the peak, what is allocated and the capacity."""
    return _Chart(usage, capacity).svg(title, plan.order.axis)


class _Chart:
    """Lays out one memory space's usage; all in pixels of an SVG of fixed size that scales."""

    WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 960, 360, 90, 20, 46, 40
    STEPS = 1600

    def __init__(self, usage: SpaceUsage, capacity: int | None) -> None:
        self._usage = usage
        self._capacity = capacity
        headline = usage.headline
        needed = max(headline.required_bytes, headline.peak_bytes, 1)
        self._drawn_capacity = near_capacity(capacity, needed)
        self._most = max(needed, self._drawn_capacity or 0)

    def svg(self, title: str, axis: str) -> str:
        """The chart."""
        headline, space = self._usage.headline, space_name(self._usage.space)
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.WIDTH} {self.HEIGHT}" role="img"'
            ' font-family="system-ui, sans-serif" font-size="12">',
            f'<rect width="{self.WIDTH}" height="{self.HEIGHT}" fill="#ffffff"/>',
            self._text(self.LEFT, 20, f"{title} · {space}", "#202124", weight="bold"),
            *self._ticks(),
            self._area(self._usage.usage, "#c6dafc", "#1a73e8"),
            self._area(self._usage.unpadded, "none", "#9aa0a6"),
            self._rule(
                headline.allocated_bytes, f"allocated {format_bytes(headline.allocated_bytes)}", "#5f6368"
            ),
        ]
        capacity = "" if self._capacity is None else f"capacity {format_bytes(self._capacity)}"
        if self._drawn_capacity is not None:
            lines.append(self._rule(self._drawn_capacity, capacity, "#d93025"))
        x = self._x(headline.peak_point)
        line = f'<line x1="{x}" x2="{x}" y1="{self.TOP}" y2="{self._y(0)}"'
        lines.append(f'{line} stroke="#188038" stroke-dasharray="3 3"/>')
        peak = f"peak {format_bytes(headline.peak_bytes)} at point {headline.peak_point}"
        peak += f", {capacity}" if capacity else ""
        lines.append(self._text(self.LEFT, 38, peak, "#188038"))
        what = "program point" if axis == "schedule" else "heap event"
        lines.append(
            self._text(self.LEFT, self.HEIGHT - 10, f"{what} 0 to {self._usage.points - 1}", "#5f6368")
        )
        return "\n".join([*lines, "</svg>", ""])

    def _x(self, point: float) -> float:
        room = self.WIDTH - self.LEFT - self.RIGHT
        return round(self.LEFT + room * point / max(1, self._usage.points), 1)

    def _y(self, size: float) -> float:
        room = self.HEIGHT - self.TOP - self.BOTTOM
        return round(self.HEIGHT - self.BOTTOM - room * size / (1.05 * self._most), 1)

    def _ticks(self) -> list[str]:
        step = 2 ** max(0, (self._most // 4).bit_length() - 1)
        parts: list[str] = []
        for size in range(0, self._most + 1, step):
            y = self._y(size)
            line = f'<line x1="{self.LEFT}" x2="{self.WIDTH - self.RIGHT}" y1="{y}" y2="{y}"'
            parts.append(f'{line} stroke="#e8eaed"/>')
            parts.append(self._text(self.LEFT - 6, y + 4, format_bytes(size), "#5f6368", anchor="end"))
        return parts

    def _area(self, values: Ints, fill: str, stroke: str) -> str:
        """A step line; where there are more points than pixels, each step is the most of its stretch."""
        points = len(values)
        edges = np.unique(np.linspace(0, points, min(points, self.STEPS) + 1).astype(np.int64))
        tops = np.maximum.reduceat(values, edges[:-1]).tolist()
        path = [f"M{self._x(0)},{self._y(0)}"]
        for start, end, top in zip(edges[:-1].tolist(), edges[1:].tolist(), tops, strict=True):
            y = self._y(top)
            path.append(f"L{self._x(start)},{y}L{self._x(end)},{y}")
        path.append(f"L{self._x(points)},{self._y(0)}")
        return f'<path d="{"".join(path)}" fill="{fill}" stroke="{stroke}"/>'

    def _rule(self, size: int, label: str, color: str) -> str:
        y, right = self._y(size), self.WIDTH - self.RIGHT
        line = (
            f'<line x1="{self.LEFT}" x2="{right}" y1="{y}" y2="{y}" stroke="{color}" stroke-dasharray="6 3"/>'
        )
        return line + self._text(right, y - 4, label, color, anchor="end")

    @staticmethod
    def _text(
        x: float, y: float, text: str, color: str, *, weight: str = "normal", anchor: str = "start"
    ) -> str:
        style = f'fill="{color}" font-weight="{weight}" text-anchor="{anchor}"'
        return f'<text x="{x}" y="{y}" {style}>{html.escape(visible(text))}</text>'
