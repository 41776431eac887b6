"""Programs are found wherever they lie: in captures, in records, beside a capture that is broken."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tensorboard_plugin_memviewer.formats import wire
from tensorboard_plugin_memviewer.service.fingerprint import samples
from tensorboard_plugin_memviewer.service.programs import ProgramFinder
from tensorboard_plugin_memviewer.service.service import Service
from tests.formats.capture_bytes import metadata_plane, program
from tests.formats.riegeli_bytes import file_of, simple

MODULES = Path(__file__).parents[1] / "data" / "modules"
TINY, PADDING = ((MODULES / f"{name}.hlo_proto.pb").read_bytes() for name in ("v5e_tiny", "v5e_padding"))


def name_of(proto: bytes) -> str:
    _, _, start, end = next(wire.fields(proto))
    _, _, start, end = next(wire.fields(proto, start, end))
    return wire.text(proto, start, end)


def session(root: Path) -> Path:
    folder = root / "plugins" / "profile" / "r"
    folder.mkdir(parents=True)
    return folder


def test_a_capture_in_records_gives_what_the_plain_one_gives(tmp_path: Path) -> None:
    brotli = pytest.importorskip("brotli")
    planes = [metadata_plane(program(1, "jit_f(1)", TINY)), metadata_plane(program(2, "jit_g(2)", PADDING))]
    (session(tmp_path / "plain") / "h.xplane.pb").write_bytes(b"".join(planes))
    (session(tmp_path / "records") / "h.xplane.riegeli").write_bytes(
        file_of(*(simple([p], brotli) for p in planes))
    )
    plain, records = (Service(str(tmp_path / kind)).modules("r") for kind in ("plain", "records"))
    assert [module.digest for module in records.modules] == [module.digest for module in plain.modules]
    assert len(records.modules) == 2
    assert records.problems == ()


def test_records_cut_short_say_so(tmp_path: Path) -> None:
    data = file_of(simple([metadata_plane(program(1, "jit_f(1)", TINY))]), simple([bytes(1000)]))
    (session(tmp_path) / "h.xplane.riegeli").write_bytes(data[:-500])
    programs, problems = ProgramFinder(str(tmp_path)).programs("r", None)
    assert [found.key for found in programs] == ["jit_f(1)"]
    assert "truncated" in problems[0].message


def test_programs_beside_a_broken_capture_are_shown(tmp_path: Path) -> None:
    folder = session(tmp_path)
    (folder / "h.xplane.pb").write_bytes(b"\xff" * 100)
    (folder / "jit_f(1).hlo_proto.pb").write_bytes(TINY)
    programs, problems = ProgramFinder(str(tmp_path)).programs("r", None)
    assert [found.key for found in programs] == ["jit_f(1)"]
    assert [problem.code for problem in problems] == ["damaged"]


def test_programs_beside_a_good_capture_are_not_shown_twice(tmp_path: Path) -> None:
    folder = session(tmp_path)
    (folder / "h.xplane.pb").write_bytes(metadata_plane(program(1, "jit_f(1)", TINY)))
    (folder / "jit_f(1).hlo_proto.pb").write_bytes(TINY)
    programs, problems = ProgramFinder(str(tmp_path)).programs("r", None)
    assert [found.kind for found in programs] == ["capture"]
    assert problems == ()


def test_a_half_written_capture_appears_once_it_is_whole(tmp_path: Path) -> None:
    first, second = f"{name_of(TINY)}(1)", f"{name_of(PADDING)}(2)"
    whole = metadata_plane(program(1, first, TINY), program(2, second, PADDING))
    path = session(tmp_path) / "h.xplane.pb"
    finder = ProgramFinder(str(tmp_path))
    path.write_bytes(whole[: len(TINY) + 500])
    programs, problems = finder.programs("r", None)
    assert [found.key for found in programs] == [first]
    assert "cut short" in problems[0].message and "still being written" in problems[0].advice
    path.write_bytes(whole)
    finder.forget_listing()
    programs, problems = finder.programs("r", None)
    assert [found.key for found in programs] == [first, second]
    assert problems == ()


def test_large_programs_that_differ_between_samples_are_two(tmp_path: Path) -> None:
    whole, other = _alike_in_the_samples()
    for host in ("h0", "h1"):
        for run, content in (("before", whole), ("after", other)):
            _write_capture(tmp_path, run, host, content)
    service = Service(str(tmp_path))
    before, after = (service.modules(run).modules for run in ("before", "after"))
    assert [module.hosts for module in (*before, *after)] == [("h0", "h1")] * 2
    assert before[0].fingerprint != after[0].fingerprint
    allocated = [sum(s.headline.allocated_bytes for s in run[0].spaces) for run in (before, after)]
    assert allocated[0] > allocated[1]


@pytest.mark.parametrize("rewritten", [("h0",), ("h0", "h1")])
def test_a_large_program_rewritten_between_samples_is_read_anew(
    rewritten: tuple[str, ...], tmp_path: Path
) -> None:
    whole, other = _alike_in_the_samples()
    for host in ("h0", "h1"):
        _write_capture(tmp_path, "run", host, whole)
    service = Service(str(tmp_path))

    def allocated() -> int:
        _, _, usage = service.usage("run", "h0", "jit_f(1)", "HBM")
        return usage.headline.allocated_bytes

    before = allocated()
    for host in rewritten:
        path = _write_capture(tmp_path, "run", host, other)
        # Some file systems keep times so coarsely that two writes in a row have the same.
        later = path.stat().st_mtime_ns + 10**9
        os.utime(path, ns=(later, later))
    service._finder.forget_listing()
    assert allocated() < before


def _alike_in_the_samples() -> tuple[bytes, bytes]:
    """A program, and one whose first differing byte, the size of an allocation, no sample holds."""
    whole = (MODULES / "v5e_odd_names.hlo_proto.pb").read_bytes()
    sampled = [position for span in samples(0, len(whole)) for position in range(*span)]
    at = (set(_sizes_of_allocations(whole)) - set(sampled)).pop()
    other = bytearray(whole)
    other[at] -= 1
    return whole, bytes(other)


def _write_capture(logdir: Path, run: str, host: str, content: bytes) -> Path:
    path = logdir / "plugins" / "profile" / run / f"{host}.xplane.pb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(metadata_plane(program(1, "jit_f(1)", content)))
    return path


def _sizes_of_allocations(proto: bytes) -> list[int]:
    """Positions of the last byte of each size that a byte less is smaller and as long."""
    assignment = next((a, b) for number, _, a, b in wire.fields(proto) if number == 3)
    allocations = [(a, b) for number, _, a, b in wire.fields(proto, *assignment) if number == 3]
    sizes = (field for span in allocations for field in wire.fields(proto, *span) if field[0] == 2)
    return [after - 1 for _, _, _, after in sizes if proto[after - 1] > 1]
