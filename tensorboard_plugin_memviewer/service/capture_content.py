"""The bytes of a capture by range, however they are kept: plain, compressed, as records, or both of these."""

from __future__ import annotations

from tensorboard_plugin_memviewer.formats.file_kind import HEAD_BYTES, RIEGELI_BEGIN, kind_of
from tensorboard_plugin_memviewer.formats.packed_data import is_packed, unpacked
from tensorboard_plugin_memviewer.formats.range_hop import RangeReader
from tensorboard_plugin_memviewer.sessions.cache import Cache
from tensorboard_plugin_memviewer.sessions.filesystem import File
from tensorboard_plugin_memviewer.sessions.packing import plain_name

# A compressed file can only be read from its begin, so all of it is unpacked, and kept where it is not large.
_MOST_UNPACKED = 1 << 30
_KEPT_UNPACKED = 256 << 20


class CaptureContents:
    """Makes range readers of opened captures. Safe to use from several threads."""

    def __init__(self) -> None:
        self._unpacked = Cache(_KEPT_UNPACKED)

    def of(self, file: File, reader: RangeReader) -> RangeReader:
        """The content of an opened file. Raises Damaged, Unsupported."""
        content: RangeReader = reader
        if is_packed(reader.read(0, min(6, reader.size))):
            content = _InMemory(
                self._unpacked.get(
                    file.key, lambda: unpacked(reader.read(0, reader.size), _MOST_UNPACKED), len
                )
            )
        if _are_records(content, file.name):
            # Rare, and half as long to load as a capture is to scan.
            from tensorboard_plugin_memviewer.formats.riegeli import Records  # noqa: PLC0415

            return Records(content, file.path)
        return content


def _are_records(content: RangeReader, name: str) -> bool:
    """By the bytes; what only its name calls records is read as such too, to say what is wrong with it."""
    begin = content.read(0, min(len(RIEGELI_BEGIN), content.size))
    if begin == RIEGELI_BEGIN or not plain_name(name).endswith(".riegeli"):
        return begin == RIEGELI_BEGIN
    return kind_of(content.read(0, min(HEAD_BYTES, content.size))) != "capture"


class _InMemory:
    """Bytes as a range reader."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    @property
    def size(self) -> int:
        """Bytes in all."""
        return len(self._data)

    def read(self, start: int, end: int) -> bytes:
        """The bytes `start:end`."""
        return self._data[start:end]
