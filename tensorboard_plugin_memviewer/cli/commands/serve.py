"""`memviewer serve`: the page of a logdir from a small server, without TensorBoard."""

from __future__ import annotations

from argparse import Namespace
from typing import Final
from urllib.parse import urlencode

from tensorboard_plugin_memviewer.cli.exit_codes import OK
from tensorboard_plugin_memviewer.cli.location import CHOICES, Location, parse_location
from tensorboard_plugin_memviewer.cli.options import (
    Commands,
    add_address,
    add_capacity,
    add_command,
    add_path,
)
from tensorboard_plugin_memviewer.cli.output import print_problems
from tensorboard_plugin_memviewer.export.routes import make_export_apps
from tensorboard_plugin_memviewer.model.capacities import parse_sizes
from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.visible import visible
from tensorboard_plugin_memviewer.web.server import PAGE, listen

EXAMPLES: Final = ("logs", "dump_folder --port 8080 --capacity 16GiB")


def add(commands: Commands) -> None:
    """Add the command with its options."""
    parser = add_command(commands, "serve", "The same page, from a small server.", EXAMPLES)
    add_path(parser)
    add_capacity(parser)
    add_address(parser, 6007)


def run(arguments: Namespace) -> int:
    """Serve until interrupted, which is the way to end it: OK. Raises NotFound, BadParameter."""
    location = parse_location(arguments.path, **dict.fromkeys(CHOICES))
    service = Service(location.path, parse_sizes(arguments.capacity))
    print_problems(service.runs().problems)
    server = listen(service, arguments.bind, arguments.port, make_export_apps(service))
    address = f"[{arguments.bind}]" if ":" in arguments.bind else arguments.bind
    print(
        f"Memory Viewer of {visible(service.shown)}: http://{address}:{server.port}{PAGE}{_choice(location)}",
        flush=True,
    )
    print("Press Ctrl-C to stop.", flush=True)
    # Returns on Ctrl-C, and closes.
    server.serve_forever()
    return OK


def _choice(location: Location) -> str:
    chosen = {name: value for name in CHOICES if (value := getattr(location, name)) is not None}
    return f"#{urlencode(chosen)}" if chosen else ""
