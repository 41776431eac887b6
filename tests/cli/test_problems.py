"""Problems beside an answer name their file once, in text and in Markdown."""

from __future__ import annotations

import pytest

from tensorboard_plugin_memviewer.cli.output import print_tables
from tensorboard_plugin_memviewer.errors import Problem


@pytest.mark.parametrize("kind", ["text", "markdown"])
@pytest.mark.parametrize("message", ["it is empty", "logs/h.xplane.pb is empty"])
def test_a_path_is_said_once(kind: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    print_tables(kind, [], [Problem("empty", message, "Wait for its end.", "logs/h.xplane.pb")])
    answer = capsys.readouterr()
    assert (answer.out + answer.err).count("logs/h.xplane.pb") == 1
