"""What is wrong beside an answer, or instead of one; and the field that every answer begins with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypedDict, cast

from tensorboard_plugin_memviewer.wire import VERSION

if TYPE_CHECKING:
    from tensorboard_plugin_memviewer.errors import Problem as FoundProblem


class Versioned(TypedDict):
    """The first field of every answer."""

    version: int
    """The version of this contract, 1."""


class Problem(TypedDict):
    """Something that could not be read, or not fully, beside what could."""

    code: str
    """What kind of problem it is, for programs."""
    message: str
    advice: str
    """What to do about it."""
    path: str | None
    """The file, where there is one."""


class Error(TypedDict):
    """Why there is no answer."""

    code: str
    message: str
    advice: str
    path: str | None


class Fault(Versioned):
    """The body of an answer with status 400, 404, 405, 422 or 500."""

    error: Error


def problem_records(problems: Iterable[FoundProblem]) -> list[Problem]:
    """Each problem once."""
    return [cast("Problem", problem._asdict()) for problem in dict.fromkeys(problems)]


def fault(code: str, message: str, advice: str, path: str | None) -> Fault:
    """The body of an error."""
    error: Error = {"code": code, "message": message, "advice": advice, "path": path}
    return {"version": VERSION, "error": error}
