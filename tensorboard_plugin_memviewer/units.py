"""Bytes and percentages to and from text, without ever passing through a float.

Knows nothing of modules or devices. `frontend/src/lib/bytes.ts` writes every text the same way: both run the
cases of tests/data/formatting.json. One rule for units, in the page too: K and KiB (M and MiB, …) are powers
of 1024, as the XLA compiler prints them. KB, MB, GB are refused, because to some they are powers of 1000 and
to others of 1024.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tensorboard_plugin_memviewer.errors import BadParameter

if TYPE_CHECKING:
    from fractions import Fraction

MINUS = "\u2212"
"""The sign of a negative number in a text for people; data has the hyphen."""

_PREFIXES = "KMGTPE"
_AMOUNT = re.compile(r"\+?([0-9]{1,24}(?:\.[0-9]{0,12})?|\.[0-9]{1,12})\s*([A-Za-z]{0,5})", re.ASCII)
_PERCENT = re.compile(r"\+?([0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})\s*%", re.ASCII)
_LARGEST = 2**63 - 1

_FACTORS = {"": 1, "b": 1, "byte": 1, "bytes": 1}
for _step, _prefix in enumerate(_PREFIXES.lower(), start=1):
    _FACTORS |= {f"{_prefix}{_ending}": 1024**_step for _ending in ("", "i", "ib")}
# By unit, the powers of 1000 and of 1024 that it can mean.
_AMBIGUOUS = {f"{_prefix}b": _step for _step, _prefix in enumerate(_PREFIXES.lower(), start=1)}

_ADVICE = "Write a number of bytes with a unit, such as 16 GiB, 15.75G, 512MiB or 1048576."


def format_bytes(count: int) -> str:
    """`count` bytes as IEC text, with two decimals below 100 of a unit: "15.75 GiB", "576 MiB".

    Below 1 KiB it is exact ("512 B"). Halves round up. The unit is the largest whose rounded figure is at
    least 1, so never "1024 MiB". The sign of a negative number is U+2212, as in every text for people.
    """
    sign, magnitude = (MINUS, -count) if count < 0 else ("", count)
    if magnitude < 1024:
        return f"{sign}{magnitude} B"
    for step, prefix in enumerate(_PREFIXES, start=1):
        unit = 1024**step
        whole = _rounded(magnitude, unit)
        if whole < 1024 or prefix == _PREFIXES[-1]:
            break
    hundredths = _rounded(magnitude * 100, unit)
    figure = f"{hundredths // 100}.{hundredths % 100:02d}" if hundredths < 100 * 100 else str(whole)
    return f"{sign}{figure} {prefix}iB"


def format_apart(one: int, other: int) -> tuple[str, str]:
    """The texts of two amounts that differ: every byte of both where rounding would make them look equal."""
    texts = format_bytes(one), format_bytes(other)
    return texts if texts[0] != texts[1] else (f"{one:,} B", f"{other:,} B")


def format_change(count: int) -> str:
    """A difference in bytes with its sign: "+1.50 KiB", "−3 B", and "0 B" where nothing changed."""
    return f"+{format_bytes(count)}" if count > 0 else format_bytes(count)


def format_share(part: int, whole: int) -> str:
    """`part` of `whole` in percent: "83 %", "4.2 %", "< 0.1 %"; "100 %" only for all of it.

    Halves round up. "—" for a share of nothing. Never "0 %" for something.
    """
    if whole == 0:
        return "0 %" if part == 0 else "—"
    sign, magnitude = (MINUS, -part) if part < 0 else ("", part)
    if 0 < 1000 * magnitude < whole:
        return f"> {MINUS}0.1 %" if sign else "< 0.1 %"
    tenths = _rounded(1000 * magnitude, whole)
    if 199 * whole <= 200 * magnitude < 200 * whole:
        # Never the whole where something is missing.
        tenths = min(tenths, 999)
    elif tenths >= 100 or 100 * magnitude % whole == 0:
        return f"{sign}{_rounded(100 * magnitude, whole)} %"
    return f"{sign}{tenths // 10}.{tenths % 10} %"


def format_count(count: int, noun: str) -> str:
    """A number with its noun: "1 buffer", "2 buffers"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def parse_bytes(text: str) -> int:
    """Bytes that `text` says ("16 GiB", "14GiB", "15.75G", "1048576"), rounded to the nearest whole byte.

    Raises BadParameter for anything else, negative amounts and amounts beyond 64 bits included.
    """
    match = _AMOUNT.fullmatch(text.strip())
    unit = match[2].lower() if match else ""
    if match is not None and unit in _AMBIGUOUS:
        raise _ambiguous(text, match[1], _AMBIGUOUS[unit])
    factor = _FACTORS.get(unit)
    if match is None or factor is None:
        raise BadParameter(f"{_shown(text)} is not an amount of memory", _ADVICE)
    amount = _fraction(_decimal(match[1])) * factor
    if amount > _LARGEST:
        raise BadParameter(f"{_shown(text)} is too large", _ADVICE)
    return _rounded(amount.numerator, amount.denominator)


def parse_memory(text: str) -> int:
    """As parse_bytes, for the memory that a device has or a program may need.

    Raises BadParameter also for 1 to 1023 bytes without a unit: who writes "14" means something else.
    """
    size = parse_bytes(text)
    if 0 < size < 1024 and not text.strip()[-1:].isalpha():
        raise BadParameter(f"{_shown(text)} without a unit is {format_count(size, 'byte')}", _ADVICE)
    return size


def parse_growth(text: str, whole: int) -> int:
    """Bytes that `text` allows on top of `whole` bytes: a share of it ("2%") or an amount ("64 MiB").

    A share is rounded down. Raises BadParameter for anything else, as parse_memory does.
    """
    match = _PERCENT.fullmatch(text.strip())
    if match is None:
        return parse_memory(text)
    share = _fraction(_decimal(match[1])) * whole / 100
    return share.numerator // share.denominator


def _ambiguous(text: str, digits: str, step: int) -> BadParameter:
    decimal, binary = (_fraction(_decimal(digits)) * base**step for base in (1000, 1024))
    if binary > _LARGEST:
        return BadParameter(f"{_shown(text)} is too large", _ADVICE)
    unit = _PREFIXES[step - 1]
    return BadParameter(
        f"{_shown(text)} can mean {round(decimal)} or {round(binary)} bytes",
        f"Write {digits}{unit}iB for powers of 1024, or the number of bytes.",
    )


def _fraction(text: str) -> Fraction:
    """The number exactly. The import takes as long as a quick command needs for all else, and few need it."""
    from fractions import Fraction  # noqa: PLC0415

    return Fraction(text)


def _rounded(numerator: int, denominator: int) -> int:
    """The quotient of two integers, neither negative, to the nearest integer; halves go up."""
    return (2 * numerator + denominator) // (2 * denominator)


def _decimal(digits: str) -> str:
    return f"0{digits}0" if "." in digits else digits


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "…")
