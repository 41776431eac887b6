"""How many bytes an answer keeps in the cache, about: what is counted are its records, not their text."""

from __future__ import annotations

_BESIDE = 4000
_PER_RECORD = 1000
_PER_ROW = 40


def size_of_records(count: int, rows: int = 0) -> int:
    """Bytes of an answer of `count` records that hold `rows` numbers in all."""
    return _BESIDE + _PER_RECORD * count + _PER_ROW * rows
