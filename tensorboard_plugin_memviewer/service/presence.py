"""Whether a logdir holds anything to show. Knows no format: TensorBoard asks while it starts."""

from __future__ import annotations

from tensorboard_plugin_memviewer.errors import MemviewerError
from tensorboard_plugin_memviewer.sessions.filesystem import Reader
from tensorboard_plugin_memviewer.sessions.logdir import Logdir


def has_runs(logdir: str) -> bool:
    """Whether there are runs now; a logdir that cannot be read has none; the page explains why."""
    try:
        return Logdir(logdir, _role_by_content).holds_runs()
    except MemviewerError:
        return False


def _role_by_content(reader: Reader) -> str | None:
    # Folders are judged by names alone, so most starts of TensorBoard import no format.
    from tensorboard_plugin_memviewer.service.content_role import role_by_content  # noqa: PLC0415

    return role_by_content(reader)
