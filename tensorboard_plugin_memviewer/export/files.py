"""One module's memory as the content of a file of any kind, and the name of that file.

The command line and the route produce the same files with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tensorboard_plugin_memviewer.analysis.usage import SpaceUsage
from tensorboard_plugin_memviewer.export.chart import as_svg
from tensorboard_plugin_memviewer.export.page import as_html
from tensorboard_plugin_memviewer.export.rows import as_csv
from tensorboard_plugin_memviewer.model.space import space_name
from tensorboard_plugin_memviewer.service import LoadedModule, Program, Service
from tensorboard_plugin_memviewer.web.bundle import usage_json

CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "json": "application/json; charset=utf-8",
    "svg": "image/svg+xml; charset=utf-8",
}


def content(service: Service, run: str, found: tuple[Program, LoadedModule, SpaceUsage], kind: str) -> bytes:
    """The file of a kind of CONTENT_TYPES about what `Service.usage` found. Raises KeyError for another."""
    program, loaded, usage = found

    def chart() -> str:
        capacity = service.capacity(program, usage.space).bytes
        return as_svg(loaded.plan, usage, f"{run} · {program.key}", capacity)

    make: dict[str, Callable[[], str]] = {
        "csv": lambda: as_csv(loaded, usage),
        "html": lambda: as_html(service, run, program, loaded, space_name(usage.space)),
        "json": lambda: usage_json(service, run, program, space_name(usage.space)),
        "svg": chart,
    }
    return make[kind]().encode("utf-8", "backslashreplace")


def file_name(program: Program, kind: str) -> str:
    """`jit_step.memory.csv`: a name from the module's, in letters that every file system takes."""
    stem = re.sub(r"[^A-Za-z0-9_.-]+", "_", program.name).strip("._")[:100] or "module"
    return f"{stem}.memory.{kind}"
