"""When a chart shows the capacity, and when little of it is left."""

from __future__ import annotations

from typing import Final

from tensorboard_plugin_memviewer.vocabulary.share import Share

CAPACITY_IN_CHARTS: Final = Share(2, 1)
"""A chart shows the capacity up to this many times what is required, so that the curve keeps half of it."""

NEARLY_FULL: Final = Share(19, 20)
"""Above this share of the capacity what is required is near it."""
