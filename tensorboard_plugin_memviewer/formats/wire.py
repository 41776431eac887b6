"""Hops over the protobuf wire format of a buffer without decoding what is not asked for.

A message is a run of fields; every field says its own length, so a reader that wants one of them steps over
the rest at the cost of a few bytes each. Knows no message of any schema and copies no payload. Anything that
cannot be the wire format is `errors.Damaged`, whose message says at which byte; the caller knows the file and
adds its name.
"""

from __future__ import annotations

from collections.abc import Iterator

from tensorboard_plugin_memviewer.errors import Damaged

VARINT = 0
FIXED64 = 1
BYTES = 2
FIXED32 = 5
LARGEST_FIELD_NUMBER = (1 << 29) - 1

Buffer = bytes | bytearray | memoryview
"""What is read: anything that gives integers when indexed and has a length in bytes."""

Field = tuple[int, int, int, int]
"""`(number, wire type, a, b)`.

VARINT: a is the value, unsigned 64 bits; b the position after it. Everything else: `buffer[a:b]` is the
payload.
"""

_GROUP_START = 3
_GROUP_END = 4
_MAX_GROUP_DEPTH = 64


# One loop without calls for the usual field: every byte of every module passes here.
def fields(buffer: Buffer, start: int = 0, end: int | None = None) -> Iterator[Field]:  # noqa: C901, PLR0912
    """The fields of the message in `buffer[start:end]`, in file order. Deprecated groups are stepped over
    unseen.

    Raises Damaged, after having given what came before, at the first byte that is not the wire format.
    """
    limit = len(buffer) if end is None else end
    if not 0 <= start <= limit <= len(buffer):
        raise damaged(start, "the message runs past the end of the data")
    position = start
    while position < limit:
        tag = buffer[position]
        if tag < 0x80:
            position += 1
        else:
            tag, position = varint(buffer, position, limit)
        wire = tag & 7
        number = tag >> 3
        if not 0 < number <= LARGEST_FIELD_NUMBER:
            raise damaged(position, f"field number {number} cannot be")
        if wire == BYTES:
            if position < limit and buffer[position] < 0x80:
                length = buffer[position]
                position += 1
            else:
                length, position = varint(buffer, position, limit)
            after = position + length
            if after > limit:
                raise damaged(
                    position, f"field {number} claims {length} bytes where {limit - position} are left"
                )
            yield number, BYTES, position, after
            position = after
        elif wire == VARINT:
            value, position = varint(buffer, position, limit)
            yield number, VARINT, value, position
        elif wire in (FIXED64, FIXED32):
            after = position + (8 if wire == FIXED64 else 4)
            if after > limit:
                raise damaged(position, f"field {number} is cut short")
            yield number, wire, position, after
            position = after
        elif wire == _GROUP_START:
            position = _skip_group(buffer, position, limit, number)
        else:
            raise damaged(position, f"wire type {wire} cannot be here")


def varint(buffer: Buffer, position: int, end: int) -> tuple[int, int]:
    """The unsigned varint at `position`, and the position after it. Raises Damaged past `end` or 10 bytes."""
    value = 0
    shift = 0
    while position < end:
        byte = buffer[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFF_FFFF_FFFF_FFFF, position
        shift += 7
        if shift > 63:
            raise damaged(position, "an integer is longer than 10 bytes")
    raise damaged(position, "an integer is cut short")


def signed(value: int) -> int:
    """An unsigned varint as the int64 or int32 that it was written from: both are written with 64 bits."""
    return value - (1 << 64) if value >= 1 << 63 else value


def text(buffer: Buffer, start: int, end: int) -> str:
    """A string field's payload; what is not UTF-8 shows as the replacement character rather than fails."""
    return bytes(buffer[start:end]).decode("utf-8", errors="replace")


def field(number: int, payload: bytes) -> bytes:
    """A field of bytes, a string or a message, as it is written."""
    return _written_varint(number << 3 | BYTES) + _written_varint(len(payload)) + payload


def _written_varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def _skip_group(buffer: Buffer, position: int, end: int, number: int) -> int:
    """The position after the end tag of the group `number` that was opened just before `position`."""
    open_groups = [number]
    while open_groups:
        tag, position = varint(buffer, position, end)
        number, wire = tag >> 3, tag & 7
        if wire == _GROUP_START:
            open_groups.append(number)
            if len(open_groups) > _MAX_GROUP_DEPTH:
                raise damaged(position, "groups are nested too deep")
        elif wire == _GROUP_END:
            if number != open_groups.pop():
                raise damaged(position, "a group ends that was not open")
        else:
            position = _skip_scalar(buffer, position, end, wire)
    return position


def _skip_scalar(buffer: Buffer, position: int, end: int, wire: int) -> int:
    if wire == VARINT:
        return varint(buffer, position, end)[1]
    if wire == BYTES:
        length, position = varint(buffer, position, end)
    elif wire in (FIXED64, FIXED32):
        length = 8 if wire == FIXED64 else 4
    else:
        raise damaged(position, f"wire type {wire} cannot be here")
    if position + length > end:
        raise damaged(position, "a field is cut short")
    return position + length


def damaged(position: int, what: str) -> Damaged:
    """The error that `what` is the matter at a byte of the data."""
    return Damaged(
        f"not a protocol buffer, or cut short: at byte {position} {what}",
        "Copy the file again in binary mode, or capture it again.",
    )
