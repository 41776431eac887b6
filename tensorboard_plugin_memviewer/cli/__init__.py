"""The command line: one command's answer in text, JSON or Markdown, with an honest exit code.

0 all is well, 1 a check failed or nothing shows, 2 the question makes no sense or there is nothing to read.
Commands are imported when they are asked for, so that a quick one starts quickly.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

from tensorboard_plugin_memviewer.cli.exit_codes import INTERRUPTED, OK, UNUSABLE
from tensorboard_plugin_memviewer.cli.output import in_two_lines
from tensorboard_plugin_memviewer.cli.parser import build_parser
from tensorboard_plugin_memviewer.errors import MemviewerError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. Errors that a user can mend are one line on stderr."""
    for stream in (sys.stdout, sys.stderr):
        # Names in a capture are in any script; a terminal that cannot show one shows its escape.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    given = sys.argv[1:] if arguments is None else arguments
    parsed = build_parser(given).parse_args(given)
    command = importlib.import_module(f"{__name__}.{parsed.runs}")
    try:
        code = command.run(parsed)
        sys.stdout.flush()
    except MemviewerError as error:
        print(in_two_lines("memviewer:", error.as_problem()), file=sys.stderr)
        return UNUSABLE
    except BrokenPipeError:
        # The reader (head, less) has seen enough. Python must not flush into the closed pipe when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except KeyboardInterrupt:
        return INTERRUPTED
    return int(code)
