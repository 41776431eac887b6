"""`make bench`: speed and memory side by side with XProf, in one run; the table goes to docs/performance.md.

Everything measured is made here or lies in tests/data. Unix only, some 5 GB of disk while it runs.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import lzma
import os
import platform
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bench import captures, first_picture, page, startup, warm_server
from bench.measured import ROOT, Cost, best_of, cost_of
from bench.repeated import repeated
from tests.browser.tensorboard import Server, serve
from tools.pack_demo import DATA, packed, program_names

_LISTED = ("v5e_tf_scan", "v5e_tf_remat", "v4_convnet", "h100_tf_scan")
_HOSTS = 256
_PASSES = 10
_MODULES = 20
_TURNS = 5
# A field that no reader knows makes contents differ.
_UNKNOWN_FIELD = b"\xba\x3e\x04"
_GROWTH = (27_500, 55_000, 110_000, 220_000)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; "" where there is nothing to compare with."""

    work: str
    ours: str
    theirs: str = ""
    ratio: str = ""


def main() -> int:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table into this file")
    parser.add_argument("--page", action="store_true", help="measure the page alone")
    arguments = parser.parse_args()
    write: Path | None = arguments.write
    parts: dict[str, tuple[Callable[[Path], list[Row]], ...]] = {"The page": (among_many, in_chromium)}
    if not arguments.page:
        parts["Measured"] = (listing, views, growth, many_hosts, tensorboard_start)
    for heading, measures in parts.items():
        rows = _measured(measures)
        if write is not None:
            text = _with_table(write.read_text(encoding="utf-8"), heading, rows)
            write.write_text(text, encoding="utf-8")
    return 0


def _measured(measures: Iterable[Callable[[Path], list[Row]]]) -> list[Row]:
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="memviewer-bench-") as folder:
        for measure in measures:
            for row in measure(Path(folder)):
                print(f"{row.work}: {row.ours}  |  {row.theirs}  |  {row.ratio}", flush=True)
                rows.append(row)
    return rows


def listing(folder: Path) -> list[Row]:
    """The programs of a capture, by a cold process."""
    rows = []
    ours_small: Cost | None = None
    for mib, metadata_last in ((300, True), (300, False), (2048, True)):
        path = folder / "listing" / f"{mib}-{metadata_last}" / "host0.xplane.pb"
        captures.write_capture(path, _programs(_LISTED), mib, metadata_last=metadata_last)
        where = "last" if metadata_last else "first"
        work = f"list the programs of {mib} MiB, their plane {where}"
        ours = best_of(5, [Path(sys.executable).with_name("memviewer"), "list", path])
        if mib == 300:
            ours_small = ours_small or ours
            theirs = min((_xprof_listing(path, turn) for turn in range(3)), key=lambda cost: cost.seconds)
            faster, smaller = theirs.seconds / ours.seconds, theirs.peak_bytes / ours.peak_bytes
            rows.append(
                Row(work, _cost(ours), _cost(theirs), f"{faster:.0f} × faster, {smaller:.0f} × less memory")
            )
        else:
            assert ours_small is not None
            rows.append(
                Row(work, _cost(ours), "", f"{ours.seconds / ours_small.seconds:.2f} × the time of 300 MiB")
            )
        shutil.rmtree(path.parent)
    return rows


def _xprof_listing(path: Path, turn: int) -> Cost:
    """In a folder of its own: XProf keeps what it has read beside the capture."""
    fresh = path.parent / str(turn) / path.name
    fresh.parent.mkdir()
    fresh.hardlink_to(path)
    return cost_of(sys.executable, ROOT / "bench" / "xprof_listing.py", fresh)


def views(folder: Path) -> list[Row]:
    """The first view of a large module in a warm server, and the ones after it; the best of three servers."""
    rows = []
    for run in ("v5e_huge3k", "h100_huge_dots"):
        hlo_proto = _large(run)
        seen = [_seen_first(folder / "views" / f"{run} {turn}", run, hlo_proto) for turn in range(3)]
        ours, theirs = min(one.ours for one in seen), min(one.theirs for one in seen)
        work = f"first view of {run} ({len(hlo_proto) / 1e6:.1f} MB)"
        rows.append(Row(work, f"{ours:.2f} s", f"{theirs:.2f} s", f"{theirs / ours:.1f} × faster"))
        sent, xprof_sent = seen[0].sent, seen[0].xprof_sent
        ratio = f"{xprof_sent / sent:.1f} × less"
        rows.append(Row("… sent, gzipped", f"{sent / 1e6:.2f} MB", f"{xprof_sent / 1e6:.2f} MB", ratio))
        for name in seen[0].later:
            rows.append(Row(name, f"{min(one.later[name] for one in seen) * 1e3:.1f} ms"))
    return rows


