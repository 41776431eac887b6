"""A path leads to a file of any name and packing; in a folder names count, and doctor names the rest."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Answer

Command = Callable[..., Answer]
Pack = Callable[[bytes], bytes]


def numbers(answer: Answer) -> list[object]:
    """The peaks of every module and space, without what names say."""
    assert answer.code == 0, answer.err
    return [[space["peak_bytes"] for space in module["spaces"]] for module in answer.json["modules"]]


def summary(memviewer: Command, path: Path) -> list[object]:
    return numbers(memviewer("summary", path, "--format", "json"))


def as_it_is(data: bytes) -> bytes:
    return data


def content(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def two_members(data: bytes) -> bytes:
    return gzip.compress(data[: len(data) // 2]) + gzip.compress(data[len(data) // 2 :])


@pytest.fixture(params=["module", "capture", "text", "saved"])
def real(request: pytest.FixtureRequest, data: Path, demo: Path) -> Path:
    kinds = {
        "module": data / "modules" / "v5e_while_cond.hlo_proto.pb",
        "capture": demo / "plugins" / "profile" / "tpu_v7x_sparsecore" / "host0.xplane.pb",
        "text": next((data / "dump_text").rglob("*-buffer-assignment.txt")),
        "saved": next((data / "xprof").glob("*.0.json.gz")),
    }
    return kinds[request.param]


@pytest.mark.parametrize("name", ["x (1).pb", "X.hlo.pb.txt", "noname", "h.xplane.pb.gz", "a.b.json", "f.gz"])
@pytest.mark.parametrize("pack", [as_it_is, gzip.compress, two_members, lzma.compress])
def test_a_path_is_told_by_its_bytes(
    memviewer: Command, tmp_path: Path, real: Path, name: str, pack: Pack
) -> None:
    conventional = tmp_path / {
        ".txt": "m.after_optimizations-buffer-assignment.txt",
        ".gz": "m.memory_viewer.json",
    }.get(real.suffix, real.name)
    conventional.write_bytes(content(real))
    (tmp_path / name).write_bytes(pack(content(real)))
    assert summary(memviewer, tmp_path / name) == summary(memviewer, conventional)


@pytest.mark.parametrize(("pack", "ending"), [(gzip.compress, ".gz"), (lzma.compress, ".xz")])
def test_a_packed_capture_of_a_run_is_read(
    memviewer: Command, tmp_path: Path, demo: Path, pack: Pack, ending: str
) -> None:
    capture = demo / "plugins" / "profile" / "tpu_v7x_sparsecore" / "host0.xplane.pb"
    run = tmp_path / "plugins" / "profile" / "r"
    run.mkdir(parents=True)
    (run / f"h.xplane.pb{ending}").write_bytes(pack(capture.read_bytes()))
    assert summary(memviewer, tmp_path) == summary(memviewer, capture)
    listed = memviewer("list", tmp_path, "--format", "json").json["runs"]
    assert [(one["run"], one["hosts"]) for one in listed] == [("r", ["h"])]
    # What `gzip -k` leaves is one capture, not two.
    (run / "h.xplane.pb").write_bytes(capture.read_bytes())
    assert summary(memviewer, tmp_path) == summary(memviewer, capture)


def test_a_dump_as_nsys_jax_keeps_it(memviewer: Command, tmp_path: Path, data: Path) -> None:
    dump, packed = tmp_path / "dump", tmp_path / "packed"
    dump.mkdir()
    packed.mkdir()
    module = data / "modules" / "v5e_while_cond.hlo_proto.pb"
    for name in (
        "module_0001.jit_f.cl_9.after_optimizations.hlo.pb",
        "module_0001.jit_f.cl_9.after_codegen.hlo.pb",
    ):
        (dump / name).write_bytes(module.read_bytes())
        (packed / f"{name}.xz").write_bytes(lzma.compress(module.read_bytes()))
    assert summary(memviewer, packed) == summary(memviewer, dump)


def test_what_is_nothing_that_is_read_says_so(memviewer: Command, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    answer = memviewer("summary", tmp_path / "notes.txt")
    assert answer.code == 2
    assert "notes.txt" in answer.err


def test_a_packed_bomb_costs_little(memviewer: Command, tmp_path: Path) -> None:
    bomb = b"".join(gzip.compress(bytes(1 << 24)) for _ in range(80))
    (tmp_path / "h.xplane.pb.gz").write_bytes(bomb)
    answer = memviewer("summary", tmp_path)
    assert answer.code == 2
    assert "expands to more than 1.00 GiB" in answer.err


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("my_module.pb", "modules under another name"),
        ("X.hlo.pb.txt", "modules under another name"),
        ("module_1.jit_f.cl_9.after_optimizations.hlo.pb.zst", "files with an unsupported compression"),
        ("module_1.jit_f.cl_9.0001.some_pass.after.hlo.pb.xz", "programs of other stages"),
        ("notes", "other files"),
    ],
)
def test_doctor_says_what_lies_there(
    memviewer: Command, tmp_path: Path, data: Path, name: str, said: str
) -> None:
    module = (data / "modules" / "v5e_while_cond.hlo_proto.pb").read_bytes()
    (tmp_path / name).write_bytes(b"some notes" if name == "notes" else module)
    answer = memviewer("doctor", tmp_path)
    assert answer.code == 1
    assert f"1 × {said}, such as {tmp_path / name}" in answer.out


def test_doctor_names_what_is_left_out_beside_what_is_shown(
    memviewer: Command, tmp_path: Path, data: Path
) -> None:
    module = (data / "modules" / "v5e_while_cond.hlo_proto.pb").read_bytes()
    for name in ("a.hlo_proto.pb", "a (1).pb"):
        (tmp_path / name).write_bytes(module)
    (tmp_path / "notes").write_bytes(b"some notes")
    out = memviewer("doctor", tmp_path).out
    assert "1 × modules under another name" in out
    assert "other files" not in out
