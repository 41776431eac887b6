"""A finding in words, for every command that shows some."""

from __future__ import annotations

from tensorboard_plugin_memviewer.analysis.findings import Finding
from tensorboard_plugin_memviewer.units import format_bytes


def finding_title(finding: Finding) -> str:
    """The bytes that it is about and what it is: "up to" where a change may free less of them."""
    effect = finding.effect
    up_to = "Up to " if effect is not None and effect.low < finding.bytes else ""
    return f"{up_to}{format_bytes(finding.bytes)}: {finding.title}"