@dataclass(frozen=True, slots=True)
class _Seen:
    """Seconds and bytes of the first view of a run, and seconds of what comes after it by name."""

    ours: float
    sent: int
    theirs: float
    xprof_sent: int
    later: dict[str, float]


def _seen_first(logdir: Path, run: str, hlo_proto: bytes) -> _Seen:
    """In a server and a logdir of its own: XProf keeps what it has read beside the capture."""
    _capture(logdir, "warm_up", _programs(_LISTED[:1]))
    _capture(logdir, run, [(f"jit_{run}(7)", hlo_proto)])
    with warm_server.warm(logdir) as server:
        ours, sent = warm_server.first_view(server, run, "HBM")
        theirs, xprof_sent = warm_server.xprof_first_view(server, run, 0)
        return _Seen(ours, sent, theirs, xprof_sent, _later(server, run))


def _later(server: Server, run: str) -> dict[str, float]:
    chosen = {"run": run, "module": f"jit_{run}(7)", "space": "HBM"}
    first = [
        warm_server.later_view(server, "breakdown", **chosen, at="50", by=by)
        for by in ("scope", "source", "type", "opcode", "dtype", "shape")
    ]
    breakdowns = [
        warm_server.later_view(server, "breakdown", **chosen, at=str(point), by=by)
        for point in range(100, 1100, 100)
        for by in ("scope", "source")
    ]
    again = [warm_server.later_view(server, "usage", **chosen) for _ in range(5)]
    median = statistics.median
    return {
        "… the first grouping, the slowest of six kinds": max(first),
        "… a grouping at another point": median(breakdowns),
        "… the usage again": median(again),
    }


