"""Where TensorBoard finds the plugin: its flags, and how it is loaded.

TensorBoard imports this module without a guard, so an error here would take all of TensorBoard down, and
time spent here is time it needs to start. So nothing but TensorBoard is imported before `load`, whose errors
TensorBoard logs.
"""

from __future__ import annotations

import argparse
from typing import Any

from tensorboard.plugins import base_plugin


class MemviewerLoader(base_plugin.TBLoader):
    """Defines the flags `--memviewer_…` and makes the plugin."""

    def define_flags(self, parser: argparse.ArgumentParser) -> None:
        """Add our flags to TensorBoard's."""
        group = parser.add_argument_group("memviewer")
        group.add_argument(
            "--memviewer_profile_tab",
            choices=("replace", "off"),
            default="replace",
            help="replace: the Memory Viewer of the Profile tab shows this plugin's page; "
            "off: the Profile tab is not changed. (default: replace)",
        )
        group.add_argument(
            "--memviewer_capacity",
            metavar="SIZE",
            default="",
            help="Device memory to compare programs with, such as 16GiB, if the capture lacks it or has "
            "it wrong.",
        )

    def fix_flags(self, flags: argparse.Namespace) -> None:
        """Refuse a capacity that is no size, before anything is served."""
        text = getattr(flags, "memviewer_capacity", "")
        if not text:
            return
        from tensorboard_plugin_memviewer.errors import BadParameter
        from tensorboard_plugin_memviewer.units import parse_memory

        try:
            parse_memory(text)
        except BadParameter as error:
            raise base_plugin.FlagsError(f"--memviewer_capacity: {error.message}. {error.advice}") from error

    def load(self, context: base_plugin.TBContext) -> Any:
        """The plugin; an error becomes a message in TensorBoard's log."""
        from tensorboard_plugin_memviewer.plugin import MemviewerPlugin

        return MemviewerPlugin(context)


LOADER = MemviewerLoader()
