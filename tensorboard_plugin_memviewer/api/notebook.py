"""How objects show themselves in a notebook: plain HTML and SVG in one piece, without scripts or requests.

Names in a capture are anybody's text: all of it is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Final, NamedTuple

import numpy as np

from tensorboard_plugin_memviewer.analysis.capacity import Capacity, near_capacity
from tensorboard_plugin_memviewer.analysis.findings import Finding
from tensorboard_plugin_memviewer.analysis.usage import SpaceUsage
from tensorboard_plugin_memviewer.errors import Problem
from tensorboard_plugin_memviewer.model.module import Ints
from tensorboard_plugin_memviewer.model.space import space_name
from tensorboard_plugin_memviewer.units import format_bytes
from tensorboard_plugin_memviewer.visible import elided
from tensorboard_plugin_memviewer.vocabulary.columns import BUFFER_COLUMNS
from tensorboard_plugin_memviewer.vocabulary.headline import HEADLINE

MOST_ROWS: Final = 10

_WIDTH, _HEIGHT, _LABELS = 720, 160, 14
_MOST_STEPS = 600
_LONGEST = 60
_COLUMNS = ("bytes", "shape", "type", "op_name", "source")
_MUTED = "color:inherit;opacity:0.65"
_CELL = "padding:1px 10px;text-align:left;white-space:nowrap"


class LargestBuffers(NamedTuple):
    """The largest of `total` buffers, MOST_ROWS at most: size, shape, type, operation and source of each."""

    total: int
    cells: Sequence[tuple[str, str, str, str, str]]


class ModulePeaks(NamedTuple):
    """A module in a list: its peak in bytes in every memory space, by name."""

    run: str
    key: str
    peaks: Mapping[str, int]


class Shown(NamedTuple):
    """All that is shown of a memory space; `live` are the buffers alive at the peak."""

    module: str
    usage: SpaceUsage
    capacity: Capacity
    findings: Sequence[Finding]
    live: LargestBuffers
    problems: Sequence[Problem]


def usage_html(shown: Shown) -> str:
    """The curve, the headline numbers, findings and the largest buffers at the peak."""
    head = shown.usage.headline
    lines = [
        (HEADLINE[key].word, f"{format_bytes(getattr(head, key))}{more}")
        for key, more in {
            "required_bytes": _of_capacity(head.required_bytes, shown.capacity),
            "peak_bytes": f" at point {head.peak_point}",
            "argument_bytes": f", of which {format_bytes(head.aliased_bytes)} aliased",
            "output_bytes": "",
            "constant_bytes": "",
            "temporary_peak_bytes": "",
            "fragmentation_bytes": "",
            "max_scoped_bytes": "",
            "padding_bytes": "",
        }.items()
        if key != "max_scoped_bytes" or head.max_scoped_bytes
    ]
    alive = f"The largest of {shown.live.total} buffers alive at the peak"
    return _framed(
        f"<b>{escape(shown.module)}</b> · {escape(space_name(shown.usage.space))}",
        _problems(shown.problems),
        _curve(shown.usage, shown.capacity.bytes),
        _table((), lines),
        _findings(shown.findings),
        f'<div style="{_MUTED};margin-top:8px">{alive}</div>',
        _buffer_table(shown.live),
    )


def buffers_html(buffers: LargestBuffers) -> str:
    """The largest buffers of a table."""
    return _framed(f"{buffers.total} buffers, the largest:", _buffer_table(buffers))


def modules_html(title: str, modules: Sequence[ModulePeaks]) -> str:
    """Modules with their peak in every memory space."""
    rows = []
    for module in modules[:100]:
        peaks = ", ".join(f"{space} {format_bytes(peak)}" for space, peak in module.peaks.items())
        rows.append((module.run, module.key, peaks))
    return _framed(
        f"<b>{escape(title)}</b>: {len(modules)} modules",
        _table(("Run", "Module", HEADLINE["peak_bytes"].word), rows),
    )


def _framed(*parts: str) -> str:
    body = "".join(f"<div>{part}</div>" for part in parts if part)
    style = f"font:13px system-ui,sans-serif;max-width:{_WIDTH + 40}px;overflow-x:auto"
    return f'<div class="memviewer" style="{style}">{body}</div>'


def _of_capacity(required: int, capacity: Capacity) -> str:
    if capacity.bytes is None:
        return ""
    over = required - capacity.bytes
    says = f" ({capacity.source})"
    if over > 0:
        return f" of {format_bytes(capacity.bytes)}: {format_bytes(over)} too much{says}"
    return f" of {format_bytes(capacity.bytes)}{says}"


def _problems(problems: Sequence[Problem]) -> str:
    return "".join(
        f'<div style="{_MUTED}">⚠ {escape(problem.message)}. {escape(problem.advice)}</div>'
        for problem in problems
    )


def _findings(findings: Sequence[Finding]) -> str:
    items = "".join(
        f"<li>{escape(finding.title)} ({format_bytes(finding.bytes)}). {escape(finding.advice)}</li>"
        for finding in findings[:5]
    )
    return f'<ul style="margin:8px 0;padding-left:20px">{items}</ul>' if items else ""


def _buffer_table(buffers: LargestBuffers) -> str:
    return _table([BUFFER_COLUMNS[key].word for key in _COLUMNS], buffers.cells)


def _table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f'<th style="{_CELL}">{escape(title)}</th>' for title in titles)
    body = "".join(f"<tr>{''.join(_cell(value) for value in row)}</tr>" for row in rows)
    return (
        f'<table style="margin:4px 0;border-collapse:collapse;font-size:12px"><tr>{head}</tr>{body}</table>'
    )


def _cell(value: str) -> str:
    return f'<td style="{_CELL}" title="{escape(value)}">{escape(elided(value, _LONGEST))}</td>'


def _curve(usage: SpaceUsage, device_bytes: int | None) -> str:
    """Usage by program point as a step line, with what is required and, where near, what the device has."""
    head = usage.headline
    needed = max(head.peak_bytes, head.required_bytes, 1)
    capacity = near_capacity(device_bytes, needed)
    top = max(needed, capacity or 0)
    points, levels = _steps(usage.usage)
    edges = np.append(points, usage.points) * (_WIDTH / usage.points)

    def height(amount: int) -> float:
        return _LABELS + (_HEIGHT - _LABELS) * (1 - amount / top)

    path = [f"M0,{_HEIGHT}"]
    for at, level in enumerate(levels.tolist()):
        path.append(f"V{height(level):.1f}H{edges[at + 1]:.1f}")
    rules = [("required", head.required_bytes)]
    if capacity is not None:
        rules.append(("capacity", capacity))
    at_peak = (head.peak_point + 0.5) * _WIDTH / usage.points
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="100%" role="img" '
        f'aria-label="Memory usage by program order" style="max-width:{_WIDTH}px;margin:6px 0">'
        f'<path d="{"".join(path)}V{_HEIGHT}Z" fill="#4c8dd6" fill-opacity="0.35" stroke="#2f6fb5"/>'
        f'<line x1="{at_peak:.1f}" x2="{at_peak:.1f}" y1="0" y2="{_HEIGHT}" stroke="#d0571f"/>'
        f"{''.join(_rule(name, size, height(size)) for name, size in rules)}</svg>"
    )


def _rule(name: str, size: int, y: float) -> str:
    x, anchor = (4, "start") if name == "required" else (_WIDTH - 4, "end")
    return (
        f'<line x1="0" x2="{_WIDTH}" y1="{y:.1f}" y2="{y:.1f}" stroke="currentColor" '
        f'stroke-dasharray="4 3" stroke-opacity="0.6"/>'
        f'<text x="{x}" y="{y - 3:.1f}" text-anchor="{anchor}" font-size="10" fill="currentColor">'
        f"{name} {format_bytes(size)}</text>"
    )


def _steps(usage: Ints) -> tuple[Ints, Ints]:
    """Where the line changes and to what; many points become stretches, each at its largest."""
    starts = np.nonzero(np.diff(usage, prepend=usage[0] - 1))[0]
    if len(starts) > _MOST_STEPS:
        starts = np.unique(np.linspace(0, len(usage), _MOST_STEPS, endpoint=False).astype(np.int64))
    return starts, np.maximum.reduceat(usage, starts)
