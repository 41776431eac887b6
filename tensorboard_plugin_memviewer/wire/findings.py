"""The `findings` answer, `memviewer findings`, and the findings of the Python API."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, TypedDict

from tensorboard_plugin_memviewer.analysis.findings import Effect as FoundEffect
from tensorboard_plugin_memviewer.analysis.findings import Finding as Found
from tensorboard_plugin_memviewer.wire import VERSION
from tensorboard_plugin_memviewer.wire.buffer_record import BufferRecord
from tensorboard_plugin_memviewer.wire.headline import Headline
from tensorboard_plugin_memviewer.wire.names import SpaceNames
from tensorboard_plugin_memviewer.wire.problems import Problem, Versioned, problem_records
from tensorboard_plugin_memviewer.wire.subject import Subject


class Effect(TypedDict):
    """By how many bytes `required_bytes` falls if the advice is followed."""

    kind: Literal["exact", "range", "unknown"]
    """ "unknown" where the bounds are far apart."""
    low: int
    """At least so many bytes."""
    high: int
    """At most so many bytes."""


class Finding(TypedDict):
    """Something that stands out in the plan."""

    kind: str
    """One of the kinds of docs/findings.md."""
    title: str
    bytes: int
    """The bytes that it is about."""
    detail: str
    advice: str
    """One thing to try."""
    cure: str
    """The kind of change that the advice is, "none" where it is no particular one."""
    effect: Effect | None
    """None where nothing is claimed."""
    buffers: list[int]
    """Rows of its buffers, largest first, at most 500."""
    points: list[int]
    """Program points to look at, at most 100."""


class FindingsAnswer(SpaceNames):
    """The findings of a memory space, most urgent first."""

    headline: Headline
    """With the capacity that the findings are for."""
    findings: list[Finding]
    buffers: list[BufferRecord]
    """The buffers of all findings, each once; with `limit`, the first so many of each finding."""
    problems: list[Problem]


class SpacesFindings(Versioned):
    """`memviewer findings --format json`: an answer for each memory space, the default one first."""

    spaces: list[FindingsAnswer]


def findings_answer(
    subject: Subject, found: Sequence[Found], limit: int | None = None, also: Iterable[int] = ()
) -> FindingsAnswer:
    """The findings of the subject, with records of at most `limit` buffers each (of all for None), and of
    those in the rows `also`.
    """
    rows = dict.fromkeys((*also, *(row for finding in found for row in finding.rows[:limit])))
    return {
        **subject.space_names,
        "headline": subject.headline,
        "findings": [finding_record(finding) for finding in found],
        "buffers": subject.records(rows),
        "problems": problem_records(subject.loaded.plan.problems),
    }


def spaces_findings(answers: Iterable[FindingsAnswer]) -> SpacesFindings:
    """The findings of several memory spaces."""
    return {"version": VERSION, "spaces": list(answers)}


def finding_record(finding: Found) -> Finding:
    """One finding."""
    return {
        "kind": finding.kind,
        "title": finding.title,
        "bytes": finding.bytes,
        "detail": finding.detail,
        "advice": finding.advice,
        "cure": finding.cure,
        "effect": _effect(finding.effect),
        "buffers": list(finding.rows),
        "points": list(finding.points),
    }


def _effect(effect: FoundEffect | None) -> Effect | None:
    return None if effect is None else {"kind": effect.kind, "low": effect.low, "high": effect.high}
