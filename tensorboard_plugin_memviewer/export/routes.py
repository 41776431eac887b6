"""The route `export`: the same files as `memviewer export`, as downloads."""

from __future__ import annotations

import re
from collections.abc import Callable

from werkzeug.wrappers import Request

from tensorboard_plugin_memviewer.errors import BadParameter
from tensorboard_plugin_memviewer.export.chart import as_svg
from tensorboard_plugin_memviewer.export.page import as_html
from tensorboard_plugin_memviewer.export.rows import as_csv
from tensorboard_plugin_memviewer.model.space import space_name
from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.web.bundle import usage_json
from tensorboard_plugin_memviewer.web.parameters import module_names, required
from tensorboard_plugin_memviewer.web.responses import Answer, WsgiApp, application, etag_of, gzipped

_CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "json": "application/json; charset=utf-8",
    "svg": "image/svg+xml; charset=utf-8",
}


def make_export_apps(service: Service) -> dict[str, WsgiApp]:
    """The WSGI application of the route."""

    def answer(request: Request) -> Answer:
        return _exported(service, request)

    return {"/export": application(answer)}


def _exported(service: Service, request: Request) -> Answer:
    kind = required(request, "format")
    if kind not in _CONTENT_TYPES:
        raise BadParameter(f"cannot export as {kind!r}", f"Export as one of: {', '.join(_CONTENT_TYPES)}.")
    run, host, module = module_names(request)
    program, loaded, usage = service.usage(run, host, module, required(request, "space"))
    capacity = service.capacity(program, usage.space).bytes
    make: dict[str, Callable[[], str]] = {
        "csv": lambda: as_csv(loaded.plan, usage),
        "html": lambda: as_html(service, run, program, loaded),
        "json": lambda: usage_json(service, run, program, space_name(usage.space)),
        "svg": lambda: as_svg(loaded.plan, usage, f"{run} · {program.key}", capacity),
    }
    body = make[kind]().encode("utf-8", "backslashreplace")
    name = f"{file_stem(program.name)}.memory.{kind}"
    headers = (("Content-Disposition", f'attachment; filename="{name}"'),)
    return Answer(gzipped(body), etag_of(body), _CONTENT_TYPES[kind], headers)


def file_stem(name: str) -> str:
    """A module's name in letters that every file system takes."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "_", name).strip("._")[:100] or "module"
