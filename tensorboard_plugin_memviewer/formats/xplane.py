"""Messages of one XPlane of a capture, walked without reading what they are long for.

Plane stats and event metadata refer to their names by number, and the names come last in a plane: what is
read here is named when the walk is over. Knows the fields of XPlane, XEventMetadata, XStatMetadata and XStat
in TSL's profiler/protobuf/xplane.proto; opens no file. All functions raise Damaged, as `Hopper.fields` does.
"""

from __future__ import annotations

from tensorboard_plugin_memviewer.formats import wire
from tensorboard_plugin_memviewer.formats.range_hop import Hopper

MOST_NAMES = 10_000
LONGEST_TEXT = 1 << 16


class Stat:
    """One XStat: an integer or a span of the file; `kind` is the number of the value's field."""

    __slots__ = ("end", "kind", "metadata_id", "number", "start")

    def __init__(self) -> None:
        self.metadata_id = 0
        self.kind = 0
        self.number = 0
        self.start = 0
        self.end = 0


class Entry:
    """One event metadata, its stats not yet named: their names come later in the plane."""

    __slots__ = ("metadata_id", "name", "stats")

    def __init__(self) -> None:
        self.metadata_id = 0
        self.name = ""
        self.stats: list[Stat] = []


def plane_name(hopper: Hopper, start: int, end: int) -> str | None:
    """The plane's name, wherever it stands among the fields; None where it has none."""
    for number, kind, a, b in hopper.fields(start, end):
        if number == 2 and kind == wire.BYTES:
            return hopper.text(a, b, LONGEST_TEXT)
    return None


def plane_facts(hopper: Hopper, start: int, end: int) -> dict[str, int | str]:
    """The integer and text stats of a plane by name; lines and event metadata are stepped over."""
    names: dict[int, str] = {}
    stats: list[Stat] = []
    for number, kind, a, b in hopper.fields(start, end):
        if kind == wire.BYTES and number == 5 and len(names) < MOST_NAMES:
            read_stat_name(hopper, a, b, names)
        elif kind == wire.BYTES and number == 6 and len(stats) < MOST_NAMES:
            stats.append(read_stat(hopper, a, b))
    return name_stats(hopper, stats, names)


def name_stats(hopper: Hopper, stats: list[Stat], names: dict[int, str]) -> dict[str, int | str]:
    """The integer and text stats among `stats` by the names of their metadata."""
    facts: dict[str, int | str] = {}
    for stat in stats:
        name = names.get(stat.metadata_id)
        if name is None:
            continue
        if stat.kind in (3, 4):
            facts[name] = stat.number
        elif stat.kind == 5:
            facts[name] = hopper.text(stat.start, stat.end, LONGEST_TEXT)
        elif stat.kind == 7:
            facts[name] = names.get(stat.number, "")
    return facts


def read_entry(hopper: Hopper, start: int, end: int) -> Entry:
    """An entry of the map from id to XEventMetadata."""
    entry = Entry()
    for number, kind, a, b in hopper.fields(start, end):
        if number == 1 and kind == wire.VARINT:
            entry.metadata_id = wire.signed(a)
        elif number == 2 and kind == wire.BYTES:
            _read_event_metadata(hopper, a, b, entry)
    return entry


def _read_event_metadata(hopper: Hopper, start: int, end: int, entry: Entry) -> None:
    for number, kind, a, b in hopper.fields(start, end):
        if kind != wire.BYTES:
            continue
        if number == 2:
            entry.name = hopper.text(a, b, LONGEST_TEXT)
        elif number == 5 and len(entry.stats) < MOST_NAMES:
            entry.stats.append(read_stat(hopper, a, b))


def read_stat_name(hopper: Hopper, start: int, end: int, names: dict[int, str]) -> None:
    """An entry of the map from id to XStatMetadata; the last one of a cut file is skipped: it may be cut."""
    if hopper.missing_bytes > 0 and end == hopper.size:
        return
    key, name = 0, ""
    for number, kind, a, b in hopper.fields(start, end):
        if number == 1 and kind == wire.VARINT:
            key = wire.signed(a)
        elif number == 2 and kind == wire.BYTES:
            for inner, inner_kind, c, d in hopper.fields(a, b):
                if inner == 2 and inner_kind == wire.BYTES:
                    name = hopper.text(c, d, LONGEST_TEXT)
    names[key] = name


def read_stat(hopper: Hopper, start: int, end: int) -> Stat:
    """An XStat; a text or blob stays in the file."""
    stat = Stat()
    for number, kind, a, b in hopper.fields(start, end):
        if number == 1 and kind == wire.VARINT:
            stat.metadata_id = wire.signed(a)
        elif kind == wire.VARINT:
            stat.kind, stat.number = number, wire.signed(a) if number == 4 else a
        elif kind == wire.BYTES:
            stat.kind, stat.start, stat.end = number, a, b
    return stat
