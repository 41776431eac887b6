"""The last resort: errors that match no sentence of the table, and texts that only look like one.

Services also use the status RESOURCE_EXHAUSTED for too many requests and too long messages.
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
    r"RESOURCE[_ ]EXHAUSTED|cudaErrorMemoryAllocation|ResourceExhausted|(?:\b|_)OUT_OF_MEMORY"
    r"|OutOfMemory|OutOfResources|(?<![\w-])out of resources?: "
    # In prose that warns of it, it is no error.
    r"|(?<!run )(?<!running )(?<!avoid )(?<!prevent )(?<!going )(?<!go )\bout of (?:\w{1,12} )?memory\b"
    r"|\bran out of (?:hbm|vmem|smem|cmem|spmem|tmem|sync flags)"
    r"|would exceed (?:hbm|vmem|smem|spmem) capacity|exceeds (?:hbm|vmem|smem|spmem) limit",
    re.ASCII | re.IGNORECASE,
)
# A piece of each, which is faster to look for.
_KEYS = ("exhausted", "out of ", "outof", "out_of_", "memoryallocation", "would exceed", "exceeds ")
_MOST_SIGNS = 200
_DRIVER = re.compile(
    r"(?:CUDA|HIP)_ERROR_OUT_?OF_?MEMORY|hipErrorOutOfMemory|cudaErrorMemoryAllocation", re.IGNORECASE
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
    r"(?:alloc(?:at(?:e|ing|ion(?: of)?))?|request(?:ed|ing)?|reserv(?:e|ing)|requir(?:es|ed|ing)"
    rf"|needs?|needed|map|size)(?: (?:a|an|of|for|another))?[ :=(]{{1,3}}(?P<requested>{_SIZED})"
    rf"|(?P<free_before>{_SIZED}) (?:are |is |were )?(?:free|left|available)"
    rf"|(?:free|left|available)[ :=(]{{1,3}}(?P<free>{_SIZED})"
    rf"|(?:limit|capacity|maximum|max)(?: of|:| is|=)? ?\(?(?P<capacity>{_SIZED})",
).pattern
_SPACE = re.compile(
    r"\b(?P<space>hbm|vmem|smem|cmem|sflag|sparsecore|host|spmem|tmem|shared|pinned)(?=\b|\d)"
    r"|sync (?P<flags>flag)",
    re.IGNORECASE,
)
_ON_CHIP = ("vmem", "smem", "cmem", "sflag", "spmem", "tmem", "shared")
_PLATFORM = re.compile(
    r"(?P<gpu>\bcuda|_cuda|\bhip|rocm|nvidia|\bgpu|_gpu|\bnccl|\btriton|\bptx)"
    r"|(?P<tpu>\btpu|\bhbm|\bvmem|\bsmem|\bsparsecore)",
    re.ASCII | re.IGNORECASE,
)


def unknown_error(text: str, known: Sequence[re.Match[str]] = ()) -> tuple[re.Match[str], Sentence] | None:
    """The last error of `text` that a general word marks, with a sentence made for it; else None.

    Words within the `known` matches do not count. The match has no figures: `stated` reads those around it.
    """
    for match in reversed(_signs(text)):
        within = any(other.start() <= match.start() < other.end() for other in known)
        if not within and _no_memory(text, match) is None:
            break
    else:
        return None
    around = _around(text, match)
    space, on_chip = _space(around)
    what = What.DRIVER if _DRIVER.search(around) else What.UNKNOWN
    what = What.ON_CHIP if on_chip else What.HOST if space == SPACES["host"] else what
    return match, Sentence(Wording.UNKNOWN, None, "run", what, "", _SIGN, space, log=True)


def platform_near(text: str, match: re.Match[str]) -> str | None:
    """Whether a "gpu" or a "tpu", by the first word around an error that only one of them has; else None."""
    found = _PLATFORM.search(_around(text, match))
    return found.lastgroup if found else None


def stated(text: str, match: re.Match[str]) -> tuple[dict[str, str], tuple[Amount, ...]]:
    """Figures around an unknown error: those with a role ("requested", "free", "capacity"), and all."""
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
    """What is amiss instead, as a clause, where a text only looks like an out-of-memory error."""
    reasons = (_no_memory(text, match) for match in reversed(_signs(text)))
    return next((reason for reason in reasons if reason), None)


def _signs(text: str) -> list[re.Match[str]]:
    """The last words that mark an error."""
    lower = text.lower()
    return list(_SIGN.finditer(text))[-_MOST_SIGNS:] if any(key in lower for key in _KEYS) else []


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
