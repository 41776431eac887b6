"""Typed errors with a code and advice for everything except bugs, and problems that accompany an answer.

Knows nothing of files, protos or HTTP except the status of each kind of error.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, Final, NamedTuple

# Flags that are set already are kept: without them another program would be compiled. For advice, as DIR.
DUMP_FLAGS: Final = 'XLA_FLAGS="$XLA_FLAGS --xla_dump_to=DIR --xla_dump_hlo_as_proto"'
_MOST_LISTED: Final = 8


class MemviewerError(Exception):
    """Base of every error that a user can do something about.

    `message` describes the error and names the file, if any; `advice` describes what to do.
    """

    code: ClassVar[str] = "error"
    status: ClassVar[int] = 500

    def __init__(self, message: str, advice: str, path: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice
        self.path = path

    def as_problem(self) -> Problem:
        """The same facts as a record to be shown beside what could still be read."""
        return Problem(self.code, self.message, self.advice, self.path)


class BadParameter(MemviewerError):
    """A request or argument that does not make sense."""

    code = "bad_parameter"
    status = 400


class NotFound(MemviewerError):
    """No such run, host, module, memory space, buffer or file."""

    code = "not_found"
    status = 404


class Incomplete(NotFound):
    """What was looked for is not in what could be read, and not all could be: it may be there."""

    code = "incomplete"
    status = 422


class NotYet(Incomplete):
    """The same, where a file that may have it is being written or is still empty: try again."""

    code = "changed"


class Damaged(MemviewerError):
    """A file is there but its content is not what its name promises."""

    code = "damaged"
    status = 422


class Unsupported(MemviewerError):
    """A file is whole but needs something that is not installed, or holds no memory plan."""

    code = "unsupported"
    status = 422


class Problem(NamedTuple):
    """Something wrong that did not stop the rest from being shown."""

    code: str
    message: str
    advice: str
    path: str | None = None

    @property
    def unsaid_path(self) -> str | None:
        """The path, unless the message already contains it."""
        return self.path if self.path and self.path not in self.message else None


# Problems after which something may be there all the same; after the first two soon.
_HIDING: Final = ("changed", "empty", "damaged", "unreadable", "unsupported")
_SOON: Final = _HIDING[:2]


def not_found(
    message: str,
    wanted: str,
    known: Iterable[str],
    kind: str,
    problems: Iterable[Problem] = (),
    short: Iterable[str] = (),
) -> NotFound:
    """The error that `wanted` is none of the `known` names of a `kind` ("modules"), nor of the `short` ones.

    It has the nearest name and a list. Where one of the `problems` may hide `wanted`, the error is Incomplete
    or NotYet and has the first such problem and its path.
    """
    names = list(dict.fromkeys(known))
    told = list(dict.fromkeys(problems))
    hiding = [problem for problem in told if problem.code in _HIDING]
    near = nearest(wanted, [*short, *names])
    advice = [] if near is None else [f"Did you mean {near!r}?"]
    if names:
        more = f" and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
        advice.append(f"{kind[0].upper()}{kind[1:]} available: {', '.join(names[:_MOST_LISTED])}{more}.")
    elif not told:
        advice.append(f"There are no {kind}.")
    # Other problems explain why there is nothing at all, but not why one of many is missing.
    reasons = hiding or ([] if names else told)
    if not reasons:
        return NotFound(message, " ".join(advice))
    first = reasons[0]
    link = ", as far as it could be read" if hiding else ""
    where = f" ({first.unsaid_path})" if first.unsaid_path else ""
    more = f" ({len(hiding) - 1} more could not be read)" if len(hiding) > 1 else ""
    error = NotFound if not hiding else NotYet if any(one.code in _SOON for one in hiding) else Incomplete
    return error(
        f"{message}{link}: {first.message}{where}{more}", " ".join([*advice, first.advice]), first.path
    )


def nearest(wanted: str, known: Sequence[str]) -> str | None:
    """The name that is most like `wanted`, None where none is."""
    # Needed for errors only.
    import difflib  # noqa: PLC0415

    small = wanted.lower()
    if holding := [name for name in known if small and small in name.lower()]:
        return min(holding, key=len)
    # Of names that differ in case only the first counts.
    folded = {name.lower(): name for name in reversed(known)}
    found = difflib.get_close_matches(small, folded, n=1)
    return folded[found[0]] if found else None