def among_many(folder: Path) -> list[Row]:
    """The first picture of a large module in a run of many such, against that in a run of it alone."""
    large = _large("v5e_huge3k")
    programs = [
        (f"jit_huge({at})", large + _UNKNOWN_FIELD + f"{at:04}".encode()) for at in range(1, _MODULES + 1)
    ]
    named = programs[_MODULES // 3]
    alone, many = folder / "alone", folder / "many"
    for logdir, held in ((alone, [named]), (many, programs)):
        _capture(logdir, "warm_up", _programs(_LISTED[:1]))
        _capture(logdir, "run", held)
    measured = first_picture.measure(alone, many, "run", named[0], _TURNS)
    shutil.rmtree(many)
    if measured is None:
        return []
    work = f"first picture of a module of {len(large) / 1e6:.1f} MB in a run of {_MODULES} such modules"
    ratio = f"{measured.ratio:.2f} × the time in a run of that module alone ({measured.alone:.2f} s)"
    return [Row(work, f"{measured.among_many:.2f} s", "", ratio)]


def in_chromium(folder: Path) -> list[Row]:
    """The page on a real program grown to 100,000 logical buffers and 50,000 points, and on a long chain."""
    logdir = folder / "page"
    _capture(logdir, "real", [("jit_large(7)", repeated(_large("v5e_huge3k"), _PASSES))])
    _capture(logdir, "chain", [("jit_large(7)", captures.long_chain(100_000))])
    rows = []
    with serve(logdir) as server:
        for run, space in (("real", "HBM"), ("real", "VMEM"), ("chain", "HBM")):
            measured = page.measure(server, run, "jit_large(7)", space)
            rows += [Row(f"{run} {space}: {one.work}", one.result) for one in measured]
    return rows


def growth(folder: Path) -> list[Row]:
    """From bytes to payload, in a process of its own: a real program, the same three times over, and made-up
    ones as they grow.
    """
    real = _large("h100_huge_dots")
    cases: dict[str, Callable[[], bytes]] = {
        "h100_huge_dots": lambda: real,
        "h100_huge_dots three times over": lambda: repeated(real, 3),
    }
    for buffers in _GROWTH:
        work = f"{buffers:,} buffers, {4 * buffers:,} instructions"
        cases[work] = partial(captures.grown_module, buffers)
    rows = []
    path = folder / "grown.hlo_proto.pb"
    for work, made in cases.items():
        path.write_bytes(made())
        cost = cost_of(sys.executable, "-m", "bench.payload", path)
        rows.append(Row(f"decode, replay and payload of {work}", _cost(cost)))
    path.unlink()
    return rows


def many_hosts(folder: Path) -> list[Row]:
    """The list of modules of a run with one host and with many that run the same program, each seen first."""
    cases = {
        "10.8 MB": [("jit_huge(7)", _large("v5e_huge3k"))],
        "1.3 MB, in three programs": _programs(_LISTED[1:]),
    }
    rows = []
    for size, programs in cases.items():
        one, many = (
            _first_list(folder / "hosts" / f"{size} {hosts}", programs, hosts) for hosts in (1, _HOSTS)
        )
        ratio = f"{many / one:.2f} × the time of one host ({one:.2f} s)"
        rows.append(Row(f"the modules of a run of {_HOSTS} hosts, {size} each", f"{many:.2f} s", "", ratio))
    return rows


def _first_list(logdir: Path, programs: list[tuple[str, bytes]], hosts: int) -> float:
    """Seconds of the first list of modules, its directory listing included, in a warm server."""
    _capture(logdir, "warm_up", _programs(_LISTED[:1]))
    _capture(logdir, "run", programs)
    first = logdir / "plugins" / "profile" / "run" / "host0.xplane.pb"
    for host in range(1, hosts):
        first.with_name(f"host{host}.xplane.pb").hardlink_to(first)
    with warm_server.warm(logdir) as server:
        return warm_server.modules_of(server, "run")


def tensorboard_start(_: Path) -> list[Row]:
    """What our plugin adds to TensorBoard's start."""
    rows = [Row("import and making of the plugin in TensorBoard", str(startup.our_part()))]
    for xprof, beside in ((True, "with xprof"), (False, "without xprof")):
        one = startup.starts(xprof=xprof)
        rows.append(Row(f"TensorBoard {beside}, until it lists its plugins, without ours", str(one.without)))
        rows.append(Row("… our plugin adds", str(one.added)))
        rows.append(Row("… of processor time", str(one.added_processor)))
    return rows


def _programs(modules: tuple[str, ...]) -> list[tuple[str, bytes]]:
    names = program_names()
    return [(names[module], (DATA / "modules" / f"{module}.hlo_proto.pb").read_bytes()) for module in modules]


def _large(module: str) -> bytes:
    return lzma.decompress((DATA / "large" / f"{module}.hlo_proto.pb.xz").read_bytes())


def _capture(logdir: Path, run: str, programs: list[tuple[str, bytes]]) -> None:
    path = logdir / "plugins" / "profile" / run / "host0.xplane.pb"
    path.parent.mkdir(parents=True)
    path.write_bytes(packed("host0", programs))


def _cost(cost: Cost) -> str:
    return f"{cost.seconds:.2f} s, {cost.peak_bytes / 2**20:.0f} MiB"


def _with_table(text: str, heading: str, rows: list[Row]) -> str:
    """The document with the table under a heading made anew; what is written there before it stays."""
    head, _, tail = text.partition(f"## {heading}\n")
    words, _, rest = tail.partition("\n## ")
    prose = words.partition("\nMeasured on ")[0].strip()
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    where = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores{load}"
    versions = f"Python {platform.python_version()}, xprof {importlib.metadata.version('xprof')}"
    lines = [f"| {row.work} | {row.ours} | {row.theirs} | {row.ratio} |" for row in rows]
    table = "\n".join(["| work | Memory Viewer | XProf | ratio |", "| --- | --- | --- | --- |", *lines])
    section = "\n\n".join(part for part in (prose, f"Measured on {where}, {versions}.", table) if part)
    return f"{head}## {heading}\n\n{section}\n" + (f"\n## {rest}" if rest else "")


if __name__ == "__main__":
    sys.exit(main())
