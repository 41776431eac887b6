"""A finding as JSON and in words, for every command that shows some."""

from __future__ import annotations

from tensorboard_plugin_memviewer.analysis.buffer_facts import buffer_facts
from tensorboard_plugin_memviewer.analysis.findings import Effect, Finding
from tensorboard_plugin_memviewer.analysis.usage import Plan, SpaceUsage
from tensorboard_plugin_memviewer.cli.buffers import buffer_json
from tensorboard_plugin_memviewer.cli.output import Json
from tensorboard_plugin_memviewer.units import format_bytes


def finding_title(finding: Finding) -> str:
    """The bytes that it is about and what it is: "up to" where a change may free less of them."""
    effect = finding.effect
    up_to = "Up to " if effect is not None and effect.low < finding.bytes else ""
    return f"{up_to}{format_bytes(finding.bytes)}: {finding.title}"


def finding_json(plan: Plan, usage: SpaceUsage, finding: Finding) -> Json:
    """The finding with the facts of its buffers."""
    return {
        "kind": finding.kind,
        "title": finding.title,
        "bytes": finding.bytes,
        "detail": finding.detail,
        "advice": finding.advice,
        "buffers": [buffer_json(buffer_facts(plan, usage, row)) for row in finding.rows],
        "points": list(finding.points),
        "cure": finding.cure,
        "effect": _effect_json(finding.effect),
    }


def _effect_json(effect: Effect | None) -> Json | None:
    return None if effect is None else {"kind": effect.kind, "low": effect.low, "high": effect.high}
