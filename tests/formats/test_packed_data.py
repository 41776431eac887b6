"""What is unpacked comes back whole; what is cut, altered or a bomb is damaged."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable

import pytest

from tensorboard_plugin_memviewer.errors import Damaged
from tensorboard_plugin_memviewer.formats.packed_data import is_packed, unpacked, unpacked_head

CONTENT = bytes(range(256)) * 800
LIMIT = len(CONTENT)

pytestmark = pytest.mark.parametrize("pack", [gzip.compress, lzma.compress], ids=["gzip", "xz"])
Pack = Callable[[bytes], bytes]


def test_content_comes_back(pack: Pack) -> None:
    assert is_packed(pack(CONTENT))
    assert unpacked(pack(CONTENT), LIMIT) == CONTENT
    assert unpacked(pack(b""), LIMIT) == b""


def test_all_streams_of_a_file_count(pack: Pack) -> None:
    parts = (CONTENT[:1000], b"", CONTENT[1000:90_000], CONTENT[90_000:])
    assert unpacked(b"".join(map(pack, parts)), LIMIT) == CONTENT
    assert unpacked(pack(CONTENT[:9]) + bytes(8) + pack(CONTENT[9:]) + bytes(512), LIMIT) == CONTENT


def test_a_limit_is_for_all_streams_together(pack: Pack) -> None:
    with pytest.raises(Damaged, match="expands to more than"):
        unpacked(pack(CONTENT[:-9]) + pack(CONTENT[:10]), LIMIT)


def test_what_is_not_packed_stays_as_it_is(pack: Pack) -> None:
    del pack
    assert unpacked(b"plain", 3) == b"plain"
    assert not is_packed(b"plain")
    assert unpacked_head(b"plain", 3) == b"pla"


def test_a_head_is_what_a_cut_file_still_gives(pack: Pack) -> None:
    packed = pack(CONTENT)
    assert unpacked_head(packed, 100) == CONTENT[:100]
    assert CONTENT.startswith(unpacked_head(packed[:-20], LIMIT))
    assert unpacked_head(packed[:7] + b"\xff" * 90, 100) == b""


@pytest.mark.parametrize(
    ("alter", "says"),
    [
        (lambda packed: packed[:-9], "is cut short"),
        (lambda packed: packed + packed[:-9], "is cut short"),
        (lambda packed: packed + b"something else behind it", "is damaged"),
        (lambda packed: packed[:-8] + bytes(8), "is damaged|is cut short"),
        (lambda packed: packed[:40] + bytes(20) + packed[60:], "is damaged"),
    ],
)
def test_what_is_not_whole_is_damaged(pack: Pack, alter: Callable[[bytes], bytes], says: str) -> None:
    with pytest.raises(Damaged, match=says) as raised:
        unpacked(alter(pack(CONTENT)), 2 * LIMIT)
    assert raised.value.advice


def test_a_bomb_is_damaged(pack: Pack) -> None:
    with pytest.raises(Damaged, match=r"expands to more than 10\.00 KiB"):
        unpacked(pack(bytes(1 << 24)), 10 << 10)
