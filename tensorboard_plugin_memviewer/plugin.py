"""The tab in TensorBoard: service and routes dressed as a TBPlugin, and the guest in the Profile tab let in.

The only module that is given TensorBoard's context. Importing it must not import TensorFlow, JAX or XProf.
"""

from __future__ import annotations

import logging
from typing import Any

from tensorboard.plugins import base_plugin

from tensorboard_plugin_memviewer.errors import MemviewerError
from tensorboard_plugin_memviewer.export.routes import make_export_apps
from tensorboard_plugin_memviewer.lookout import Lookout
from tensorboard_plugin_memviewer.model.space import HBM
from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.units import parse_bytes
from tensorboard_plugin_memviewer.web.responses import WsgiApp
from tensorboard_plugin_memviewer.web.routes import make_apps
from tensorboard_plugin_memviewer.web.static_files import make_static_apps

_log = logging.getLogger(__name__)


class MemviewerPlugin(base_plugin.TBPlugin):
    """The Memory Viewer of the logdir that TensorBoard was started with."""

    plugin_name = "memviewer"

    def __init__(self, context: base_plugin.TBContext) -> None:
        self._context = context
        self._service = Service(context.logdir or "", capacity=_capacity(context.flags))
        self._lookout = Lookout(self._sees_runs)
        self._lookout.look()
        self._enter_profile_tab()

    def get_plugin_apps(self) -> dict[str, WsgiApp]:
        """Every route: the data and the files of the page."""
        # By now every plugin is there, whichever was loaded first.
        self._enter_profile_tab()
        return {**make_static_apps(), **make_apps(self._service), **make_export_apps(self._service)}

    def is_active(self) -> bool:
        """Whether there is something to show, as far as is known now: never waits for the file system."""
        return self._lookout.seen()

    def frontend_metadata(self) -> base_plugin.FrontendMetadata:
        """Name of the tab, and the module that TensorBoard loads into it."""
        return base_plugin.FrontendMetadata(es_module_path="/index.js", tab_name="Memory Viewer")

    def _sees_runs(self) -> bool:
        try:
            return bool(self._service.runs().runs)
        except MemviewerError:
            # Without a readable logdir there is nothing to show; the page, when opened, says what is wrong.
            return False

    def _enter_profile_tab(self) -> None:
        flag = getattr(self._context.flags, "memviewer_profile_tab", "replace")
        try:
            from tensorboard_plugin_memviewer import profile_tab

            profile_tab.install(self._context, flag)
        except Exception:
            # A Profile tab that has changed its shape keeps its own viewer; our tab comes up all the same.
            _log.warning("The Profile tab keeps its own Memory Viewer.", exc_info=True)


def _capacity(flags: Any) -> dict[int, int]:
    text = getattr(flags, "memviewer_capacity", "")
    return {HBM: parse_bytes(text)} if text else {}
