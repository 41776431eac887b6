"""HighwayHash64 against the values of its own tests, and against the first headers of every Riegeli file."""

from __future__ import annotations

import pytest

from tensorboard_plugin_memviewer.formats.highway_hash import riegeli_hash
from tests.formats.riegeli_bytes import SIGNATURE

KEY = (0x0706050403020100, 0x0F0E0D0C0B0A0908, 0x1716151413121110, 0x1F1E1D1C1B1A1918)
# Of b"", b"\0", b"\0\1", …: kExpected64 of google/highwayhash, c/highwayhash_test.c.
EXPECTED = [
    "907A56DE22C26E53",
    "7EAB43AAC7CDDD78",
    "B8D0569AB0B53D62",
    "5C6BEFAB8A463D80",
    "F205A46893007EDA",
    "2B8A1668E4A94541",
    "BD4CCC325BEFCA6F",
    "4D02AE1738F59482",
    "E1205108E55F3171",
    "32D2644EC77A1584",
    "F6E10ACDB103A90B",
    "C3BBF4615B415C15",
    "243CC2040063FA9C",
    "A89A58CE65E641FF",
    "24B031A348455A23",
    "40793F86A449F33B",
    "CFAB3489F97EB832",
    "19FE67D2C8C5C0E2",
    "04DD90A69C565CC2",
    "75D9518E2371C504",
    "38AD9B1141D3DD16",
    "0264432CCD8A70E0",
    "A9DB5A6288683390",
    "D7B05492003F028C",
    "205F615AEA59E51E",
    "EEE0C89621052884",
    "1BFC1A93A7284F4F",
    "512175B5B70DA91D",
    "F71F8976A0A2C639",
    "AE093FEF1F84E3E7",
    "22CA92B01161860F",
    "9FC7007CCF035A68",
    "A0C964D9ECD580FC",
    "2C90F73CA03181FC",
    "185CF84E5691EB9E",
    "4FC1F5EF2752AA9B",
]


@pytest.mark.parametrize("size", range(len(EXPECTED)))
def test_known_values(size: int) -> None:
    assert f"{riegeli_hash(bytes(range(size)), KEY):016X}" == EXPECTED[size]


def test_the_hashes_of_a_riegeli_files_first_headers() -> None:
    for data, hash_at in ((SIGNATURE[8:24], 0), (SIGNATURE[32:64], 24), (b"", 40)):
        assert riegeli_hash(data).to_bytes(8, "little") == SIGNATURE[hash_at : hash_at + 8]
