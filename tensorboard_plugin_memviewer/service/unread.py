"""The files of a logdir that are not read, by reason, which their names or first bytes show.

Listing a folder goes by names and opens nothing; this module also looks into files, up to a limit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tensorboard_plugin_memviewer.errors import DUMP_FLAGS, MemviewerError, Problem
from tensorboard_plugin_memviewer.service.content_role import role_by_content
from tensorboard_plugin_memviewer.sessions import file_names
from tensorboard_plugin_memviewer.sessions.filesystem import File, FileSystem
from tensorboard_plugin_memviewer.sessions.grouping import runs_of
from tensorboard_plugin_memviewer.sessions.open import filesystem_for

CAPTURE_AGAIN: Final = (
    "Capture with jax.profiler.trace(LOGDIR), or TensorFlow's or PyTorch/XLA's profiler (the latter with"
    " XLA_HLO_DEBUG=1 and XLA_IR_DEBUG=1, for names)."
)
_AS_PROTO: Final = f"Dump again with {DUMP_FLAGS}."
_STAGE: Final = f"The plan is in *after_optimizations.hlo.pb. {_AS_PROTO}"
# On a store each costs a request.
_MOST_OPENED: Final = 200
_CAPTURES: Final = (file_names.CAPTURE, file_names.RECORDS)
_OTHER_PACKING: Final = (".zst", ".bz2", ".lz4", ".br", ".zip", ".Z")


@dataclass(frozen=True, slots=True)
class Reason:
    """Why files are not read; `could_be_read` where they hold what is looked for."""

    what: str
    advice: str
    could_be_read: bool = False


@dataclass(slots=True)
class Unread:
    """Files that are not read for one reason: how many, and one of them by its path."""

    reason: Reason
    example: str
    count: int = 0


_TIMELINES: Final = Reason(
    "timelines without their *.xplane.pb",
    f"Copy the *.xplane.pb of each too, or capture again. {CAPTURE_AGAIN}",
)
_TEXTS: Final = Reason(
    "programs as text",
    f"Their memory plan is in *-buffer-assignment.txt, which is not in the same folder. {_AS_PROTO}",
)
# The first pattern that is found in a name counts. Stages are told by the whole of the names that XLA gives.
_BY_NAME: Final = (
    (r"trace\.json\.gz$", _TIMELINES),
    (r"before_optimizations\.hlo\.pb", Reason("programs before optimization", _STAGE)),
    (r"optimizations\.txt", _TEXTS),
    (r"^(?:\d+\.)?module_\d+\..+\.hlo\.pb(?:\.gz|\.xz)?$", Reason("programs of other stages", _STAGE)),
    (
        r"memory_profile\.json",
        Reason("profiles of the allocator", f"They contain no memory plan of a program. {CAPTURE_AGAIN}"),
    ),
    (
        r"\.prof\b",
        Reason("device memory profiles", f"They list live arrays, not a program's plan. {CAPTURE_AGAIN}"),
    ),
    (r"tfevents", Reason("TensorBoard event files", CAPTURE_AGAIN)),
)
_PACKED: Final = Reason(
    "files with an unsupported compression", "Unpack them, or compress them with gzip or xz.", True
)
_RENAME: Final = "In a folder files are found by their names. Open each by its path, or rename it to"
_BY_BYTES: Final = {
    file_names.CAPTURE: Reason("captures under another name", f"{_RENAME} NAME.xplane.pb.", True),
    file_names.RECORDS: Reason("captures under another name", f"{_RENAME} NAME.xplane.riegeli.", True),
    file_names.HLO_PROTO: Reason("modules under another name", f"{_RENAME} NAME.hlo_proto.pb.", True),
    file_names.DUMP_TEXT: Reason(
        "memory plans as text under another name",
        f"{_RENAME} NAME.after_optimizations-buffer-assignment.txt.",
        True,
    ),
    file_names.SAVED: Reason(
        "saved results of the Memory Viewer under another name", f"{_RENAME} NAME.memory_viewer.json.", True
    ),
}
_OTHER: Final = Reason("other files", "Their kind is not supported. " + CAPTURE_AGAIN)


def unread_files(logdir: str, problems: list[Problem]) -> tuple[Unread, ...]:
    """The files below a logdir that are not read; () for a file. What cannot be listed goes into `problems`.

    Raises NotFound, Unreadable where the logdir itself cannot be listed.
    """
    filesystem, path = filesystem_for(logdir)
    if filesystem.file(path) is not None:
        return ()
    found: dict[Reason, Unread] = {}
    opened = 0
    for file in _not_read(filesystem, path, problems):
        reason = _by_name(file.name)
        if reason is None and opened < _MOST_OPENED:
            opened += 1
            reason = _by_bytes(filesystem, file)
        kept = found.setdefault(reason or _OTHER, Unread(reason or _OTHER, file.path))
        kept.count += 1
    return tuple(found.values())


def _not_read(filesystem: FileSystem, path: str, problems: list[Problem]) -> Iterator[File]:
    """The files that are not ours; a timeline counts only where its folder has no capture."""
    for folder in filesystem.walk(path, lambda _: True, problems):
        has_capture = any(file_names.role(file.name) in _CAPTURES for file in folder.files)
        # Texts of a dump are read beside the plan that they are of.
        has_dump = any(run.kind == "xla_dump" for run in runs_of((folder,)))
        for file in folder.files:
            is_timeline = has_capture and _by_name(file.name) is _TIMELINES
            is_lone_text = not has_dump and _by_name(file.name) is _TEXTS
            if (not is_timeline and not file_names.is_ours(file.name)) or is_lone_text:
                yield file


def _by_name(name: str) -> Reason | None:
    for ending in _OTHER_PACKING:
        if name.endswith(ending) and file_names.is_ours(name.removesuffix(ending)):
            return _PACKED
    return next((reason for pattern, reason in _BY_NAME if re.search(pattern, name, re.ASCII)), None)


def _by_bytes(filesystem: FileSystem, file: File) -> Reason | None:
    try:
        reader = filesystem.open(file)
    except MemviewerError:
        return None
    try:
        told = role_by_content(reader)
    except MemviewerError:
        return None
    finally:
        reader.close()
    return None if told is None else _BY_BYTES[told]
