"""Assembles the parser. Each command brings its own options and examples; see `commands`.

A command is imported when it is named: importing all of them takes longer than a quick command.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Sequence
from types import ModuleType

from tensorboard_plugin_memviewer import __version__
from tensorboard_plugin_memviewer.cli.options import COMMANDS


def build_parser(arguments: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The parser for `arguments`; it sets `command`, the name of the command that they give.

    Only that command has its options. Without one, the parser can list the commands, and nothing else.
    """
    parser = argparse.ArgumentParser(
        prog="memviewer",
        description="Shows how XLA programs (JAX, PyTorch/XLA, TensorFlow) use device memory.",
        epilog="exit codes: 0 success, 1 check failed or nothing to show, 2 wrong usage or nothing to read",
    )
    parser.add_argument("--version", action="version", version=f"memviewer {__version__}")
    # With prog given, argparse formats no usage here and loads nothing for it.
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, prog="memviewer")
    # The parser itself has no option with a value: the first word that is none names the command.
    first = next((word for word in arguments if not word.startswith("-")), None)
    if first in COMMANDS:
        command(first).add(commands)
        return parser
    for name, help_text in COMMANDS.items():
        commands.add_parser(name, help=help_text)
    return parser


def command(name: str) -> ModuleType:
    """The module of a command: `add` adds it to a parser, `run` runs it, EXAMPLES are its arguments."""
    package = __name__.rpartition(".")[0]
    return importlib.import_module(f"{package}.commands.{name.replace('-', '_')}")
