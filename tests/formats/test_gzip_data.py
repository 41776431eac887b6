"""What is inflated comes back whole; what is cut, altered or a bomb is damaged."""

from __future__ import annotations

import gzip

import pytest

from tensorboard_plugin_memviewer.errors import Damaged
from tensorboard_plugin_memviewer.formats.gzip_data import inflated

CONTENT = bytes(range(256)) * 40
PACKED = gzip.compress(CONTENT)


def test_content_comes_back() -> None:
    assert inflated(PACKED, len(CONTENT) + 1) == CONTENT


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (PACKED[:-9], "is cut short"),
        (b"", "is cut short"),
        (b"plain", "is no gzip file"),
        (PACKED[:-8] + bytes(8), "is no gzip file"),
        (gzip.compress(bytes(1 << 20)), "inflates to more than 10.00 KiB"),
    ],
)
def test_what_is_no_whole_small_gzip_file_is_damaged(data: bytes, says: str) -> None:
    with pytest.raises(Damaged, match=says) as raised:
        inflated(data, 10 << 10)
    assert raised.value.advice
