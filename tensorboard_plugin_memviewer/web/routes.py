"""The routes: query → service → answer. Every parameter is checked here; nothing of a request reaches the
file system.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from werkzeug.wrappers import Request

from tensorboard_plugin_memviewer import __version__
from tensorboard_plugin_memviewer.analysis.capacity import Capacity
from tensorboard_plugin_memviewer.analysis.grouping.table import GROUPINGS
from tensorboard_plugin_memviewer.analysis.live_set import breakdown
from tensorboard_plugin_memviewer.errors import BadParameter, Unsupported
from tensorboard_plugin_memviewer.model.space import space_number
from tensorboard_plugin_memviewer.service import LoadedModule, Program, Service
from tensorboard_plugin_memviewer.service.comparing import compared
from tensorboard_plugin_memviewer.service.findings import findings_of
from tensorboard_plugin_memviewer.units import parse_bytes
from tensorboard_plugin_memviewer.web.fragments import Fragment, fragment, joined, raw_fragment
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
from tensorboard_plugin_memviewer.wire.breakdown import breakdown_answer
from tensorboard_plugin_memviewer.wire.buffer import buffer_answer
from tensorboard_plugin_memviewer.wire.compare import compare_answer
from tensorboard_plugin_memviewer.wire.findings import findings_answer
from tensorboard_plugin_memviewer.wire.groupings_payload import groupings_payload
from tensorboard_plugin_memviewer.wire.module_payload import ModulePayload, module_payload
from tensorboard_plugin_memviewer.wire.modules import device_text, modules_answer, names_answer
from tensorboard_plugin_memviewer.wire.names import names_of
from tensorboard_plugin_memviewer.wire.problems import problem_records
from tensorboard_plugin_memviewer.wire.runs import runs_answer
from tensorboard_plugin_memviewer.wire.spaces import spaces_answer
from tensorboard_plugin_memviewer.wire.subject import Subject
from tensorboard_plugin_memviewer.wire.usage_payload import usage_payload
from tensorboard_plugin_memviewer.xprof_answer import xprof_answer

# The page needs no more: what is beyond is in the sums, and the command line has all.
_MOST_CHANGES = 500
_MOST_RECORDS = 20


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
        return json_answer(runs_answer(self._service.runs()))

    def modules(self, request: Request) -> Answer:
        run, host = required(request, "run"), optional(request, "host")
        if optional(request, "names") == "1":
            return json_answer(names_answer(self._service.names(run, host)))
        wanted = repeated(request, "module")
        keys = self._service.keys(run, host, wanted) if wanted else None
        return json_answer(modules_answer(self._service.modules(run, host, keys)))

    def memory_spaces(self, request: Request) -> Answer:
        names = module_names(request)
        program, loaded = self._service.load(*names)
        spaces = (
            (loaded.usage(space), self._service.capacity(program, space)) for space in loaded.plan.spaces
        )
        return json_answer(spaces_answer(names_of(program, names[1]), loaded, spaces))

    def usage(self, request: Request) -> Answer:
        program, subject = self._subject(request)
        loaded, usage = subject.loaded, subject.usage
        head = {
            **subject.space_names,
            "platform": subject.platform,
            "device": device_text(program),
            "problems": problem_records(loaded.plan.problems),
            "headline": subject.headline,
        }
        front = json_bytes(head)
        made_from = f"{__version__} {loaded.fingerprint} {usage.space}".encode()

        def compute() -> Answer:
            shared, shared_fragment = self._shared_part(loaded)
            own = usage_payload(loaded.plan, usage, loaded.readers, shared)
            own |= groupings_payload(loaded, usage, shared)
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
        _, subject = self._subject(request)
        by = optional(request, "by") or "owner"
        if by not in GROUPINGS:
            raise BadParameter(f"cannot group by {by!r}", f"Group by one of: {', '.join(GROUPINGS)}.")
        loaded, usage = subject.loaded, subject.usage
        point = point_parameter(request, loaded, usage.headline.peak_point)
        found = breakdown(usage, loaded.grouping(usage.space, by), point)
        return json_answer(breakdown_answer(subject, found, by))

    def findings(self, request: Request) -> Answer:
        text = optional(request, "capacity")
        given = None if text is None else Capacity(parse_bytes(text), "given by the user")
        _, subject = self._subject(request)
        if given is not None:
            subject = replace(subject, capacity=given)
        found = findings_of(self._service, subject.loaded, subject.usage, subject.capacity)
        return json_answer(findings_answer(subject, found, _MOST_RECORDS))

    def compare(self, request: Request) -> Answer:
        _, subject = self._subject(request)
        names = (
            required(request, "baseline_run"),
            optional(request, "baseline_host"),
            required(request, "baseline_module"),
        )
        space = optional(request, "baseline_space") or required(request, "space")
        _, baseline = self._found(names, space)
        left, right = ((side.loaded, side.usage) for side in (subject, baseline))
        found = compared(self._service, left, right)
        return json_answer(compare_answer(subject, baseline, found, _MOST_CHANGES))

    def buffer(self, request: Request) -> Answer:
        id_text = required(request, "id")
        _, subject = self._subject(request)
        return json_answer(buffer_answer(subject, id_text))

    def _subject(self, request: Request) -> tuple[Program, Subject]:
        """The memory space that a request asks about."""
        return self._found(module_names(request), required(request, "space"))

    def _found(self, names: tuple[str, str | None, str], space: str) -> tuple[Program, Subject]:
        program, loaded, usage = self._service.usage(*names, space)
        capacity = self._service.capacity(program, usage.space)
        return program, Subject(names_of(program, names[1]), loaded, usage, capacity)

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
