"""A pasted log to the text of the program that wrote it: without colors and the prefixes of log lines."""

from __future__ import annotations

import re

# Control sequences of a terminal; spelled out, as JSON and repr write them; and without their first
# character, as a copy from a web page has them.
_COLORS = re.compile(
    r"\x1b\[[0-?]{0,40}[ -/]{0,4}[@-~]|\x1b\][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\)|\x9b[0-?]{0,40}[@-~]"
    r"|(?:\\u001b|\\x1b|\\033|\\e|\^\[)\[[\d;]{0,40}[A-Za-z]"
    r"|\[\d{0,3}(?:;\d{1,3}){0,4}m(?!\w*\])|\x1b",
    re.ASCII | re.IGNORECASE,
)

_TIME = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?:?"
_PREFIXES = (
    r"\([^()\n]{1,80} pid=\d{1,10}(?:, [^)\n]{1,80})?\)",  # Ray, vLLM
    r"\[(?:pod/[^\]\n]{1,200}|(?:rank|default|worker|host|node)[ _-]?\d{1,6}|\d{1,6}(?:,\d{1,6})?)\]"
    r"(?:<std(?:err|out)>)?:?",
    r"[\w.-]{1,80} {0,40}\| ",  # Docker
    r"\d{1,5}: ",  # Slurm
    _TIME,
    r"\[?[A-Z]{4,8}\]?(?: \d\d-\d\d \d\d:\d\d:\d\d)? \[[^\]\n]{1,80}\]",
    r"(?:- )?(?:ERROR|WARNING|INFO|DEBUG|CRITICAL|FATAL)(?: -|:)",
    r"[EWIF](?:\d{4} \d\d:\d\d:\d{1,12}\.\d{1,9})?[ \t]{1,12}(?:\d{1,10}[ \t]{1,4})?"
    r"[\w./+-]{1,200}:\d{1,6}\]",  # C++
)
_PREFIX = re.compile(rf"^(?:(?:{'|'.join(_PREFIXES)})[ \t]?){{1,6}}", re.MULTILINE | re.ASCII)
# Ray says so behind lines that several workers wrote.
_REPEATED = re.compile(r" ?\[repeated \d{1,6}x across cluster\][^\n]{0,200}")
_BLANKS = re.compile(r"[ \t\r\f\v]*\n[ \t\r\f\v\n]*|[ \t\r\f\v]+")


def without_prefixes(text: str) -> str:
    """`text` without colors and log prefixes; its lines stay."""
    if "\x1b" in text or "\x9b" in text or re.search(r"\[[\d;]*m|1b\[|033\[", text, re.IGNORECASE):
        text = _COLORS.sub("", text)
    return _REPEATED.sub("", _PREFIX.sub("", text))


def collapsed(text: str) -> str:
    """`text` as one line: runs of white space, line ends included, become one blank."""
    return _BLANKS.sub(" ", text)
