"""What can go wrong that is not our bug: typed errors with code and advice, and problems beside an answer.

Knows nothing of files, protos or HTTP beyond the status that each kind of error maps to.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, NamedTuple


class MemviewerError(Exception):
    """Base of every error that a user can do something about.

    `message` says what is wrong and names the file where there is one; `advice` says what to do.
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
        """The path, where the message does not say it already."""
        return self.path if self.path and self.path not in self.message else None


# Problems after which something may be there all the same.
_HIDING = ("changed", "empty", "damaged", "unreadable", "unsupported")


def missing(message: str, advice: str, problems: Iterable[Problem], path: str | None = None) -> NotFound:
    """The error of what was looked for in vain among things that were read with `problems`.

    Incomplete where one of them may have hidden it, else NotFound, with the first problem if there is one.
    """
    known = list(dict.fromkeys(problems))
    hiding = [problem for problem in known if problem.code in _HIDING]
    for first in (*hiding, *known):
        more = f" ({len(hiding) - 1} more could not be read)" if len(hiding) > 1 else ""
        where = f" ({first.unsaid_path})" if first.unsaid_path else ""
        link = ", as far as it could be read" if hiding else ""
        kind = Incomplete if hiding else NotFound
        return kind(
            f"{message}{link}: {first.message}{where}{more}", f"{first.advice} {advice}", first.path or path
        )
    return NotFound(message, advice, path)
