"""A pasted log to the text of the program that wrote it: without JSON, colors and prefixes of lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

# Control sequences of a terminal; spelled out, as JSON and repr write them; and without their first
# character, as a copy from a web page has them.
_COLORS = re.compile(
    r"\x1b\[[0-?]{0,40}[ -/]{0,4}[@-~]|\x1b\][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\)|\x9b[0-?]{0,40}[@-~]"
    r"|(?:\\u001b|\\x1b|\\033|\\e|\^\[)\[[\d;]{0,40}[A-Za-z]"
    r"|\[\d{0,3}(?:;\d{1,3}){0,4}m(?!\w*\])|\x1b",
    re.ASCII | re.IGNORECASE,
)

_TIME = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?:?"
# Ray and vLLM put it before every line; where lines were joined, it stands between words.
_WORKER = r"\([^()\n]{1,80} pid=\d{1,10}(?:, [^)\n]{1,80})?\)"
_PREFIXES = (
    _WORKER,
    r"\[(?:pod/[^\]\n]{1,200}|(?:rank|default|worker|host|node)[ _-]?\d{1,6}|\d{1,6}(?:,\d{1,6})?)\]"
    r"(?:<std(?:err|out)>)?:?",
    r"[\w.-]{1,80} {0,40}\| ",  # Docker
    r"\d{1,5}: ",  # Slurm
    _TIME,
    r"std(?:err|out) [FP]",  # Kubernetes
    r"\[?[A-Z]{4,8}\]?(?: \d\d-\d\d \d\d:\d\d:\d\d)? \[[^\]\n]{1,80}\]",
    r"(?:- )?(?:ERROR|WARNING|INFO|DEBUG|CRITICAL|FATAL)(?: -|:)",
    r"[EWIF](?:\d{4} \d\d:\d\d:\d{1,12}\.\d{1,9})?[ \t]{1,12}(?:\d{1,10}[ \t]{1,4})?"
    r"[\w./+-]{1,200}:\d{1,6}\]",  # C++
)
_PREFIX = re.compile(rf"^(?:(?:{'|'.join(_PREFIXES)})[ \t]?){{1,6}}", re.MULTILINE | re.ASCII)
# Ray ends lines with it that several workers wrote.
_BETWEEN = re.compile(rf" ?\[repeated \d{{1,6}}x across cluster\][^\n]{{0,200}}|{_WORKER} ?", re.ASCII)
_BLANKS = re.compile(r"[ \t\r\f\v]*\n[ \t\r\f\v\n]*|[ \t\r\f\v]+")


# What loggers call the text itself.
_MESSAGES = ("message", "msg", "log", "text", "textPayload", "MESSAGE", "body", "line", "event")
_ESCAPED = re.compile(r"\\([nrt\"'])")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


def cleaned(text: str) -> str:
    """`text` without what loggers and terminals put around and into it; its lines stay."""
    if "\\n" in text or "{" in text:
        text = "\n".join(map(_unquoted, text.split("\n")))
    if "\x1b" in text or "\x9b" in text or re.search(r"\[[\d;]*m|1b\[|033\[", text, re.IGNORECASE):
        text = _COLORS.sub("", text)
    return _BETWEEN.sub("", _PREFIX.sub("", text))


def _unquoted(line: str) -> str:
    """The message of a line that is JSON; a line that was quoted otherwise with its line ends as such."""
    stripped = line.strip()
    if stripped.startswith("{") and stripped.endswith("}"):
        try:
            message = next(_messages(json.loads(stripped)), None)
        except (ValueError, RecursionError):
            message = None
        if message is not None:
            return message.removesuffix("\n")
    if "\\n" not in line:
        return line
    return _ESCAPED.sub(lambda found: _ESCAPES.get(found[1], found[1]), line)


def _messages(value: object) -> Iterator[str]:
    """The strings under the names of messages, those of the outermost record first."""
    if isinstance(value, dict):
        yield from (value[key] for key in _MESSAGES if isinstance(value.get(key), str))
        for inner in value.values():
            yield from _messages(inner)


def collapsed(text: str) -> str:
    """`text` as one line: runs of white space, line ends included, become one blank."""
    return _BLANKS.sub(" ", text)
