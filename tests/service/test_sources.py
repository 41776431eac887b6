"""Programs are found wherever they lie: in captures, in records, beside a capture that is broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorboard_plugin_memviewer.formats import wire
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
    assert "cut short" in problems[0].message


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
