"""`memviewer export`: one module's memory as a file."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Final

from tensorboard_plugin_memviewer.cli.exit_codes import OK
from tensorboard_plugin_memviewer.cli.file_output import write_whole
from tensorboard_plugin_memviewer.cli.location import location_of
from tensorboard_plugin_memviewer.cli.options import Commands, add_capacity, add_command, add_module, add_path
from tensorboard_plugin_memviewer.cli.selection import choose
from tensorboard_plugin_memviewer.cli.streams import write_bytes
from tensorboard_plugin_memviewer.errors import BadParameter
from tensorboard_plugin_memviewer.export.files import CONTENT_TYPES, content, file_name
from tensorboard_plugin_memviewer.model.capacities import parse_sizes
from tensorboard_plugin_memviewer.units import format_bytes

EXAMPLES: Final = (
    "logs -o report.html",
    "logs -o buffers.csv",
    "logs --module jit_step --space VMEM --format csv -o - | head",
)

_ENDINGS: Final = {**{f".{kind}": kind for kind in CONTENT_TYPES}, ".htm": "html"}


def add(commands: Commands) -> None:
    """Add the command with its options."""
    parser = add_command(commands, "export", "", EXAMPLES)
    add_path(parser)
    add_module(parser)
    add_capacity(parser)
    parser.add_argument(
        "--format", choices=tuple(CONTENT_TYPES), help="format (default: by extension, else html)"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="file to write; - is stdout")
    parser.add_argument("--force", action="store_true", help="overwrite an existing file")


def run(arguments: Namespace) -> int:
    """Write the file and print where it is, unless it is stdout. Raises NotFound, BadParameter."""
    kind = _kind(arguments.format, arguments.output)
    location = location_of(arguments)
    chosen = choose(location, parse_sizes(arguments.capacity))
    found = chosen.program, chosen.loaded, chosen.usage
    data = content(chosen.service, chosen.run, found, kind)
    if arguments.output == "-":
        write_bytes(data)
        return OK
    target = Path(file_name(chosen.program, kind) if arguments.output is None else arguments.output)
    write_whole(target, data, force=arguments.force)
    print(f"{target} ({format_bytes(len(data))})")
    return OK


def _kind(format_: str | None, output: str | None) -> str:
    """The kind of file: of the option or of the file's ending, which must not contradict each other."""
    ending = "" if output in (None, "-") else Path(output).suffix.lower()
    promised = _ENDINGS.get(ending)
    if format_ is None:
        if ending and promised is None:
            raise BadParameter(
                f"{output} has an unsupported extension",
                f"Use one of {', '.join(_ENDINGS)}, or set --format.",
            )
        return promised or "html"
    if promised not in (None, format_):
        raise BadParameter(
            f"--format {format_} contradicts the extension of {output}",
            "Leave --format out, or use another extension.",
        )
    return format_
