"""Amounts of memory as XLA prints them in reports and errors: rounded, so each stands for a range of bytes.

XLA's printer divides by 1024 in integers until it is below 1 MiB of the unit, then prints with "%.1f" (K) or
"%.2f" (M and up), as tsl's `HumanReadableNumBytes` does. So a figure is at most half a last digit below the
true value, and above it by that much plus what the integer divisions dropped (less than 1/1023 of the unit).
K, M, G are powers of 1024.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

AMOUNT = r"\d[\d,]{0,24}(?:\.\d{1,6})?\s?(?:[KMGTPE](?:iB|B|i)?|[Bb]ytes?|B|words)?(?![A-Za-z0-9])"

_PARTS = re.compile(r"(\d[\d,]{0,24})(?:\.(\d{1,6}))?\s?([A-Za-z]{0,5})", re.ASCII)
_HEX = re.compile(r"0x[0-9a-f]{1,15}", re.ASCII | re.IGNORECASE)
_UNITS = "KMGTPE"
_WORD_BYTES = 4


@dataclass(frozen=True, slots=True)
class Amount:
    """Bytes as printed: the nearest whole number, and the least and greatest that would print the same."""

    bytes: int
    low: int
    high: int

    @property
    def approximate(self) -> bool:
        """Whether the text rounded, so that `bytes` need not be the true value."""
        return self.low != self.high

    def admits(self, count: int) -> bool:
        """Whether a true value of `count` bytes would have been printed so."""
        return self.low <= count <= self.high

    def overlaps(self, other: Amount) -> bool:
        """Whether both can be the same true value."""
        return self.low <= other.high and other.low <= self.high

    def __add__(self, other: Amount) -> Amount:
        return Amount(self.bytes + other.bytes, self.low + other.low, self.high + other.high)

    def __sub__(self, other: Amount) -> Amount:
        """The difference of two printed figures; never below zero."""
        low = max(0, self.low - other.high)
        return Amount(max(low, self.bytes - other.bytes), low, max(low, self.high - other.low))


def exactly(count: int) -> Amount:
    """An amount known to the byte."""
    return Amount(count, count, count)


def printed_amount(text: str | None) -> Amount | None:
    """What `text` ("18.00G", "384.0KiB", "17 bytes", "0xc000") stands for; None where it is no amount."""
    if text is not None and _HEX.fullmatch(text):
        return exactly(int(text, 16))
    match = _PARTS.fullmatch(text.strip()) if text is not None else None
    if match is None:
        return None
    unit_text = match[3][:1].upper()
    step = _UNITS.find(unit_text) + 1 if unit_text and unit_text in _UNITS else 0
    unit, decimals = 1024**step, match[2] or ""
    if match[3] == "words":
        unit = _WORD_BYTES
    value = Fraction(int(match[1].replace(",", "") + decimals), 10 ** len(decimals)) * unit
    if step == 0:
        return exactly(round(value))
    half_digit = Fraction(unit, 2 * 10 ** len(decimals))
    dropped = Fraction(unit, 1023) if step > 1 else Fraction(0)
    low, high = value - half_digit, value + half_digit + dropped
    return Amount(
        round(value), max(0, -(-low.numerator // low.denominator)), high.numerator // high.denominator
    )
