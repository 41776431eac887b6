"""Fields of a saved result by name, whether it was saved as JSON or as a message.

Names are those of the schema (`heap_sizes`); JSON may also have proto3's own form (`heapSizes`), and 64-bit
integers may be strings there. A field of another type than the schema's raises Damaged. Knows nothing of what
the fields mean.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from google.protobuf.message import Message

from tensorboard_plugin_memviewer.errors import Damaged

ADVICE = (
    "Save the result again: it has to be the answer of XProf's memory_viewer tool, as JSON or as a message."
)

_Get = Callable[[str], Any]


class Fields:
    """One message. What was not written reads as proto3's default; `has` tells the two apart."""

    __slots__ = ("_get", "_inner")

    def __init__(self, get: _Get, inner: Callable[[object], Fields]) -> None:
        self._get = get
        self._inner = inner

    def has(self, name: str) -> bool:
        """Whether the field was written; a repeated one or a text, whether it holds anything."""
        return self._get(name) not in (None, [], "")

    def text(self, name: str) -> str:
        """A text."""
        value = self._get(name)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise _wrong("text", value, name)
        return value

    def integer(self, name: str) -> int:
        """An integer of at most 64 bits."""
        value = self._get(name)
        return 0 if value is None else _integer(value, name)

    def number(self, name: str) -> float:
        """A finite number."""
        value = self._get(name)
        return 0.0 if value is None else _number(value, name)

    def values(self, name: str) -> list[Any]:
        """A repeated field of texts or numbers, unchecked."""
        value = self._get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise _wrong("a list", value, name)
        return value

    def message(self, name: str) -> Fields | None:
        """A field that is a message; None where it was not written."""
        value = self._get(name)
        return None if value is None else self._inner(value)

    def messages(self, name: str) -> Iterator[Fields]:
        """A repeated field of messages."""
        return map(self._inner, self.values(name))

    def by_integer(self, name: str) -> Iterator[tuple[int, Fields]]:
        """A map of messages by integer."""
        value = self._get(name)
        if value is None:
            return
        if not isinstance(value, Mapping):
            raise _wrong("an object", value, name)
        for key, entry in value.items():
            yield _integer(key, name), self._inner(entry)


def json_fields(found: object) -> Fields:
    """The fields of a JSON object. Raises Damaged where it is something else."""
    if not isinstance(found, dict):
        raise _wrong("an object", found)

    def get(name: str) -> Any:
        value = found.get(_json_name(name))
        return found.get(name) if value is None else value

    return Fields(get, json_fields)


def message_fields(message: Message) -> Fields:
    """The fields of a message of protos/memviewer_saved.proto."""
    described = message.DESCRIPTOR.fields_by_name

    def get(name: str) -> Any:
        field = described[name]
        if field.has_presence and not message.HasField(name):
            return None
        value = getattr(message, name)
        if isinstance(value, (str, int, float, Message, Mapping)):
            return value
        return list(value)

    return Fields(get, _inner_message)


def _inner_message(value: object) -> Fields:
    assert isinstance(value, Message)
    return message_fields(value)


@lru_cache(maxsize=256)
def _json_name(name: str) -> str:
    return re.sub("_(.)", lambda found: found.group(1).upper(), name)


def _integer(value: object, name: str) -> int:
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,19}", value):
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 63:
        return value
    raise _wrong("an integer", value, name)


def _number(value: object, name: str) -> float:
    """Infinities and NaN are texts in proto3's JSON; no size is one."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e300:
        return float(value)
    raise _wrong("a number", value, name)


def _wrong(expected: str, value: object, name: str = "") -> Damaged:
    place = f"its field {name!r}" if name else "a part of it"
    shown = str(value)[:40] if isinstance(value, (str, float)) else ""
    return Damaged(f"{place} is {type(value).__name__} {shown}, not {expected}", ADVICE)
