"""The routes: query → service → answer. Every parameter is checked here; nothing of a request reaches the
file system.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from werkzeug.wrappers import Request

from tensorboard_plugin_memviewer import __version__
from tensorboard_plugin_memviewer.analysis.live_set import GROUPINGS, breakdown
from tensorboard_plugin_memviewer.errors import BadParameter, Unsupported
from tensorboard_plugin_memviewer.model.space import space_name, space_number
from tensorboard_plugin_memviewer.service import LoadedModule, Program, Service
from tensorboard_plugin_memviewer.service.comparing import Chosen, compared
from tensorboard_plugin_memviewer.service.findings import findings_of
from tensorboard_plugin_memviewer.units import parse_bytes
from tensorboard_plugin_memviewer.web import payloads
from tensorboard_plugin_memviewer.web.buffer_payload import buffer_payload
from tensorboard_plugin_memviewer.web.compare_payload import compare_payload
from tensorboard_plugin_memviewer.web.findings_payload import findings_payload
from tensorboard_plugin_memviewer.web.fragments import Fragment, fragment, joined, raw_fragment
from tensorboard_plugin_memviewer.web.module_payload import ModulePayload, module_payload
from tensorboard_plugin_memviewer.web.parameters import (
    module_names,
    optional,
    point_parameter,
    repeated,
    required,
)
from tensorboard_plugin_memviewer.web.responses import (
    Answer,
    WsgiApp,
    application,
    etag_of,
    json_answer,
    json_bytes,
)
from tensorboard_plugin_memviewer.web.usage_payload import usage_payload
from tensorboard_plugin_memviewer.xprof_answer import xprof_answer


def make_apps(service: Service) -> dict[str, WsgiApp]:
    """A WSGI application by route, as TensorBoard wants them."""
    routes = _Routes(service)
    handlers: dict[str, Callable[[Request], Answer]] = {
        "/runs": routes.runs,
        "/modules": routes.modules,
        "/memory_spaces": routes.memory_spaces,
        "/usage": routes.usage,
        "/breakdown": routes.breakdown,
        "/findings": routes.findings,
        "/compare": routes.compare,
        "/buffer": routes.buffer,
        "/xprof_memory_viewer.json": routes.xprof_memory_viewer,
    }
    return {path: application(handler) for path, handler in handlers.items()}


class _Routes:
    def __init__(self, service: Service) -> None:
        self._service = service

    def runs(self, request: Request) -> Answer:
        del request
        return json_answer(payloads.runs_payload(self._service.runs()))

    def modules(self, request: Request) -> Answer:
        run, host = required(request, "run"), optional(request, "host")
        if optional(request, "names") == "1":
            return json_answer(payloads.names_payload(self._service.names(run, host)))
        wanted = repeated(request, "module")
        keys = self._service.keys(run, host, wanted) if wanted else None
        return json_answer(payloads.modules_payload(self._service.modules(run, host, keys)))

    def memory_spaces(self, request: Request) -> Answer:
        names = module_names(request)
        program, loaded = self._service.load(*names)
        spaces = [
            payloads.space_payload(loaded.usage(space), self._service.capacity(program, space))
            for space in loaded.plan.spaces
        ]
        order = loaded.plan.order
        return json_answer(
            {**_chosen(names, program), "axis": order.axis, "points": order.points, "spaces": spaces}
        )

    def usage(self, request: Request) -> Answer:
        names, space = module_names(request), required(request, "space")
        program, loaded, usage = self._service.usage(*names, space)
        capacity = self._service.capacity(program, usage.space)
        head = {
            **_chosen(names, program),
            "space": space_name(usage.space),
            "color": usage.space,
            "platform": loaded.module.platform,
            "device": payloads.device_text(program),
            "problems": payloads.problems_payload(loaded.plan.problems),
            "headline": payloads.headline_payload(usage, capacity),
        }
        front = json_bytes(head)
        made_from = f"{__version__} {loaded.fingerprint} {usage.space}".encode()

        def compute() -> Answer:
            shared, shared_fragment = self._shared_part(loaded)
            own = usage_payload(loaded.plan, usage, loaded.readers, shared)
            body = joined([raw_fragment(front[1:-1]), fragment(own), shared_fragment])
            return Answer(body, etag_of(made_from, front))

        return self._service.kept((made_from, front), compute, lambda answer: answer.size_bytes)

    def _shared_part(self, loaded: LoadedModule) -> tuple[ModulePayload, Fragment]:
        """What all memory spaces of a module have in common, made and compressed once."""

        def compute() -> tuple[ModulePayload, Fragment]:
            shared = module_payload(loaded.plan)
            return shared, fragment(shared.fields)

        # The rows and lists kept beside the text take a few times its size.
        key = ("shared", loaded.fingerprint)
        return self._service.kept(key, compute, lambda part: 6 * part[1].size_bytes)

    def breakdown(self, request: Request) -> Answer:
        names, space = module_names(request), required(request, "space")
        program, loaded, usage = self._service.usage(*names, space)
        by = optional(request, "by") or "scope"
        if by not in GROUPINGS:
            raise BadParameter(f"cannot group by {by!r}", f"Group by one of: {', '.join(GROUPINGS)}.")
        point = point_parameter(request, loaded, usage.headline.peak_point)
        found = breakdown(usage, loaded.grouping(usage.space, by), point)
        return json_answer(
            {
                **_chosen(names, program),
                "space": space_name(usage.space),
                **payloads.breakdown_payload(loaded.module, usage, found, by),
            }
        )

    def findings(self, request: Request) -> Answer:
        names, space = module_names(request), required(request, "space")
        capacity = optional(request, "capacity")
        found = findings_of(self._service, names, space, None if capacity is None else parse_bytes(capacity))
        return json_answer({"findings": findings_payload(found)})

    def compare(self, request: Request) -> Answer:
        run, host, module = module_names(request)
        subject = Chosen(run, host, module, required(request, "space"))
        baseline = Chosen(
            run=required(request, "baseline_run"),
            host=optional(request, "baseline_host"),
            module=required(request, "baseline_module"),
            space=optional(request, "baseline_space") or subject.space,
        )
        return json_answer(compare_payload(compared(self._service, subject, baseline)))

    def buffer(self, request: Request) -> Answer:
        names, space, id_text = module_names(request), required(request, "space"), required(request, "id")
        program, loaded, usage = self._service.usage(*names, space)
        found = buffer_payload(loaded.plan, usage, loaded.readers, id_text)
        return json_answer({**_chosen(names, program), **found})

    def xprof_memory_viewer(self, request: Request) -> Answer:
        """XProf answers for spaces that the module does not use, too."""
        space = required(request, "space")
        number = space_number(space)
        if number is None:
            raise BadParameter(
                f"there is no memory space {space!r}", "Give its name (HBM) or its number (0)."
            )
        program, loaded = self._service.load(*module_names(request))
        if program.kind == "saved":
            raise Unsupported(
                f"{program.key!r} is already a saved result of XProf",
                "Use the saved file itself.",
                program.path,
            )
        return json_answer(xprof_answer(loaded.module, number))


def _chosen(names: tuple[str, str | None, str], program: Program) -> dict[str, Any]:
    run, host, _ = names
    return {"run": run, "host": host, "module": program.key, "name": program.name}
