"""Combines sessions, formats and analysis: the memory plan of a module of a run, and so on.

Names are imported on first use: listing programs (service.programs) needs no numpy, so it starts at
once.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tensorboard_plugin_memviewer.service.loaded import LoadedModule
    from tensorboard_plugin_memviewer.service.program import Program
    from tensorboard_plugin_memviewer.service.service import (
        ModuleSummary,
        RunModules,
        RunNames,
        Service,
        SpaceSummary,
    )

__all__ = ["LoadedModule", "ModuleSummary", "Program", "RunModules", "RunNames", "Service", "SpaceSummary"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(name)
    module = {"Program": "program", "LoadedModule": "loaded"}.get(name, "service")
    return getattr(importlib.import_module(f"{__name__}.{module}"), name)
