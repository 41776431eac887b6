"""What can go wrong that is not our bug: typed errors with code and advice, and problems beside an answer.

Knows nothing of files, protos or HTTP beyond the status that each kind of error maps to.
"""

from __future__ import annotations

from typing import ClassVar, Final, NamedTuple

# Flags that are set already are kept: without them another program would be compiled. For advice, as DIR.
DUMP_FLAGS: Final = 'XLA_FLAGS="$XLA_FLAGS --xla_dump_to=DIR --xla_dump_hlo_as_proto"'


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
