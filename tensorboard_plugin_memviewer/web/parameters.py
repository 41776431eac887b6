"""Checks the parameters of a request. None of them is ever used as a path."""

from __future__ import annotations

from werkzeug.wrappers import Request

from tensorboard_plugin_memviewer.errors import BadParameter
from tensorboard_plugin_memviewer.service import LoadedModule

_LONGEST_PARAMETER = 16_384


def required(request: Request, name: str) -> str:
    """A parameter that must be there. Raises BadParameter."""
    value = optional(request, name)
    if value is None:
        raise BadParameter(f"the parameter {name!r} is missing", f"Add &{name}=… to the address.")
    return value


def optional(request: Request, name: str) -> str | None:
    """A parameter, None where it is absent or empty. Raises BadParameter where it is absurdly long."""
    return next(iter(repeated(request, name)), None)


def repeated(request: Request, name: str) -> list[str]:
    """Every value of a parameter that may come several times, empty ones left out. Raises BadParameter."""
    values = [value for value in request.args.getlist(name) if value]
    if any(len(value) > _LONGEST_PARAMETER for value in values):
        raise BadParameter(f"the parameter {name!r} is too long", "Names are shorter than 16,384 characters.")
    return values


def point_parameter(request: Request, loaded: LoadedModule, peak: int) -> int:
    """The program point in `at`: a number, or "peak" (also where it is absent). Raises BadParameter."""
    text, points = optional(request, "at") or "peak", loaded.plan.order.points
    if text == "peak":
        return peak
    point = int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else points
    if point >= points:
        raise BadParameter(
            f"there is no program point {text!r}", f"Points go from 0 to {points - 1}, or 'peak'."
        )
    return point


def module_names(request: Request) -> tuple[str, str | None, str]:
    """Run, host (None: any) and module of a request. Raises BadParameter."""
    return required(request, "run"), optional(request, "host"), required(request, "module")
