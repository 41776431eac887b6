"""How a command is added to the parser, and the options that commands share. Imports nothing heavy."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Final, TypeAlias

FORMATS: Final = ("text", "json", "markdown")
UNITS: Final = "G and GiB are powers of 1024; GB is refused as ambiguous"
# A line per command: the list of commands is shown without importing any of them.
COMMANDS: Final = {
    "list": "list runs, hosts and programs",
    "summary": "the headline numbers of every module and memory space",
    "peak": "the buffers alive at the peak, in groups",
    "findings": "what stands out in a module, with the bytes involved and what to try",
    "diff": "compare two modules: numbers, and buffers that were added, removed, grew, shrank or moved",
    "check": "fail if a module requires more memory than allowed (for CI)",
    "explain-oom": "explain an out-of-memory error from its text",
    "export": "export a module to a file: CSV, JSON, SVG, or HTML with the whole page",
    "demo": "show the captures that ship with the package, in TensorBoard",
    "serve": "show a logdir in a browser, without TensorBoard",
    "doctor": "check the installation, and explain why a logdir shows nothing",
}

_PATH = (
    "a logdir, a run's folder, an XLA dump folder or one file (*.xplane.pb, *.hlo_proto.pb,"
    " *after_optimizations.hlo.pb), local or a URL such as gs://bucket/logs; #run=…&module=… at its"
    " end chooses, as in the page's address"
)

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_command(commands: Commands, name: str, more: str, examples: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of a command, without options; `more` follows its line in COMMANDS."""
    help_text = COMMANDS[name]
    shown = "\n".join(f"  memviewer {name} {example}".rstrip() for example in examples)
    parser = commands.add_parser(
        name,
        help=help_text,
        description=f"{help_text[0].upper()}{help_text[1:]}. {more}".rstrip(),
        epilog=f"examples:\n{shown}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(command=name)
    return parser


def add_path(parser: argparse.ArgumentParser, name: str = "path", more: str = "") -> None:
    """What to read; `more` follows its help."""
    parser.add_argument(name, metavar=name.upper(), help=_PATH + more)


def add_format(parser: argparse.ArgumentParser) -> None:
    """The format of the answer."""
    parser.add_argument("--format", choices=FORMATS, default="text", help="output format (default: text)")


def add_run_and_host(parser: argparse.ArgumentParser) -> None:
    """Which run and host."""
    parser.add_argument("--run", help="only this run")
    parser.add_argument("--host", help="only this host")


def add_module(parser: argparse.ArgumentParser) -> None:
    """Which run, host, module and memory space."""
    add_run_and_host(parser)
    parser.add_argument("--module", help="a module by name or key, such as jit_step or 'jit_step(123)'")
    parser.add_argument("--space", help="memory space (default: HBM, or the one that the module uses)")


def add_capacity(parser: argparse.ArgumentParser) -> None:
    """The capacity of memory spaces."""
    parser.add_argument(
        "--capacity",
        action="append",
        default=[],
        metavar="[SPACE=]SIZE",
        help="size of the device's memory, instead of that in the capture: 16GiB (of HBM) or VMEM=64MiB;"
        f" once for each memory space. {UNITS}",
    )


def add_address(parser: argparse.ArgumentParser, port: int | None) -> None:
    """Where a server listens; `port` is the default, None for the first free one from 6006 on."""
    default = "the first free one from 6006 on" if port is None else str(port)
    parser.add_argument("--port", type=_port, default=port, help=f"0 chooses a free one (default: {default})")
    parser.add_argument("--bind", default="127.0.0.1", metavar="ADDRESS", help="(default: 127.0.0.1)")


def count(text: str) -> int:
    """The number of an option that counts. Raises ArgumentTypeError, ValueError."""
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError("negative number")
    return value


def _port(text: str) -> int:
    value = int(text)
    if not 0 <= value < 65536:
        raise argparse.ArgumentTypeError("ports go from 0 to 65535")
    return value
