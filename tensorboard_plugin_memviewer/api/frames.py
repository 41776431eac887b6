"""Columns → a pandas DataFrame, where pandas is installed. The project does not depend on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tensorboard_plugin_memviewer.errors import Unsupported

if TYPE_CHECKING:
    from pandas import DataFrame


def frame_of(columns: Mapping[str, Any], index: str | None = None) -> DataFrame:
    """A DataFrame of columns of equal length, `index` the name of its row numbers. Raises Unsupported."""
    try:
        import pandas  # noqa: PLC0415 - optional
    except ImportError as error:
        raise Unsupported("pandas is not installed", "Install it: pip install pandas.") from error
    frame = pandas.DataFrame(dict(columns))
    frame.index.name = index
    return frame
