"""The tab in TensorBoard: service and routes as a TBPlugin, and the installation in the Profile tab.

The only module that is given TensorBoard's context. Importing it must not import TensorFlow, JAX or XProf.
TensorBoard waits for it at every start, even if nobody opens the tab, so the modules that answer requests are
imported on the first one.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tensorboard.plugins import base_plugin

from tensorboard_plugin_memviewer.lookout import Lookout
from tensorboard_plugin_memviewer.web.static_files import make_static_apps

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

    from tensorboard_plugin_memviewer.web.responses import WsgiApp

_log = logging.getLogger(__name__)

# What the data routes are called, known before their code is imported.
DATA_ROUTES = (
    "/runs",
    "/modules",
    "/memory_spaces",
    "/usage",
    "/breakdown",
    "/findings",
    "/compare",
    "/buffer",
    "/xprof_memory_viewer.json",
    "/export",
)


class MemviewerPlugin(base_plugin.TBPlugin):
    """The Memory Viewer of the logdir that TensorBoard was started with."""

    plugin_name = "memviewer"

    def __init__(self, context: base_plugin.TBContext) -> None:
        self._context = context
        self._data = _DataApps(context.logdir or "", context.flags)
        self._lookout = Lookout(self._sees_runs)
        self._enter_profile_tab()

    def get_plugin_apps(self) -> dict[str, WsgiApp]:
        """Every route: the data and the files of the page."""
        # By now every plugin is there, whichever was loaded first.
        self._enter_profile_tab()
        self._lookout.look()
        return {**make_static_apps(), **{route: self._data.app(route) for route in DATA_ROUTES}}

    def is_active(self) -> bool:
        """Whether there is something to show, as far as is known now: never waits for the file system."""
        return self._lookout.seen()

    def frontend_metadata(self) -> base_plugin.FrontendMetadata:
        """Name of the tab, and the module that TensorBoard loads into it."""
        return base_plugin.FrontendMetadata(es_module_path="/index.js", tab_name="Memory Viewer")

    def _sees_runs(self) -> bool:
        from tensorboard_plugin_memviewer.service.presence import has_runs

        return has_runs(self._context.logdir or "")

    def _enter_profile_tab(self) -> None:
        flag = getattr(self._context.flags, "memviewer_profile_tab", "replace")
        try:
            from tensorboard_plugin_memviewer import profile_tab

            profile_tab.install(self._context, flag)
        except Exception:
            # A Profile tab that has changed its shape keeps its own viewer; our tab comes up all the same.
            _log.warning("The Profile tab keeps its own Memory Viewer.", exc_info=True)


class _DataApps:
    """The applications of the data routes, made when one of them is first asked."""

    def __init__(self, logdir: str, flags: Any) -> None:
        self._logdir = logdir
        self._flags = flags
        self._lock = threading.Lock()
        self._apps: dict[str, WsgiApp] | None = None

    def app(self, route: str) -> WsgiApp:
        """The application of a route, whose code is imported when it is called."""

        def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            return self.apps()[route](environ, start_response)

        return answer

    def apps(self) -> dict[str, WsgiApp]:
        """All of them, by route."""
        with self._lock:
            if self._apps is None:
                self._apps = self._make()
            return self._apps

    def _make(self) -> dict[str, WsgiApp]:
        from tensorboard_plugin_memviewer.export.routes import make_export_apps
        from tensorboard_plugin_memviewer.service import Service
        from tensorboard_plugin_memviewer.web.routes import make_apps

        service = Service(self._logdir, capacity=_capacity(self._flags))
        return {**make_apps(service), **make_export_apps(service)}


def _capacity(flags: Any) -> dict[int, int]:
    from tensorboard_plugin_memviewer.model.space import HBM
    from tensorboard_plugin_memviewer.units import parse_memory

    text = getattr(flags, "memviewer_capacity", "")
    return {HBM: parse_memory(text)} if text else {}
