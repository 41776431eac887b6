"""The last resort: out-of-memory errors that no sentence of the table fits, and what is none though it looks so.

Status RESOURCE_EXHAUSTED is also what services answer to too many requests and too long messages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from tensorboard_plugin_memviewer.formats.oom_kinds import SPACES, Sentence, What, Wording, sentence
from tensorboard_plugin_memviewer.formats.printed_bytes import Amount, printed_amount

_REACH = 600
"""Characters that belong to an error, before its sign and after it."""
MOST_AMOUNTS = 12

_SIGN = re.compile(
    r"(?P<driver>(?:CUDA|HIP)_ERROR_OUT_?OF_?MEMORY|hipErrorOutOfMemory|cudaErrorMemoryAllocation)"
    r"|RESOURCE[_ ]EXHAUSTED|ResourceExhausted|(?:\b|_)OUT_OF_MEMORY|OutOfMemory|OutOfResources"
    r"|(?<![\w-])out of resources?: "
    # In prose that warns of it, it is no error.
    r"|(?<!run )(?<!running )(?<!avoid )(?<!prevent )(?<!going )(?<!go )\bout of (?:\w{1,12} )?memory\b"
    r"|\bran out of (?:hbm|vmem|smem|cmem|spmem|tmem|sync flags)"
    r"|would exceed (?:hbm|vmem|smem|spmem) capacity|exceeds (?:hbm|vmem|smem|spmem) limit",
    re.ASCII | re.IGNORECASE,
)
_NO_MEMORY = (
    (r"message larger than max|received message exceeds", "a message was larger than gRPC allows"),
    (r"\bquota|rate.?limit|too many requests|retry.?after", "a quota or rate limit of a service was reached"),
    (r"no space left on device|disk (?:is )?full", "a disk is full"),
    (
        r"no more capacity in the zone|does not have enough resources|RESOURCE_POOL",
        "a cloud zone has no machine left",
    ),
    (r"too many open files", "too many files are open"),
)
_SIZED = r"\d[\d,]{0,24}(?:\.\d{1,6})?\s?(?:[KMGTPE](?:iB|B|i)?|[Bb]ytes?|B)(?![A-Za-z0-9])"
_AMOUNT = re.compile(rf"(?<![\w.])(?:{_SIZED})", re.ASCII)
_PARTS = sentence(
    Wording.UNKNOWN,
    "run",
    What.UNKNOWN,
    "",
    rf"(?:alloc(?:at(?:e|ing|ion(?: of)?))?|request(?:ed|ing)?|reserv(?:e|ing)|requir(?:es|ed|ing)|needs?|needed"
    rf"|map|size)(?: (?:a|an|of|for|another))?[ :=(]{{1,3}}(?P<requested>{_SIZED})"
    rf"|(?P<free_before>{_SIZED}) (?:are |is |were )?(?:free|left|available)"
    rf"|(?:free|left|available)[ :=(]{{1,3}}(?P<free>{_SIZED})"
    rf"|(?:limit|capacity|maximum|max)(?: of|:| is|=)? ?\(?(?P<capacity>{_SIZED})",
).pattern
_SPACE = re.compile(
    r"\b(?P<space>hbm|vmem|smem|cmem|sflag|sparsecore|host|spmem|tmem|shared|pinned)(?=\b|\d)|sync (?P<flags>flag)",
    re.IGNORECASE,
)
_ON_CHIP = ("vmem", "smem", "cmem", "sflag", "spmem", "tmem", "shared")
_PLATFORM = re.compile(
    r"(?P<gpu>\bcuda|_cuda|\bhip|rocm|nvidia|\bgpu|_gpu|\bnccl|\btriton|\bptx)"
    r"|(?P<tpu>\btpu|\bhbm|\bvmem|\bsmem|\bsparsecore)",
    re.ASCII | re.IGNORECASE,
)


def unknown_error(text: str, known: Sequence[re.Match[str]] = ()) -> tuple[re.Match[str], Sentence] | None:
    """The last error of `text` that a general word marks, with a sentence made for it; None where there is none.

    Words within the `known` matches do not count. The match has no groups: `stated` reads the figures around
    it.
    """
    last, driver = None, False
    for match in _SIGN.finditer(text):
        within = any(other.start() <= match.start() < other.end() for other in known)
        if not within and _no_memory(text, match) is None:
            driver = match["driver"] is not None or (driver and last is not None and _same(last, match))
            last = match
    if last is None:
        return None
    space, on_chip = _space(_around(text, last))
    host = space == SPACES["host"]
    what = What.ON_CHIP if on_chip else What.HOST if host else What.DRIVER if driver else What.UNKNOWN
    return last, Sentence(Wording.UNKNOWN, None, "run", what, "", _SIGN, space, log=True)


def _same(one: re.Match[str], next_one: re.Match[str]) -> bool:
    return next_one.start() - one.end() < _REACH


def platform_near(text: str, match: re.Match[str]) -> str | None:
    """Whether it is a "gpu" or a "tpu", by the first word around an error that only one of them has; None where there is none."""
    found = _PLATFORM.search(_around(text, match))
    return found.lastgroup if found else None


def stated(text: str, match: re.Match[str]) -> tuple[dict[str, str], tuple[Amount, ...]]:
    """Figures around an unknown error: those with a role ("requested", "free", "capacity"), and all of them."""
    around = _around(text, match)
    groups: dict[str, str] = {}
    for found in _PARTS.finditer(around):
        for name, value in found.groupdict().items():
            if value:
                groups.setdefault(name.removesuffix("_before"), value)
    space = _SPACE.search(around)
    if space and space["space"]:
        groups["space"] = space["space"]
    amounts = dict.fromkeys(printed_amount(found[0]) for found in _AMOUNT.finditer(around))
    return groups, tuple(amount for amount in amounts if amount is not None)[:MOST_AMOUNTS]


def no_memory(text: str) -> str | None:
    """What ran out instead of memory, in words, where a text only looks like an out-of-memory error."""
    reasons = [_no_memory(text, match) for match in _SIGN.finditer(text)]
    return next((reason for reason in reversed(reasons) if reason), None)


def _no_memory(text: str, match: re.Match[str]) -> str | None:
    around = text[max(0, match.start() - _REACH // 5) : match.end() + _REACH // 3]
    fits: Callable[[str], object] = lambda pattern: re.search(pattern, around, re.IGNORECASE)  # noqa: E731
    return next((reason for pattern, reason in _NO_MEMORY if fits(pattern)), None)


def _around(text: str, match: re.Match[str]) -> str:
    return text[max(0, match.start() - _REACH // 2) : match.end() + _REACH]


def _space(around: str) -> tuple[int | None, bool]:
    """The number of the memory space that is named first, and whether that is on-chip memory."""
    match = _SPACE.search(around)
    name = "" if match is None else "sflag" if match["flags"] else match["space"].lower()
    return SPACES.get("host" if name == "pinned" else name), name in _ON_CHIP
