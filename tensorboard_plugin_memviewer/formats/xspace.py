"""The programs and devices of an XSpace capture (`<host>.xplane.pb`), found without reading its traces.

Only the plane `/host:metadata` is walked entry by entry, and of each program only where its HloProto lies; of
device planes the few facts that tell the device, of all others the name. Opens no file and decodes no
program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from tensorboard_plugin_memviewer.errors import Damaged, Problem
from tensorboard_plugin_memviewer.formats import wire
from tensorboard_plugin_memviewer.formats.range_hop import Hopper, RangeReader
from tensorboard_plugin_memviewer.formats.unreadable_capture import judged, nothing_found
from tensorboard_plugin_memviewer.formats.xplane import (
    MOST_NAMES,
    Entry,
    Stat,
    name_stats,
    plane_facts,
    plane_name,
    read_entry,
    read_stat,
    read_stat_name,
)
from tensorboard_plugin_memviewer.model.device import DeviceFacts

METADATA_PLANE = "/host:metadata"
_DEVICE_PLANE = re.compile(r"(/device:[A-Za-z_]+):\d+")
# Written `HLO Proto` by libtpu for a time; `llo_proto` stands beside it and is another thing.
_HLO_STAT = "hlo proto"
_VERSION_STATS = ("jax_version", "jaxlib_version", "libtpu_version")

# A device plane holds an entry for each operation before its facts. All of a host's devices are of one kind:
# the facts are read for the first of each kind, and where they cost little.
_SMALL_PLANE = 1 << 16
_MOST_FIELDS = 1_000_000
_MOST_FIELDS_FOR_FACTS = 500_000
_MOST_PROGRAMS = 100_000


class Program(NamedTuple):
    """One compiled program of the capture; its HloProto is the file's bytes `start:end`.

    `name` is the event's, as XProf shows it: `jit_f(123)`. `program_id` is what the capture says, unsigned,
    or what stands in the name's brackets, or None; it is not the module's own id and does not fit a double.
    """

    name: str
    metadata_id: int
    program_id: int | None
    start: int
    end: int

    @property
    def size(self) -> int:
        """Bytes of the HloProto."""
        return self.end - self.start

    @property
    def module_name(self) -> str:
        """The name without the id in brackets."""
        return _split_name(self.name)[0]


class Capture(NamedTuple):
    """What one host's capture holds for a memory viewer.

    `versions` maps `jax`, `jaxlib`, `libtpu` to a version where the capture says.
    """

    programs: tuple[Program, ...]
    versions: dict[str, str]
    devices: tuple[DeviceFacts, ...]
    problems: tuple[Problem, ...]


def scan(reader: RangeReader, path: str | None = None) -> Capture:
    """List the capture's programs, devices and versions; `path` only names the file in what is said of it.

    What a damaged or cut file still gives is given, with a problem. Raises Damaged when nothing can be read.
    """
    try:
        return _scan(reader, path)
    except Damaged as error:
        raise Damaged(error.message, error.advice, path) from error


def _scan(reader: RangeReader, path: str | None) -> Capture:
    if reader.size == 0:
        raise Damaged("the file is empty", "If the capture is still being written, wait for its end.")
    found = _Findings(Hopper(reader, _MOST_FIELDS_FOR_FACTS))
    hopper = Hopper(reader, _MOST_FIELDS)
    try:
        _read_space(hopper, reader.size, found)
    except Damaged as error:
        found.note_damage(error)
    if found.damage is not None or hopper.missing_bytes:
        verdict, is_lost = judged(reader, found.damage, hopper.missing_bytes)
        if not found.programs and (found.planes == 0 or is_lost):
            raise verdict
        found.problems.append(verdict.as_problem())
    elif not found.programs:
        found.problems.append(nothing_found(found.metadata_planes > 0))
    return Capture(
        tuple(found.programs),
        found.versions,
        tuple(found.devices),
        tuple(problem._replace(path=path) for problem in found.problems),
    )


class _Findings:
    """What the walk has met so far. Facts are walked on a budget of their own: programs come first."""

    def __init__(self, fact_hopper: Hopper) -> None:
        self.fact_hopper = fact_hopper
        self.planes = 0
        self.metadata_planes = 0
        self.programs: list[Program] = []
        self.versions: dict[str, str] = {}
        self.devices: list[DeviceFacts] = []
        self.known_kinds: set[str] = set()
        self.damage: Damaged | None = None
        self.problems: list[Problem] = []

    def note_damage(self, error: Damaged) -> None:
        """Remember the first damage: what follows from it says less."""
        self.damage = self.damage or error


def _read_space(hopper: Hopper, size: int, found: _Findings) -> None:
    for number, kind, start, end in hopper.fields(0, size):
        if number == 1 and kind == wire.BYTES:
            with _damage_noted(hopper, found):
                _read_plane(hopper, start, end, found)


@contextmanager
def _damage_noted(hopper: Hopper, found: _Findings) -> Iterator[None]:
    """One damaged message does not hide those after it, whose place is known from its length."""
    try:
        yield
    except Damaged as error:
        if hopper.is_spent:
            raise
        found.note_damage(error)


def _read_plane(hopper: Hopper, start: int, end: int, found: _Findings) -> None:
    name = plane_name(hopper, start, end)
    found.planes += name is not None
    if name == METADATA_PLANE:
        found.metadata_planes += 1
        _read_metadata_plane(hopper, start, end, found)
    elif name is not None and (match := _DEVICE_PLANE.match(name)) and len(found.devices) < MOST_NAMES:
        worth_reading = match[1] not in found.known_kinds or end - start <= _SMALL_PLANE
        found.known_kinds.add(match[1])
        found.devices.append(_device(name, _facts(found, start, end) if worth_reading else {}))


def _facts(found: _Findings, start: int, end: int) -> dict[str, int | str]:
    """The facts of a plane, or none where there is too much before them."""
    try:
        return plane_facts(found.fact_hopper, start, end)
    except Damaged:
        if found.fact_hopper.is_spent:
            return {}
        raise


def _device(name: str, facts: dict[str, int | str]) -> DeviceFacts:
    kind, size = facts.get("device_type_string"), facts.get("memory_size")
    megacore = facts.get("has_megacore")
    return DeviceFacts(
        name,
        kind if isinstance(kind, str) else None,
        size if isinstance(size, int) and size > 0 else None,
        megacore == 1 if isinstance(megacore, int) else None,
    )


def _read_metadata_plane(hopper: Hopper, start: int, end: int, found: _Findings) -> None:
    entries: list[Entry] = []
    names: dict[int, str] = {}
    stats: list[Stat] = []
    try:
        for number, kind, a, b in hopper.fields(start, end):
            if kind != wire.BYTES:
                continue
            if number == 4 and len(entries) < _MOST_PROGRAMS:
                with _damage_noted(hopper, found):
                    entries.append(read_entry(hopper, a, b))
            elif number == 5 and len(names) < MOST_NAMES:
                read_stat_name(hopper, a, b, names)
            elif number == 6 and len(stats) < MOST_NAMES:
                stats.append(read_stat(hopper, a, b))
    finally:
        found.programs.extend(_programs(hopper, entries, names))
    facts = name_stats(hopper, stats, names)
    versions = {key.removesuffix("_version"): facts.get(key) for key in _VERSION_STATS}
    found.versions.update({key: value for key, value in versions.items() if isinstance(value, str)})


def _programs(hopper: Hopper, entries: list[Entry], names: dict[int, str]) -> Iterator[Program]:
    """The entries that hold an HloProto; one that the end of the file cuts is left out."""
    for entry in entries:
        program_id = _split_name(entry.name)[1]
        span: tuple[int, int] | None = None
        for stat in entry.stats:
            name = names.get(stat.metadata_id)
            if stat.kind == 6 and _is_hlo(hopper, stat, name, entry):
                span = stat.start, stat.end
            elif name == "program_id" and stat.kind in (3, 4):
                program_id = stat.number & 0xFFFF_FFFF_FFFF_FFFF
        is_cut = span is not None and hopper.missing_bytes > 0 and span[1] == hopper.size
        if span is not None and not is_cut:
            yield Program(entry.name, entry.metadata_id, program_id, *span)


def _is_hlo(hopper: Hopper, stat: Stat, name: str | None, entry: Entry) -> bool:
    """Whether a blob is an HloProto: its stat's name says so. Where the file is cut before the names, a blob
    is believed that begins as the HloProto of a module called as the entry is.
    """
    if name is not None:
        return name.lower() == _HLO_STAT
    module_name = _split_name(entry.name)[0].encode()
    try:
        number, kind, start, end = next(hopper.fields(stat.start, stat.end))
        number_in, kind_in, a, b = next(hopper.fields(start, end))
        is_name = (number, kind, number_in, kind_in) == (1, wire.BYTES, 1, wire.BYTES)
        return is_name and b - a == len(module_name) and hopper.bytes(a, b) == module_name
    except (Damaged, StopIteration):
        return False


def _split_name(name: str) -> tuple[str, int | None]:
    """`jit_f(123)` as `jit_f` and 123."""
    match = re.fullmatch(r"(.*)\((\d{1,20})\)", name, re.DOTALL | re.ASCII)
    return (match[1], int(match[2])) if match else (name, None)
