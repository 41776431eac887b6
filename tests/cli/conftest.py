"""The command line, run in this process: quick, and the same code as the command."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from tensorboard_plugin_memviewer.cli import main


@dataclass(frozen=True)
class Answer:
    """What a command left: exit code and both streams."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The answer as JSON."""
        return json.loads(self.out)


@pytest.fixture
def memviewer(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Run `memviewer ARGUMENTS` and return what it left."""

    def run(*arguments: object) -> Answer:
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as end:
            code = int(str(end.code))
        captured = capsys.readouterr()
        return Answer(code, captured.out, captured.err)

    return run
