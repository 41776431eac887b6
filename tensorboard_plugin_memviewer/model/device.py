"""The facts in a capture about a device that ran the program, from which its capacity is derived.

Knows no table of chips and no file.
"""

from __future__ import annotations

from typing import NamedTuple


class DeviceFacts(NamedTuple):
    """One device plane of a capture, or what the user or a file name specifies.

    `name` is the plane's, such as `/device:TPU:0`. `type_text` is the device's own name for its kind ("TPU v6
    Lite"); TPU planes have it. `memory_bytes` is the size of the device's memory; GPU planes have it.
    `megacore` says whether two TPU cores act as one device. None where it does not say or was not asked.
    """

    name: str
    type_text: str | None = None
    memory_bytes: int | None = None
    megacore: bool | None = None
