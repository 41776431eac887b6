"""HighwayHash64 with the key that Riegeli files use, in plain Python: some 4 MB a second.

The algorithm is that of google/highwayhash (c/highwayhash.c). The state is four vectors of four 64-bit lanes;
each 32 bytes of data are multiplied and shuffled into them.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from operator import itemgetter

_MASK = (1 << 64) - 1
_LOW = (1 << 32) - 1
_PACKET = 32
_KEY = struct.unpack("<4Q", b"Riegeli/records\n" * 2)
_INIT_0 = (0xDBE6D5D5FE4CCE2F, 0xA4093822299F31D0, 0x13198A2E03707344, 0x243F6A8885A308D3)
_INIT_1 = (0x3BD39E10CB0EF593, 0xC0ACF169B5F18A8C, 0xBE5466CF34E90C6C, 0x452821E638D01377)

# Which byte of two lanes goes where, so that those worth most after a multiplication are spread.
_ZIPPER = (3, 12, 2, 5, 14, 1, 15, 0, 11, 4, 10, 13, 9, 6, 8, 7)
_zipped = itemgetter(*_ZIPPER, *(place + 16 for place in _ZIPPER))
_lanes = struct.Struct("<4Q")

_State = tuple[list[int], list[int], list[int], list[int]]


def riegeli_hash(data: bytes, key: Sequence[int] = _KEY) -> int:
    """The hash, 64 bits unsigned, that Riegeli keeps of `data`; with another key, that of others."""
    state: _State = (
        [a ^ b for a, b in zip(_INIT_0, key, strict=True)],
        [a ^ _halves_swapped(b) for a, b in zip(_INIT_1, key, strict=True)],
        list(_INIT_0),
        list(_INIT_1),
    )
    whole = len(data) // _PACKET * _PACKET
    for packet in _lanes.iter_unpack(data[:whole]):
        _update(state, packet)
    if whole < len(data):
        _update_with_rest(state, data[whole:])
    v0, v1, mul0, mul1 = state
    for _ in range(4):
        _update(state, [_halves_swapped(v0[lane]) for lane in (2, 3, 0, 1)])
    return (v0[0] + v1[0] + mul0[0] + mul1[0]) & _MASK


def _update(state: _State, packet: Sequence[int]) -> None:
    v0, v1, mul0, mul1 = state
    for lane in (0, 1, 2, 3):
        v1[lane] = a = (v1[lane] + mul0[lane] + packet[lane]) & _MASK
        mul0[lane] ^= (a & _LOW) * (v0[lane] >> 32)
        v0[lane] = b = (v0[lane] + mul1[lane]) & _MASK
        mul1[lane] ^= (b & _LOW) * (a >> 32)
    for source, target in ((v1, v0), (v0, v1)):
        a, b, c, d = _lanes.unpack(bytes(_zipped(_lanes.pack(*source))))
        target[:] = (
            (target[0] + a) & _MASK,
            (target[1] + b) & _MASK,
            (target[2] + c) & _MASK,
            (target[3] + d) & _MASK,
        )


def _update_with_rest(state: _State, rest: bytes) -> None:
    """The last 1 to 31 bytes; their number goes in, too."""
    size = len(rest)
    v0, v1, _, _ = state
    for lane in range(4):
        v0[lane] = (v0[lane] + (size << 32) + size) & _MASK
        v1[lane] = _rotated(v1[lane] >> 32, size) << 32 | _rotated(v1[lane] & _LOW, size)
    packet = bytearray(_PACKET)
    whole, odd = size & ~3, size & 3
    packet[:whole] = rest[:whole]
    if size & 16:
        packet[28:] = rest[-4:]
    elif odd:
        packet[16:19] = bytes((rest[whole], rest[whole + (odd >> 1)], rest[-1]))
    _update(state, _lanes.unpack(packet))


def _rotated(half: int, count: int) -> int:
    return (half << count | half >> (32 - count)) & _LOW


def _halves_swapped(lane: int) -> int:
    return (lane >> 32) | (lane & _LOW) << 32
