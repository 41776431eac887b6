"""Builds XSpace captures for tests, plane by plane, and readers of bytes that count what is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tools.wire_writer import message

STATS = {
    1: "Hlo Proto",
    2: "program_id",
    3: "jax_version",
    4: "device_type_string",
    5: "memory_size",
    6: "TPU v9",
}


class Bytes:
    """A range reader of bytes; `read_bytes` counts those that were asked for."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.size = len(data)
        self.read_bytes = 0
        self.reads = 0

    def read(self, start: int, end: int) -> bytes:
        assert 0 <= start <= end <= self.size
        self.reads += 1
        self.read_bytes += end - start
        return self.data[start:end]


def hlo(name: str, size: int = 40) -> bytes:
    """The beginning of an HloProto, filled up."""
    return message((1, message((1, name), (2, "main"), (3, b"\x00" * size))))


def program(key: int, name: str, proto: bytes, program_id: int | None = None, stat: int = 1) -> bytes:
    """A metadata plane's field for one program."""
    stats = [(5, message((1, stat), (6, proto)))]
    if program_id is not None:
        stats.append((5, message((1, 2), (3, program_id))))
    return message((4, message((1, key), (2, message((1, key), (2, name), *stats)))))


def stat_names(names: Mapping[int, str] = STATS) -> bytes:
    """The fields of a plane that name its stats."""
    return b"".join(
        message((5, message((1, key), (2, message((1, key), (2, name)))))) for key, name in names.items()
    )


def metadata_plane(*programs: bytes, names: Mapping[int, str] = STATS, stats: bytes = b"") -> bytes:
    """A plane of an XSpace with the programs of a capture."""
    return message((1, message((2, "/host:metadata")) + b"".join(programs) + stat_names(names) + stats))


def device_plane(name: str, lines: Sequence[bytes], stats: bytes) -> bytes:
    """A plane of an XSpace with trace lines, and facts behind them."""
    return message((1, message((1, 7), (2, name), *((3, line) for line in lines)) + stat_names() + stats))
