"""The records of a Riegeli file (`<host>.xplane.riegeli`), one after the other, as if they were one file.

An XSpace whose parts are written one a record is the concatenation of its records: protobuf merges messages
that way. So `Records` is a range reader, and `xspace` needs to know nothing of this. The file is a row of
chunks, cut by a header of 24 bytes at every 64 KiB; each chunk says how much it decodes to, so that finding
them all reads a few bytes each.

Written from the format's public description (riegeli_records_file_format.md in google/riegeli). Read are
simple chunks, plain or compressed with Brotli. All headers are checked against their hashes, and up to a
bound the data that is unpacked: in Python hashing is slower than unpacking.
"""

from __future__ import annotations

import bisect
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tensorboard_plugin_memviewer.errors import Damaged, Problem, Unsupported
from tensorboard_plugin_memviewer.formats import wire
from tensorboard_plugin_memviewer.formats.highway_hash import riegeli_hash
from tensorboard_plugin_memviewer.formats.range_hop import RangeReader
from tensorboard_plugin_memviewer.formats.unpacking import BrotliValues, PlainValues, Values

_BLOCK = 1 << 16
_BLOCK_HEADER = 24
_USABLE = _BLOCK - _BLOCK_HEADER
_CHUNK_HEADER = 40
_SIGNATURE = bytes.fromhex(
    "83af70d10d884a3f0000000000000000400000000000000091bac23c9287e1a90000000000000000e19f13c0e9b1c372"
    "73000000000000000000000000000000"
)
_SIMPLE, _TRANSPOSED = ord("r"), ord("t")
# Signature, metadata, padding: they hold no records.
_WITHOUT_RECORDS = b"smp"
_PLAIN, _BROTLI = 0, ord("b")

_MOST_CHUNKS = 100_000
# A quarter of a second's work each time that a file is opened.
_MOST_HASHED = 1 << 20
_NO_HASH = 0
# Real captures shrink by less than a hundred; more is a file made to keep us unpacking.
_MOST_EXPANSION = 2000
# A window of bytes may lie across two chunks: both stay open.
_OPEN_CHUNKS = 2


_UNCHECKED = Problem(
    "no_hashes",
    "the records have no hashes, so altered bytes cannot be detected",
    "Riegeli's own writer adds them: capture again, or compare with the original.",
)


@dataclass(frozen=True, slots=True)
class _Chunk:
    """A chunk at `begin`, of `data_size` bytes without headers; its decoded bytes begin at `start`.

    `data_hash` is _NO_HASH where the file gives none.
    """

    begin: int
    data_size: int
    data_hash: int
    kind: int
    start: int
    size: int


class Records:
    """All records of one file as a range reader of `size` bytes; safe to use from several threads.

    `problems` says what stands behind the last whole chunk, and whether hashes are missing. Raises Damaged
    and Unsupported, when made and in `read`.
    """

    def __init__(self, reader: RangeReader, path: str | None = None) -> None:
        self._reader = reader
        self._path = path
        self._lock = threading.Lock()
        self._open: OrderedDict[int, Values] = OrderedDict()
        self._chunks: list[_Chunk] = []
        self._hashed: set[int] = set()
        self._left_to_hash = _MOST_HASHED
        self.problems: tuple[Problem, ...] = ()
        with self._path_named():
            self._find_chunks()
        if any(chunk.data_hash == _NO_HASH for chunk in self._chunks):
            self.problems = (*self.problems, _UNCHECKED._replace(path=path))
        self._starts = [chunk.start for chunk in self._chunks]
        self.size = self._chunks[-1].start + self._chunks[-1].size if self._chunks else 0

    def read(self, start: int, end: int) -> bytes:
        """The decoded bytes `start:end`; going back in a compressed chunk unpacks it from its start."""
        pieces = []
        with self._lock, self._path_named():
            while start < min(end, self.size):
                number = bisect.bisect_right(self._starts, start) - 1
                chunk = self._chunks[number]
                stop = min(end, chunk.start + chunk.size)
                pieces.append(self._values(number).read(start - chunk.start, stop - chunk.start))
                start = stop
        return b"".join(pieces)

    def _find_chunks(self) -> None:
        """Every chunk that holds records, up to the end or the first that is not whole."""
        if self._reader.read(0, min(len(_SIGNATURE), self._reader.size)) != _SIGNATURE:
            raise Damaged("this is not a Riegeli file", "Copy the file again, or capture it again.")
        begin, start = len(_SIGNATURE), 0
        while begin < self._reader.size:
            chunk, end = _chunk_at(self._reader, begin, start)
            if chunk is None or len(self._chunks) == _MOST_CHUNKS:
                self.problems = (_cut_short(begin, self._path),)
                return
            if chunk.kind not in _WITHOUT_RECORDS and chunk.size > 0:
                self._chunks.append(chunk)
                start += chunk.size
            begin = end

    def _values(self, number: int) -> Values:
        values = self._open.pop(number, None)
        if values is None:
            self._check_data(number)
            values = _values_of(self._reader, self._chunks[number])
        self._open[number] = values
        if len(self._open) > _OPEN_CHUNKS:
            self._open.popitem(last=False)
        return values

    def _check_data(self, number: int) -> None:
        """Raise Damaged where the data of a chunk was altered, as far as there is a hash and time for it."""
        chunk = self._chunks[number]
        if number in self._hashed or chunk.data_hash == _NO_HASH or chunk.data_size > self._left_to_hash:
            return
        data = _data(self._reader, chunk.begin, _CHUNK_HEADER, _CHUNK_HEADER + chunk.data_size)
        if riegeli_hash(data) != chunk.data_hash:
            raise Damaged(
                f"the records after byte {chunk.begin} were altered: their hash does not match",
                "Copy the file again, or capture it again.",
            )
        # What was altered is found again at the next read.
        self._hashed.add(number)
        self._left_to_hash -= chunk.data_size

    @contextmanager
    def _path_named(self) -> Iterator[None]:
        try:
            yield
        except (Damaged, Unsupported) as error:
            raise type(error)(error.message, error.advice, self._path) from error


