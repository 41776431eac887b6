"""Whether a logdir holds anything to show. Knows no format: TensorBoard asks while it starts."""

from __future__ import annotations

from tensorboard_plugin_memviewer.errors import MemviewerError
from tensorboard_plugin_memviewer.service.told import told_by_bytes
from tensorboard_plugin_memviewer.sessions.logdir import Logdir


def has_runs(logdir: str) -> bool:
    """Whether there are runs now; a logdir that cannot be read has none: the page, when opened, says why."""
    try:
        return Logdir(logdir, told_by_bytes).holds_runs()
    except MemviewerError:
        return False
