"""The `findings` answer: what analysis/findings says, with rows of the usage answer's buffers as evidence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tensorboard_plugin_memviewer.analysis.findings import Finding


def findings_payload(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """Findings in their order."""
    return [
        {
            "kind": finding.kind,
            "title": finding.title,
            "bytes": finding.bytes,
            "detail": finding.detail,
            "advice": finding.advice,
            "buffers": list(finding.rows),
            "points": list(finding.points),
        }
        for finding in findings
    ]
