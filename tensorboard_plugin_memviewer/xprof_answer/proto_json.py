"""The JSON form of a proto3 message, as far as XProf's answer needs it. Knows nothing of memory."""

from __future__ import annotations

from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]

_MIB = 1 << 20


def present(fields: Json) -> Json:
    """The fields that do not have proto3's default value: those are absent from the JSON."""
    return {name: value for name, value in fields.items() if value not in (0, "", [], {})}


def mib(size: int) -> float:
    """Bytes in MiB. A whole number is an int, which JSON writes without a point, as proto3 does."""
    return size // _MIB if size % _MIB == 0 else size / _MIB


def int32(value: int) -> int:
    """What is left of a 64-bit integer in an int32 field."""
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)
