"""Tells whether programs have equal content, without reading large ones whole."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tensorboard_plugin_memviewer.formats.range_hop import RangeReader
    from tensorboard_plugin_memviewer.service.program import Program

_SAMPLE = 1 << 13
_SAMPLES = 64
_HASHED_WHOLE = 1 << 20


def of_program(program: Program, content: RangeReader) -> str:
    """32 hex digits for a program that lies in `content`. Raises Changed, Damaged, Unreadable.

    Up to a MiB is hashed whole. Of a larger one its length, 64 samples of 8 KiB spread over it, its name in
    its run and its edition are: samples tell hosts to be equal, not two compilations, which may differ in a
    single byte between them.
    """
    # The quickest of the strong ones: processors have instructions for it.
    digest = hashlib.sha256(f"{program.kind} {program.size} {program.platform}".encode())
    if program.codegen is not None or program.report is not None or any(program.texts.files()):
        digest.update(str(program.edition).encode())
    if program.size > _HASHED_WHOLE:
        name = repr((program.run, program.key, program.edition))
        digest.update(name.encode("utf-8", "surrogatepass"))
    for start, end in samples(program.start, program.end):
        digest.update(content.read(start, end))
    return digest.hexdigest()[:32]


def samples(start: int, end: int) -> Iterator[tuple[int, int]]:
    """The spans of `[start, end)` that are hashed."""
    if end - start <= _HASHED_WHOLE:
        yield start, end
        return
    step = (end - start - _SAMPLE) / (_SAMPLES - 1)
    for number in range(_SAMPLES):
        at = start + int(number * step)
        yield at, at + _SAMPLE
