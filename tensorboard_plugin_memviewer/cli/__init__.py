"""The command line: runs one command, which prints text, JSON or Markdown, and returns its exit code.

0: success; 1: a check failed or nothing can be shown; 2: wrong usage, or there is nothing to read.
Commands are imported on use, so that a quick one starts quickly.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import suppress

from tensorboard_plugin_memviewer.cli.exit_codes import INTERRUPTED, OK, UNUSABLE
from tensorboard_plugin_memviewer.cli.output import in_two_lines
from tensorboard_plugin_memviewer.cli.parser import build_parser, command
from tensorboard_plugin_memviewer.cli.streams import guarded_streams, until_closed
from tensorboard_plugin_memviewer.errors import MemviewerError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. An error that a user can mend is two lines on stderr."""
    with guarded_streams():
        return _run(sys.argv[1:] if arguments is None else arguments)


def _run(given: Sequence[str]) -> int:
    try:
        parsed = _parse(given)
        code = int(command(parsed.command).run(parsed))
        with until_closed():
            sys.stdout.flush()
    except MemviewerError as error:
        with suppress(MemviewerError, BrokenPipeError):
            print(in_two_lines("memviewer:", error.as_problem()), file=sys.stderr, flush=True)
        return UNUSABLE
    except BrokenPipeError:
        return OK
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _parse(given: Sequence[str]) -> Namespace:
    try:
        return build_parser(given).parse_args(given)
    except SystemExit:
        # Help may still be on its way.
        with until_closed():
            sys.stdout.flush()
        raise
