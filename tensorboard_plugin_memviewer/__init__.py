"""Memory Viewer: how an XLA program uses device memory, buffer by buffer, from the compiler's own plan.

    import tensorboard_plugin_memviewer as memviewer

    logdir = memviewer.open("logs")                  # captures, XLA dumps, single files
    usage = logdir.modules[0].usage("HBM")           # numpy columns, .to_pandas(), HTML in notebooks
    module = memviewer.from_compiled(jax.jit(f).lower(x).compile())
    with memviewer.trace_oom():                      # keeps the plan of a program that does not fit
        step(params, batch)

Names are imported on first use, because the command line needs none of them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tensorboard_plugin_memviewer.analysis.findings import Finding
    from tensorboard_plugin_memviewer.analysis.owners.owner import Owner
    from tensorboard_plugin_memviewer.api.buffers import Buffer, Buffers
    from tensorboard_plugin_memviewer.api.compiled import from_compiled, from_lowered
    from tensorboard_plugin_memviewer.api.logdir import Logdir, Run
    from tensorboard_plugin_memviewer.api.logdir import open_logdir as open  # noqa: A004 - said with the name
    from tensorboard_plugin_memviewer.api.module import Module
    from tensorboard_plugin_memviewer.api.oom import trace_oom
    from tensorboard_plugin_memviewer.api.results import Comparison
    from tensorboard_plugin_memviewer.api.storages import Storage, Storages
    from tensorboard_plugin_memviewer.api.usage import Breakdown, Usage
    from tensorboard_plugin_memviewer.errors import MemviewerError

__version__ = "0.1.0"

_FROM = {
    "Breakdown": "api.usage",
    "Buffer": "api.buffers",
    "Buffers": "api.buffers",
    "Comparison": "api.results",
    "Finding": "analysis.findings",
    "Logdir": "api.logdir",
    "MemviewerError": "errors",
    "Module": "api.module",
    "Owner": "analysis.owners.owner",
    "Run": "api.logdir",
    "Storage": "api.storages",
    "Storages": "api.storages",
    "Usage": "api.usage",
    "from_compiled": "api.compiled",
    "from_lowered": "api.compiled",
    "open": "api.logdir",
    "trace_oom": "api.oom",
}

__all__ = [  # noqa: RUF022 - what to call first
    "open",
    "from_compiled",
    "from_lowered",
    "trace_oom",
    "Breakdown",
    "Buffer",
    "Buffers",
    "Comparison",
    "Finding",
    "Logdir",
    "MemviewerError",
    "Module",
    "Owner",
    "Run",
    "Storage",
    "Storages",
    "Usage",
    "__version__",
]


def __getattr__(name: str) -> object:
    if name not in _FROM:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"{__name__}.{_FROM[name]}")
    value: object = getattr(module, "open_logdir" if name == "open" else name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
