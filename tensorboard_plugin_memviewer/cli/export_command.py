"""`memviewer export`: one module's memory as a file."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from pathlib import Path

from tensorboard_plugin_memviewer.cli.exit_codes import OK
from tensorboard_plugin_memviewer.cli.location import parse_location, parse_sizes
from tensorboard_plugin_memviewer.cli.selection import Chosen, choose
from tensorboard_plugin_memviewer.errors import BadParameter
from tensorboard_plugin_memviewer.export import as_csv, as_html, as_svg
from tensorboard_plugin_memviewer.export.routes import file_stem
from tensorboard_plugin_memviewer.model.space import space_name
from tensorboard_plugin_memviewer.units import format_bytes
from tensorboard_plugin_memviewer.web.bundle import usage_json


def run(arguments: Namespace) -> int:
    """Write the file and say where it is, unless it is stdout. Raises NotFound, BadParameter."""
    location = parse_location(
        arguments.path, arguments.run, arguments.host, arguments.module, arguments.space
    )
    chosen = choose(location, parse_sizes(arguments.capacity))
    text = _content(chosen, arguments.format)
    if arguments.output == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stdout.buffer.flush()
        return OK
    target = Path(arguments.output or _name(chosen, arguments.format))
    _write(target, text, arguments.force)
    print(f"{target} ({format_bytes(target.stat().st_size)})")
    return OK


def _content(chosen: Chosen, kind: str) -> str:
    if kind == "html":
        return as_html(chosen.service, chosen.run, chosen.program, chosen.loaded)
    if kind == "csv":
        return as_csv(chosen.loaded.plan, chosen.usage)
    if kind == "svg":
        capacity = chosen.service.capacity(chosen.program, chosen.usage.space).bytes
        return as_svg(chosen.loaded.plan, chosen.usage, f"{chosen.run} · {chosen.program.key}", capacity)
    return usage_json(chosen.service, chosen.run, chosen.program, space_name(chosen.usage.space))


def _name(chosen: Chosen, kind: str) -> str:
    """A file name from the module's, in letters that every system takes."""
    return f"{file_stem(chosen.program.name)}.memory.{kind}"


def _write(target: Path, text: str, force: bool) -> None:
    flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if force else os.O_EXCL)
    try:
        with os.fdopen(
            os.open(target, flags, 0o666), "w", encoding="utf-8", errors="backslashreplace", newline=""
        ) as file:
            file.write(text)
    except FileExistsError as error:
        raise BadParameter(f"{target} is there already", "Choose another with -o, or say --force.") from error
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise BadParameter(
            f"{target} cannot be written: {reason}", "Choose another place with -o."
        ) from error
