"""Which files of a logdir are supported, by name alone, and their hosts. Any of them may be compressed.

The names of captures are those of XProf's own listing (`[<host>.]xplane.pb`), so that both name runs and
hosts alike.
"""

from __future__ import annotations

from tensorboard_plugin_memviewer.sessions import dump_names
from tensorboard_plugin_memviewer.sessions.packing import plain_name

CAPTURE = "capture"
RECORDS = "records"
HLO_PROTO = "hlo_proto"
SAVED = "saved"
DUMP = "dump"
# XLA's text of a plan under another name than XLA gives it: a folder holds none, but a path may lead to one.
DUMP_TEXT = "dump_text"
ERROR = "error"

# The compiler's error message, stored by the user next to the dump of a program that failed to compile.
_ERROR_NAME = "error.txt"

# XProf leaves this file beside a capture that has no program; it holds nothing.
_MARKER = "NO_MODULE.hlo_proto.pb"
_ENDINGS = (
    (CAPTURE, "xplane.pb"),
    (RECORDS, "xplane.riegeli"),
    (HLO_PROTO, "hlo_proto.pb"),
    (SAVED, "memory_viewer.json"),
    (SAVED, "memory_viewer.pb"),
)


def role(name: str) -> str | None:
    """One of this file's constants, or None for a file that we do not read."""
    if name == _MARKER:
        return None
    for kind, ending in _ENDINGS:
        if _before(name, ending) is not None:
            return kind
    if name == _ERROR_NAME:
        return ERROR
    return DUMP if dump_names.parse(name) is not None else None


def leads(name: str) -> bool:
    """Whether a dump's file is more than a text that belongs to another file."""
    parsed = dump_names.parse(name)
    return parsed is not None and parsed.stage not in dump_names.TEXTS


def is_ours(name: str) -> bool:
    """Whether a listing wants the file."""
    return role(name) is not None


def host(name: str) -> str:
    """The host of a capture or saved result; "" where the name gives none, as for programs and dumps."""
    for kind, ending in _ENDINGS:
        before = _before(name, ending)
        if before is not None:
            return "" if kind == HLO_PROTO else before
    return ""


def may_be_file(name: str) -> bool:
    """Whether the end of a web address looks like a file's name, though of none that is looked for."""
    return plain_name(name) != name or name.endswith((".pb", ".json", ".txt", ".riegeli"))


def _before(name: str, ending: str) -> str | None:
    name = plain_name(name)
    if name == ending:
        return ""
    return name.removesuffix("." + ending) if name.endswith("." + ending) else None