def _chunk_at(reader: RangeReader, begin: int, start: int) -> tuple[_Chunk | None, int]:
    """The chunk at `begin` and where the next begins; None where it does not lie in the file whole."""
    header = _data(reader, begin, 0, _CHUNK_HEADER)
    if len(header) < _CHUNK_HEADER:
        return None, begin
    data_size, records = int.from_bytes(header[8:16], "little"), int.from_bytes(header[25:32], "little")
    kind, size = header[24], int.from_bytes(header[32:40], "little")
    header_hash, data_hash = (int.from_bytes(header[at : at + 8], "little") for at in (0, 16))
    if header_hash != _NO_HASH and header_hash != riegeli_hash(header[8:]):
        return None, begin
    if kind not in (_SIMPLE, _TRANSPOSED, *_WITHOUT_RECORDS):
        return None, begin
    end = max(_after(begin, _CHUNK_HEADER + data_size), _possible_boundary(begin + records))
    if _after(begin, _CHUNK_HEADER + data_size) > reader.size:
        return None, begin
    return _Chunk(begin, data_size, data_hash, kind, start, size), end


def _values_of(reader: RangeReader, chunk: _Chunk) -> Values:
    """The values of a chunk's records: behind their sizes, which the concatenation does without."""
    if chunk.kind == _TRANSPOSED:
        raise _unsupported("transposed records", "Write the profile without transposing, or as .xplane.pb.")

    def data(start: int, end: int) -> bytes:
        return _data(reader, chunk.begin, _CHUNK_HEADER + start, _CHUNK_HEADER + min(end, chunk.data_size))

    head = data(0, 1 + 10)
    if not head:
        raise Damaged("a chunk of records is empty", "Copy the file again, or capture it again.")
    sizes, at = wire.varint(head, 1, len(head))
    at += sizes
    if head[0] == _PLAIN:
        if chunk.data_size - at != chunk.size:
            raise Damaged("a chunk of records does not have its stated size", "Copy the file again.")
        return PlainValues(data, at)
    if head[0] == _BROTLI:
        if chunk.size > _MOST_EXPANSION * chunk.data_size:
            raise Damaged(f"{chunk.data_size} bytes claim to unpack to {chunk.size}", "Capture it again.")
        claimed = data(at, at + 10)
        _, prefix = wire.varint(claimed, 0, len(claimed))
        return BrotliValues(data, at + prefix, chunk.data_size)
    raise _unsupported(f"compression {chr(head[0])!r}", "Write the profile with Brotli, or as .xplane.pb.")


def _data(reader: RangeReader, begin: int, start: int, end: int) -> bytes:
    """Bytes `start:end` of the chunk at `begin`, header first, without blocks' headers, within the file."""
    first = _after(begin, start)
    last = min(_after(begin, end), reader.size)
    if last <= first:
        return b""
    raw = reader.read(first, last)
    if first // _BLOCK == (last - 1) // _BLOCK and first % _BLOCK >= _BLOCK_HEADER:
        return raw
    pieces = []
    for block in range(first // _BLOCK * _BLOCK, last, _BLOCK):
        pieces.append(raw[max(0, block + _BLOCK_HEADER - first) : max(0, block + _BLOCK - first)])
    return b"".join(pieces)


def _after(position: int, size: int) -> int:
    """The position `size` bytes of a chunk behind `position`, blocks' headers stepped over."""
    headers = (size + (position + _USABLE - 1) % _BLOCK) // _USABLE
    return position + size + headers * _BLOCK_HEADER


def _possible_boundary(position: int) -> int:
    """Where next a chunk may begin: not in a block's header nor right behind it."""
    left_in_block = -position % _BLOCK
    return position + max(0, left_in_block - (_USABLE - 1))


def _cut_short(begin: int, path: str | None) -> Problem:
    error = Damaged(
        f"the file is truncated or damaged after byte {begin}",
        "If the capture is still being written, wait for its end; otherwise copy or capture it again.",
        path,
    )
    return error.as_problem()


def _unsupported(what: str, advice: str) -> Unsupported:
    return Unsupported(f"this Riegeli file uses {what}, which is not supported", advice)
