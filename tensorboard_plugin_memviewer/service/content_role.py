"""The role of a file in sessions/ by its content; sessions itself knows only names."""

from __future__ import annotations

from tensorboard_plugin_memviewer.formats.file_kind import HEAD_BYTES, FileKind, kind_of
from tensorboard_plugin_memviewer.formats.range_hop import RangeReader
from tensorboard_plugin_memviewer.sessions import file_names

_ROLES: dict[FileKind, str] = {
    "capture": file_names.CAPTURE,
    "records": file_names.RECORDS,
    "hlo_proto": file_names.HLO_PROTO,
    "dump_text": file_names.DUMP_TEXT,
    "saved": file_names.SAVED,
}


def role_by_content(reader: RangeReader) -> str | None:
    """The role of a file, one of the constants of file_names; None if its bytes do not show it."""
    kind = kind_of(reader.read(0, min(HEAD_BYTES, reader.size)))
    return None if kind is None else _ROLES[kind]
