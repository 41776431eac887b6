"""Riegeli files: records come back in a row, by range, plain and compressed, whole and broken."""

from __future__ import annotations

import contextlib
import lzma
import random
import sys
import tracemalloc
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensorboard_plugin_memviewer.errors import Damaged, Unsupported
from tensorboard_plugin_memviewer.formats import xspace
from tensorboard_plugin_memviewer.formats.highway_hash import riegeli_hash
from tensorboard_plugin_memviewer.formats.riegeli import Records
from tests.conftest import DATA
from tests.formats.capture_bytes import Bytes, device_plane, hlo, metadata_plane, program
from tests.formats.riegeli_bytes import BLOCK, BLOCK_HEADER, SIGNATURE, chunk, file_of, simple

brotli: Any = pytest.importorskip("brotli")

NOISE = random.Random(5).randbytes(200_000)
# Two and more blocks in a chunk, several records in a chunk, a chunk of nothing but padding.
RECORDS = [NOISE[:150_000], b"", NOISE[1000:70_000], b"last" * 9000]
THREE_CHUNKS = file_of(simple([b"first" * 20]), simple([b"second" * 20], brotli), simple([NOISE[:70_000]]))


def records_of(data: bytes) -> Records:
    return Records(Bytes(data), "h.xplane.riegeli")


@pytest.mark.parametrize("packer", [None, brotli], ids=["plain", "brotli"])
def test_records_come_back_in_a_row(packer: Any) -> None:
    data = file_of(
        chunk("m", b"metadata"),
        simple(RECORDS[:1], packer),
        chunk("p", bytes(70_000)),
        simple(RECORDS[1:], packer),
    )
    records, whole = records_of(data), b"".join(RECORDS)
    assert (records.size, records.problems) == (len(whole), ())
    assert records.read(0, records.size) == whole
    for start, end in [(0, 5), (149_990, 150_020), (100, 101), (219_000, 255_000), (7, 7), (0, 200_000)]:
        assert records.read(start, end) == whole[start:end]


@pytest.mark.parametrize("packing", ["plain", "brotli"])
def test_records_that_another_program_wrote(packing: str) -> None:
    """Ten records, three in a chunk, over several blocks."""
    written = lzma.decompress((DATA / "riegeli" / f"array_record_{packing}.riegeli.xz").read_bytes())
    records, wanted = records_of(written), b"".join(bytes([number]) * (2000 * number) for number in range(10))
    assert records.problems == ()
    # Behind them array_record keeps an index, a record of its own.
    assert 0 < records.size - len(wanted) < 300
    assert records.read(0, len(wanted)) == wanted
    assert records.read(89_990, 90_000) == bytes([9]) * 10
    assert records.read(71_999, 72_001) == bytes([8, 9])


@pytest.mark.parametrize("packing", ["plain", "brotli"])
def test_the_writer_of_the_tests_lays_out_chunks_as_another_program_does(packing: str) -> None:
    """Its chunks, laid out anew, are the same file to the byte: headers of blocks, their hashes and all."""
    written = lzma.decompress((DATA / "riegeli" / f"array_record_{packing}.riegeli.xz").read_bytes())
    assert len(written) > 65536
    assert file_of(*chunks_in(written)) == written


def chunks_in(written: bytes) -> list[tuple[bytes, int]]:
    """The chunks of a file behind its signature, without headers of blocks, and their numbers of records."""
    chunks, at = [], len(SIGNATURE)
    while at < len(written):
        # A chunk follows the one before at once, or a block's header that it would begin in.
        header = bytes_behind(written, at, 40)
        data_size, records = int.from_bytes(header[8:16], "little"), int.from_bytes(header[25:32], "little")
        chunks.append((bytes_behind(written, at, 40 + data_size), records))
        at = len(file_of(*chunks))
    return chunks


def bytes_behind(written: bytes, begin: int, count: int) -> bytes:
    """So many bytes from a position on, those of blocks' headers left out."""
    pieces, at = [], begin
    while count > 0:
        at += BLOCK_HEADER if at % BLOCK == 0 else 0
        pieces.append(written[at : min(at + count, (at // BLOCK + 1) * BLOCK)])
        count -= len(pieces[-1])
        at += len(pieces[-1])
    return b"".join(pieces)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 70_000), max_size=3), max_size=4), st.booleans(), st.integers(0, 65_600)
)
def test_chunks_of_any_size_at_any_place(sizes: list[list[int]], is_packed: bool, padding: int) -> None:
    chunks = [[NOISE[size : 2 * size] for size in chunk_sizes] for chunk_sizes in sizes]
    packer = brotli if is_packed else None
    data = file_of(chunk("p", bytes(padding)), *(simple(records, packer) for records in chunks))
    records, whole = records_of(data), b"".join(record for part in chunks for record in part)
    assert records.problems == ()
    assert records.read(0, records.size) == whole


def test_many_empty_records_take_room() -> None:
    records = records_of(file_of(simple([b""] * 70_000), simple([b"behind"])))
    assert records.read(0, records.size) == b"behind"


