"""Every command with its options and examples. Imports nothing heavy: the commands themselves come later."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Final, TypeAlias

from tensorboard_plugin_memviewer import __version__
from tensorboard_plugin_memviewer.vocabulary.groupings import DEFAULT_GROUPING, GROUPINGS

FORMATS: Final = ("text", "json", "markdown")
EXPORT_FORMATS: Final = ("csv", "json", "html", "svg")

_UNITS: Final = "G and GiB are powers of 1024; GB is refused, because it can mean either"
_PATH = (
    "a logdir, a run's folder, an XLA dump folder or one file (*.xplane.pb, *.hlo_proto.pb,"
    " *after_optimizations.hlo.pb), local or a URL such as gs://bucket/logs; #run=…&module=… at its"
    " end chooses, as in the page's address"
)


def build_parser(arguments: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The parser; what it parses has `runs`, the module of this package that runs the command.

    Where `arguments` name a command first, it knows that one alone: making them all takes as long as a quick
    command.
    """
    parser = argparse.ArgumentParser(
        prog="memviewer",
        description="What every buffer of an XLA program (JAX, PyTorch/XLA, TensorFlow) costs.",
        epilog="exit codes: 0 all well, 1 a check failed or nothing shows, 2 wrong usage or nothing to read",
    )
    parser.add_argument("--version", action="version", version=f"memviewer {__version__}")
    # With prog given, argparse formats no usage here and loads nothing for it.
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, prog="memviewer")
    named = _COMMANDS.get(arguments[0]) if arguments else None
    for add in (named,) if named else _COMMANDS.values():
        add(commands)
    return parser


Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def _command(
    commands: Commands, name: str, help_text: str, more: str, examples: Sequence[str]
) -> argparse.ArgumentParser:
    shown = "\n".join(f"  memviewer {name} {example}".rstrip() for example in examples)
    parser = commands.add_parser(
        name,
        help=help_text,
        description=f"{help_text[0].upper()}{help_text[1:]}. {more}".rstrip(),
        epilog=f"examples:\n{shown}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(runs=name.replace("-", "_"), command=name)
    return parser


def _path(parser: argparse.ArgumentParser, name: str = "path", more: str = "") -> None:
    parser.add_argument(name, metavar=name.upper(), help=_PATH + more)


def _format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=FORMATS, default="text", help="how to answer (default: text)")


