"""`memviewer export`: one module's memory as a file."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from tensorboard_plugin_memviewer.cli.exit_codes import OK
from tensorboard_plugin_memviewer.cli.location import location_of, parse_sizes
from tensorboard_plugin_memviewer.cli.selection import choose
from tensorboard_plugin_memviewer.errors import BadParameter
from tensorboard_plugin_memviewer.export.files import content, file_name
from tensorboard_plugin_memviewer.units import format_bytes


def run(arguments: Namespace) -> int:
    """Write the file and say where it is, unless it is stdout. Raises NotFound, BadParameter."""
    location = location_of(arguments)
    chosen = choose(location, parse_sizes(arguments.capacity))
    found = chosen.program, chosen.loaded, chosen.usage
    data = content(chosen.service, chosen.run, found, arguments.format)
    if arguments.output == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return OK
    target = Path(arguments.output or file_name(chosen.program, arguments.format))
    _write(target, data, arguments.force)
    print(f"{target} ({format_bytes(len(data))})")
    return OK


def _write(target: Path, data: bytes, force: bool) -> None:
    try:
        with target.open("wb" if force else "xb") as file:
            file.write(data)
    except FileExistsError as error:
        raise BadParameter(f"{target} is there already", "Choose another with -o, or say --force.") from error
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise BadParameter(
            f"{target} cannot be written: {reason}", "Choose another place with -o."
        ) from error
