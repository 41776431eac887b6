"""XLA's text of live ranges: the order of instructions, and from which point to which each value is needed.

A file of its own (`*-live-range.txt`), or, before April 2026, the end of the buffer assignment's text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_START = "HloLiveRange"
_POINT = re.compile(r"\s+(\d{1,9}):(\S{1,4096})\s*", re.ASCII)
_RANGE = re.compile(r"\s+([^\s{]{1,4096})\{([\d,]{0,400})\}:(\d{1,9})-(\d{1,9})\s*", re.ASCII)


@dataclass(frozen=True)
class LiveRangeText:
    """`sequence` names the instruction at each point; `ranges` gives by instruction and shape index the first
    and the last point at which the value is live, both inclusive. A value that lives to the end ends at the
    number of points.
    """

    sequence: list[str] = field(default_factory=list)
    ranges: dict[tuple[str, tuple[int, ...]], tuple[int, int]] = field(default_factory=dict)


def parse_live_ranges(text: str) -> LiveRangeText | None:
    """The live ranges in `text`, which may hold other sections before them; None where there are none."""
    begin = 0 if text.startswith(_START) else text.find("\n" + _START) + 1
    if begin == 0 and not text.startswith(_START):
        return None
    found = LiveRangeText()
    section = ""
    for line in text[begin:].split("\n")[1:]:
        name = line.strip()
        if name in ("InstructionSequence:", "BufferLiveRange:"):
            section = name
        elif name.startswith("Live ranges at"):
            break
        elif section == "InstructionSequence:" and (point := _POINT.fullmatch(line)) is not None:
            if int(point[1]) != len(found.sequence):
                return None
            found.sequence.append(point[2])
        elif section == "BufferLiveRange:" and (span := _RANGE.fullmatch(line)) is not None:
            index = tuple(int(step) for step in span[2].split(",") if step)
            found.ranges[span[1], index] = int(span[3]), int(span[4])
    return found if found.sequence else None