def _run_and_host(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--run", help="only this run")
    parser.add_argument("--host", help="only this host")


def _module(parser: argparse.ArgumentParser) -> None:
    _run_and_host(parser)
    parser.add_argument("--module", help="a module by name or key, such as jit_step or 'jit_step(123)'")
    parser.add_argument("--space", help="memory space (default: HBM, else the one with the largest peak)")


def _capacity(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--capacity",
        action="append",
        default=[],
        metavar="[SPACE=]SIZE",
        help="size of the device's memory, instead of what the capture says: 16GiB (of HBM) or VMEM=64MiB;"
        f" once for each memory space. {_UNITS}",
    )


def _list(commands: Commands) -> None:
    parser = _command(
        commands,
        "list",
        "list runs, hosts and programs",
        "Decodes no program, so it is fast.",
        ["logs", "gs://bucket/logs --format json", "capture.xplane.pb"],
    )
    _path(parser)
    _run_and_host(parser)
    parser.add_argument("--module", help="only this module")
    _format(parser)


def _summary(commands: Commands) -> None:
    parser = _command(
        commands,
        "summary",
        "the headline numbers of every module and memory space",
        "Largest peak first.",
        ["logs", "logs --run train/3 --format json", "dump_folder --capacity 16GiB"],
    )
    _path(parser)
    _run_and_host(parser)
    parser.add_argument("--module", help="only this module")
    _capacity(parser)
    _format(parser)


def _peak(commands: Commands) -> None:
    parser = _command(
        commands,
        "peak",
        "what is alive at the peak, grouped",
        "",
        ["logs", "logs --module jit_step --space VMEM --by source", "logs --at 120 --top 50"],
    )
    _path(parser)
    _module(parser)
    parser.add_argument(
        "--by",
        choices=tuple(GROUPINGS),
        default=DEFAULT_GROUPING,
        help=f"group by this (default: {DEFAULT_GROUPING})",
    )
    parser.add_argument("--at", default="peak", metavar="POINT", help="a program point instead of the peak")
    parser.add_argument(
        "--top",
        type=_count,
        default=20,
        help="show so many groups and buffers (default: 20); JSON always has all",
    )
    _capacity(parser)
    _format(parser)


def _findings(commands: Commands) -> None:
    parser = _command(
        commands,
        "findings",
        "what is wasteful or dangerous in a module, with the bytes at stake and what to try",
        "",
        ["logs", "logs --module jit_step --capacity 16GiB"],
    )
    _path(parser)
    _module(parser)
    _capacity(parser)
    _format(parser)


def _diff(commands: Commands) -> None:
    parser = _command(
        commands,
        "diff",
        "compare two modules: numbers, and buffers that came, went, grew, shrank or moved",
        "A is the baseline.",
        [
            "before after",
            "logs#run=monday logs#run=tuesday --module jit_step",
            "'logs#module=jit_step(14)' 'logs#module=jit_step(12)' --format json",
        ],
    )
    _path(parser, "a", " (the baseline)")
    _path(parser, "b")
    _module(parser)
    parser.add_argument(
        "--top", type=_count, default=20, help="show so many buffers (default: 20); JSON always has all"
    )
    _format(parser)


def _check(commands: Commands) -> None:
    parser = _command(
        commands,
        "check",
        "fail when a module requires more memory than allowed: for CI",
        "Required is all that is allocated, with the largest scoped memory. Exit code 1 when over.",
        [
            "logs --max-hbm 14GiB",
            "dump --max-hbm 14GiB --max VMEM=96MiB",
            "logs --baseline main_logs --max-growth 2%",
        ],
    )
    _path(parser)
    _run_and_host(parser)
    parser.add_argument("--module", help="only this module")
    parser.add_argument("--max-hbm", metavar="SIZE", help=f"the most HBM that a module may require. {_UNITS}")
    parser.add_argument(
        "--max", action="append", default=[], metavar="SPACE=SIZE", help="the same for another memory space"
    )
    parser.add_argument("--baseline", metavar="PATH", help="modules to compare with, by name")
    parser.add_argument(
        "--max-growth",
        metavar="SHARE",
        help="how much more than in the baseline a module may require: 2%% or 64MiB (default: nothing)",
    )
    _format(parser)


def _explain_oom(commands: Commands) -> None:
    parser = _command(
        commands,
        "explain-oom",
        "explain an out-of-memory error: paste its text",
        "Its numbers are matched to modules and buffers where there is a dump or capture to match with.",
        ["error.txt", "error.txt --dump dump_folder", "- < train.log"],
    )
    parser.add_argument(
        "file", metavar="FILE", help="a file with the error's text, such as a log; - is stdin"
    )
    parser.add_argument(
        "--dump", metavar="PATH", help="where the program's XLA dump or capture is (default: FILE's folder)"
    )
    parser.add_argument("--top", type=_count, default=10, help="show so many buffers (default: 10)")
    _format(parser)


def _export(commands: Commands) -> None:
    parser = _command(
        commands,
        "export",
        "write a module's memory to a file: CSV, JSON, SVG, or HTML with the whole page in it",
        "",
        [
            "logs -o report.html",
            "logs -o buffers.csv",
            "logs --module jit_step --space VMEM --format csv -o - | head",
        ],
    )
    _path(parser)
    _module(parser)
    _capacity(parser)
    parser.add_argument(
        "--format", choices=EXPORT_FORMATS, help="of the file (default: as its ending says, else html)"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write; - is stdout")
    parser.add_argument("--force", action="store_true", help="write over a file that is there")


def _demo(commands: Commands) -> None:
    parser = _command(
        commands,
        "demo",
        "show the captures that ship with the package, in TensorBoard",
        "",
        ["", "--port 6010"],
    )
    _address(parser, None)


def _serve(commands: Commands) -> None:
    parser = _command(
        commands,
        "serve",
        "show a logdir in a browser, without TensorBoard",
        "The same page, from a small server.",
        ["logs", "dump_folder --port 8080 --capacity 16GiB"],
    )
    _path(parser)
    _capacity(parser)
    _address(parser, 6007)


def _doctor(commands: Commands) -> None:
    parser = _command(
        commands,
        "doctor",
        "find out why a logdir shows nothing, and what is installed",
        "Exit code 0 when it shows something.",
        ["logs", "logs --format json"],
    )
    parser.add_argument(
        "path", metavar="PATH", nargs="?", help="the logdir; without it only the installation"
    )
    _format(parser)


def _address(parser: argparse.ArgumentParser, port: int | None) -> None:
    default = "the first free one from 6006 on" if port is None else str(port)
    parser.add_argument("--port", type=_port, default=port, help=f"0 takes a free one (default: {default})")
    parser.add_argument("--bind", default="127.0.0.1", metavar="ADDRESS", help="(default: 127.0.0.1)")


def _count(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError("a number below zero")
    return value


def _port(text: str) -> int:
    value = int(text)
    if not 0 <= value < 65536:
        raise argparse.ArgumentTypeError("ports go from 0 to 65535")
    return value


_COMMANDS: Final = {
    "list": _list,
    "summary": _summary,
    "peak": _peak,
    "findings": _findings,
    "diff": _diff,
    "check": _check,
    "explain-oom": _explain_oom,
    "export": _export,
    "demo": _demo,
    "serve": _serve,
    "doctor": _doctor,
}