def test_a_capture_in_records_is_the_same_capture() -> None:
    parts = [
        metadata_plane(program(1, "jit_f(1)", hlo("jit_f", 100_000)), program(2, "jit_g(2)", hlo("jit_g"))),
        device_plane("/device:TPU:0", [NOISE] * 2, b""),
        metadata_plane(program(3, "jit_h(3)", hlo("jit_h"))),
    ]
    records = records_of(file_of(simple(parts[:2], brotli), simple(parts[2:], brotli)))
    capture = xspace.scan(records)
    assert capture == xspace.scan(Bytes(b"".join(parts)))
    assert [found.module_name for found in capture.programs] == ["jit_f", "jit_g", "jit_h"]
    first = capture.programs[0]
    assert records.read(first.start, first.end) == hlo("jit_f", 100_000)


def test_finding_the_chunks_reads_their_headers_only() -> None:
    reader = Bytes(file_of(*(simple([NOISE]) for _ in range(5))))
    Records(reader)
    assert reader.read_bytes < 1000


def test_unpacking_keeps_a_window_only() -> None:
    letters = random.Random(6).randbytes(16 << 20).translate(b"ab" * 128)
    records = records_of(file_of(simple([letters], brotli)))
    tracemalloc.start()
    assert records.read(15 << 20, (15 << 20) + 10) == letters[15 << 20 : (15 << 20) + 10]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5 << 20


def test_a_bomb_is_refused() -> None:
    records = records_of(file_of(simple([bytes(1 << 26)], brotli)))
    with pytest.raises(Damaged, match="claim to unpack"):
        records.read(0, 1)


@settings(max_examples=60)
@given(st.data())
def test_a_file_cut_anywhere_gives_its_whole_chunks(data: st.DataObject) -> None:
    cut = data.draw(st.integers(64, len(THREE_CHUNKS) - 1))
    records = records_of(THREE_CHUNKS[:cut])
    text = b"first" * 20 + b"second" * 20
    assert records.read(0, records.size) == text[: records.size]
    assert records.size in (0, 100, 220)
    assert [problem.code for problem in records.problems] in ([], ["damaged"])


@settings(max_examples=200)
@given(st.data())
def test_a_file_with_bytes_changed_is_read_or_damaged(data: st.DataObject) -> None:
    changed = bytearray(THREE_CHUNKS[:400])
    for _ in range(data.draw(st.integers(1, 4))):
        changed[data.draw(st.integers(64, len(changed) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(Damaged, Unsupported):
        records = records_of(bytes(changed))
        records.read(0, min(records.size, 1000))


@pytest.mark.parametrize("data", [b"", b"short", bytes(200)])
def test_another_file_is_damaged(data: bytes) -> None:
    with pytest.raises(Damaged, match="not a Riegeli file") as caught:
        records_of(data)
    assert caught.value.path == "h.xplane.riegeli"


def test_what_is_not_read_says_so() -> None:
    transposed = records_of(file_of(chunk("t", b"x", 1, 5)))
    with pytest.raises(Unsupported, match="transposed"):
        transposed.read(0, 5)
    zstd = records_of(file_of(chunk("r", b"z\x00\x05", 1, 5)))
    with pytest.raises(Unsupported, match="'z'"):
        zstd.read(0, 5)


def test_without_brotli_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    records = records_of(file_of(simple([b"packed"], brotli)))
    monkeypatch.setitem(sys.modules, "brotli", None)
    with pytest.raises(Unsupported) as caught:
        records.read(0, 6)
    assert "pip install" in caught.value.advice
    assert caught.value.path == "h.xplane.riegeli"


def test_a_stream_that_is_short_or_broken_is_damaged() -> None:
    short = records_of(file_of(simple([b"packed"], brotli, size=50)))
    with pytest.raises(Damaged, match="less than its stated size"):
        short.read(0, 50)
    broken = records_of(file_of(chunk("r", b"b\x00\x06" + b"\xff" * 30, 1, 6)))
    for _ in range(2):
        with pytest.raises(Damaged, match="does not unpack"):
            broken.read(0, 6)


def altered_data(records: Records, original: bytes) -> bool:
    """Whether reading gives anything but the original: padding may be altered."""
    try:
        return records.read(0, 1000) != original
    except Damaged:
        return True


def test_every_altered_byte_is_noticed() -> None:
    whole = file_of(simple([b"first" * 20]), simple([b"second" * 20], brotli))
    original = records_of(whole).read(0, 1000)
    for at in range(64, len(whole)):
        altered = bytearray(whole)
        altered[at] ^= 1 << at % 8
        records = records_of(bytes(altered))
        if not records.problems and altered_data(records, original):
            with pytest.raises(Damaged, match="hash does not match") as caught:
                records.read(0, 1000)
            assert caught.value.path == "h.xplane.riegeli"


def test_records_without_hashes_are_read_with_a_problem() -> None:
    records = records_of(file_of(simple([b"first"], is_hashed=False)))
    assert records.read(0, 5) == b"first"
    assert [(problem.code, problem.path) for problem in records.problems] == [
        ("no_hashes", "h.xplane.riegeli")
    ]


def test_hashing_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[int] = []

    def counted(data: bytes) -> int:
        hashed.append(len(data))
        return riegeli_hash(data)

    data = file_of(*(simple([NOISE[:2000]]) for _ in range(8)), simple([NOISE[:9000]]))
    monkeypatch.setattr("tensorboard_plugin_memviewer.formats.riegeli.riegeli_hash", counted)
    monkeypatch.setattr("tensorboard_plugin_memviewer.formats.riegeli._MOST_HASHED", 8500)
    records = records_of(data)
    assert records.read(0, records.size) == NOISE[:2000] * 8 + NOISE[:9000]
    records.read(0, 9)
    assert [size for size in hashed if size > 1000] == [2004] * 4
