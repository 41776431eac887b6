"""The answers that the page requests for one module, by address.

The routes themselves produce them, so that a one-file report and the server cannot differ.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from werkzeug.test import EnvironBuilder, run_wsgi_app

from tensorboard_plugin_memviewer.errors import MemviewerError
from tensorboard_plugin_memviewer.model.space import space_name
from tensorboard_plugin_memviewer.service import LoadedModule, Program, Service
from tensorboard_plugin_memviewer.web.routes import make_apps

# What JavaScript's encodeURIComponent leaves as it is.
_UNESCAPED = "-_.!~*'()"


def page_answers(service: Service, run: str, program: Program, loaded: LoadedModule) -> dict[str, Any]:
    """By address ("usage?run=…&module=…&space=HBM") the JSON of each answer about one module, and no other.

    Also without a host, as the page asks while none is chosen. An address that a route refuses is left out.
    """
    apps = make_apps(service)
    answers: dict[str, Any] = {}
    for route, query in _questions(run, program, loaded):
        application = apps.get(f"/{route}")
        if application is None:
            continue
        body = _get(application, route, query)
        if body is not None:
            answers[address(route, query)] = _narrowed(route, body, run, program)
    return answers


def usage_json(service: Service, run: str, program: Program, space: str) -> str:
    """The `usage` answer of one memory space, as text, for the program's own host."""
    query = {"run": run, "host": program.host or None, "module": program.key, "space": space}
    body = _get(make_apps(service)["/usage"], "usage", query)
    return json.dumps(_narrowed("usage", body, run, program)) + "\n"


def address(route: str, query: Mapping[str, str | None]) -> str:
    """The address as the page writes it: parameters in their order, those that are None left out."""
    parameters = [
        f"{name}={quote(value, safe=_UNESCAPED)}" for name, value in query.items() if value is not None
    ]
    return f"{route}?{'&'.join(parameters)}" if parameters else route


def _questions(
    run: str, program: Program, loaded: LoadedModule
) -> Iterator[tuple[str, dict[str, str | None]]]:
    yield "runs", {}
    for host in dict.fromkeys((None, program.host or None)):
        chosen = {"run": run, "host": host}
        yield "modules", chosen
        chosen = {**chosen, "module": program.key}
        yield "memory_spaces", chosen
        for space in loaded.plan.spaces:
            for route in ("usage", "findings"):
                yield route, {**chosen, "space": space_name(space)}


def _get(application: Any, route: str, query: Mapping[str, str | None]) -> Any:
    asked = {name: value for name, value in query.items() if value is not None}
    environ = EnvironBuilder(path=f"/{route}", query_string=asked).get_environ()
    chunks, status, _ = run_wsgi_app(application, environ, buffered=True)
    body = json.loads(b"".join(chunks))
    if status.startswith("200"):
        return body
    if status.startswith("404"):
        return None
    error = body["error"]
    raise MemviewerError(error["message"], error["advice"])


def _narrowed(route: str, body: Any, run: str, program: Program) -> Any:
    """A report has one module: lists are cut to it, and do not reveal where the logdir was."""
    if route == "runs":
        runs = [one for one in body["runs"] if one["run"] == run]
        return {**body, "runs": runs, "problems": [], "logdir": ""}
    if route == "modules":
        return {
            **body,
            "modules": [one for one in body["modules"] if one["module"] == program.key],
            "problems": [],
        }
    return body
