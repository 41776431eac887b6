"""The route `export`: the same files as `memviewer export`, as downloads."""

from __future__ import annotations

from werkzeug.wrappers import Request

from tensorboard_plugin_memviewer.errors import BadParameter
from tensorboard_plugin_memviewer.export.files import CONTENT_TYPES, content, file_name
from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.web.parameters import module_names, required
from tensorboard_plugin_memviewer.web.responses import Answer, WsgiApp, application, etag_of, gzipped


def make_export_apps(service: Service) -> dict[str, WsgiApp]:
    """The WSGI application of the route."""

    def answer(request: Request) -> Answer:
        return _exported(service, request)

    return {"/export": application(answer)}


def _exported(service: Service, request: Request) -> Answer:
    kind = required(request, "format")
    if kind not in CONTENT_TYPES:
        raise BadParameter(f"cannot export as {kind!r}", f"Export as one of: {', '.join(CONTENT_TYPES)}.")
    run, host, module = module_names(request)
    found = service.usage(run, host, module, required(request, "space"))
    body = content(service, run, found, kind)
    headers = (("Content-Disposition", f'attachment; filename="{file_name(found[0], kind)}"'),)
    return Answer(gzipped(body), etag_of(body), CONTENT_TYPES[kind], headers)
