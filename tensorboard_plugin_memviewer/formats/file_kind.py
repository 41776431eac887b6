"""Recognizes the kind of a file by its first bytes, because files get renamed and compressed.

Distinguishes the kinds that are supported by the bytes they always begin with. Whether a file is complete is
left to its reader. Decodes nothing and loads neither numpy nor protobuf.
"""

from __future__ import annotations

import re
import struct
from typing import Literal

from tensorboard_plugin_memviewer.errors import Damaged
from tensorboard_plugin_memviewer.formats import wire
from tensorboard_plugin_memviewer.formats.packed_data import unpacked_head

FileKind = Literal["capture", "records", "hlo_proto", "dump_text", "saved"]

HEAD_BYTES = 1 << 16
"""So many bytes of a file are enough."""

RIEGELI_BEGIN = bytes.fromhex("83af70d10d884a3f")
_SPACES = b"\xef\xbb\xbf \t\r\n"
_TEXT_PLAN = re.compile(rb"\s*BufferAssignment:\s*\n")
# Keys that only an answer of XProf's Memory Viewer has, in the schema's form or that of proto3. One without a
# curve begins with the module's name, and an HloProto as JSON holds two objects, which traces name as text.
_JSON_KEYS = re.compile(
    rb'"(?:(?:unpadded_?)?heap_?sizes|max_?heap|peak_?heap_?mib|indefinite_?lifetimes|logical_?buffer_?spans)"\s*:'
    rb'|\A\s*\{\s*"(?:module_?name|entry_?computation_?name)"\s*:'
    rb'|"(?:hlo_?module|buffer_?assignment)"\s*:\s*\{',
    re.IGNORECASE,
)
_LONGEST_NAME = 4096


def kind_of(head: bytes) -> FileKind | None:
    """What a file is that begins with `head`, packed or not; None where it is nothing that is read here."""
    head = unpacked_head(head, HEAD_BYTES)
    if head.startswith(RIEGELI_BEGIN):
        return "records"
    if (text := head.lstrip(_SPACES)).startswith(b"{"):
        return "saved" if _JSON_KEYS.search(text) else None
    if _TEXT_PLAN.match(head):
        return "dump_text"
    try:
        return _kind_of_message(head)
    except (Damaged, IndexError):
        return None


def _kind_of_message(head: bytes) -> FileKind | None:
    """By field 1: a plane in an XSpace, a module in an HloProto, the curve in XProf's answer."""
    number, kind, start, end = _field(head, 0)
    if number == 8 and kind == wire.BYTES and _is_name(head, start, end):
        # Without a curve XProf's answer begins with the names of the module and of its entry.
        return "saved" if _field(head, end)[:2] == (9, wire.BYTES) else None
    if number != 1 or kind != wire.BYTES or start == end:
        return None
    if _are_sizes(head, start, end):
        return "saved"
    number, kind, a, b = _field(head, start)
    if number == 1 and kind == wire.BYTES:
        return "hlo_proto" if _is_name(head, a, b) and _is_module(head, b, end) else None
    if number == 1 and kind == wire.VARINT:
        number, kind, a, b = _field(head, b)
    return "capture" if number == 2 and kind == wire.BYTES and _is_name(head, a, b) else None


def _field(head: bytes, position: int) -> tuple[int, int, int, int]:
    """As `wire.fields` gives it, but the payload may go on behind the head. Raises Damaged, IndexError."""
    tag, position = wire.varint(head, position, len(head))
    number, kind = tag >> 3, tag & 7
    value, position = wire.varint(head, position, len(head))
    return (
        (number, kind, position, position + value) if kind == wire.BYTES else (number, kind, value, position)
    )


def _is_name(head: bytes, start: int, end: int) -> bool:
    """A text without control characters, as no serialized message is."""
    name = head[start:end]
    return 0 < end - start == len(name) <= _LONGEST_NAME and min(name) >= 0x20


def _is_module(head: bytes, position: int, end: int) -> bool:
    """Behind a module's name stands that of its entry, or its computations."""
    return position == end or _field(head, position)[:2] in ((2, wire.BYTES), (3, wire.BYTES))


def _are_sizes(head: bytes, start: int, end: int) -> bool:
    """Whether doubles begin here that are whole bytes in MiB: no other message reads so by chance."""
    count = min(end - start, len(head) - start, 64) // 8
    if (end - start) % 8 or not count:
        return False
    values = struct.unpack_from(f"<{count}d", head, start)
    return all(0 <= value < 1 << 40 and (value * (1 << 20)).is_integer() for value in values)
