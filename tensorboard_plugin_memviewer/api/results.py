"""The results of `Usage.findings` and `Usage.compare`, which can be written as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tensorboard_plugin_memviewer.analysis.compare import Comparison as Found
from tensorboard_plugin_memviewer.analysis.findings import Finding
from tensorboard_plugin_memviewer.wire.compare import CompareAnswer, compare_answer
from tensorboard_plugin_memviewer.wire.findings import FindingsAnswer, findings_answer
from tensorboard_plugin_memviewer.wire.subject import Subject


class Findings(tuple[Finding, ...]):
    """The findings of a memory space, the most urgent first."""

    _subject: Subject

    def __new__(cls, found: Iterable[Finding], subject: Subject) -> Findings:
        """The findings of `subject`."""
        made = super().__new__(cls, found)
        made._subject = subject
        return made

    def to_dict(self) -> FindingsAnswer:
        """The answer of the route `findings`, with every buffer named in it."""
        return findings_answer(self._subject, self)


@dataclass(frozen=True)
class Comparison(Found):
    """A memory space against another: what changed, largest difference first, and how the axes line up."""

    _subject: Subject = field(repr=False, compare=False)
    _baseline: Subject = field(repr=False, compare=False)

    def to_dict(self) -> CompareAnswer:
        """The answer of the route `compare`, with every change."""
        return compare_answer(self._subject, self._baseline, self)
