"""The framework's information about an instruction."""

from __future__ import annotations

from typing import NamedTuple


class OpMetadata(NamedTuple):
    """The framework's information about an instruction. Empty strings and None if there is none.

    `frame` is a row of `Module.frames`. A tuple, because a module has hundreds of thousands: made in a third
    of the time.
    """

    op_name: str
    source_file: str
    source_line: int | None
    frame: int | None


NO_METADATA = OpMetadata("", "", None, None)
