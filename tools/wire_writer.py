"""Writes the protobuf wire format, for scripts that make captures and for tests that make damaged ones.

Needs no schema and no protobuf: a field is a number and an integer, text, bytes or several fields.
"""

from __future__ import annotations


def varint(value: int) -> bytes:
    """`value` as a varint; negative numbers as 64-bit two's complement."""
    value &= 2**64 - 1
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def field(number: int, value: int | str | bytes) -> bytes:
    """One field: an integer as a varint, text and bytes by their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def message(*fields: tuple[int, int | str | bytes]) -> bytes:
    """Fields one after the other."""
    return b"".join(field(number, value) for number, value in fields)
