"""What a file is, told by its first bytes: the files that the tests have, and what only looks like one."""

from __future__ import annotations

import gzip
import lzma
from pathlib import Path

import pytest

from tensorboard_plugin_memviewer.formats.file_kind import HEAD_BYTES, kind_of
from tensorboard_plugin_memviewer.protos import memviewer_saved_pb2
from tests.conftest import ROOT
from tests.formats.riegeli_bytes import file_of, simple

DATA = ROOT / "tests" / "data"
DEMO = ROOT / "tensorboard_plugin_memviewer" / "demo"
BY_ENDING = {
    ".xplane.pb": "capture",
    ".hlo_proto.pb": "hlo_proto",
    "after_optimizations.hlo.pb": "hlo_proto",
    "buffer-assignment.txt": "dump_text",
}
FILES = [
    (path, kind)
    for ending, kind in BY_ENDING.items()
    for root in (DATA, DEMO)
    for path in sorted(root.rglob(f"*{ending}"))
    if "damaged" not in path.parts
]


def test_there_are_files_of_each_kind() -> None:
    assert {kind for _, kind in FILES} == set(BY_ENDING.values())


@pytest.mark.parametrize(("path", "kind"), FILES, ids=[path.name for path, _ in FILES])
def test_real_files_packed_and_not(path: Path, kind: str) -> None:
    head = path.read_bytes()[:HEAD_BYTES]
    assert kind_of(head) == kind
    assert kind_of(gzip.compress(head)) == kind
    assert kind_of(lzma.compress(head, preset=0)) == kind


def test_saved_answers_of_all_forms() -> None:
    for path in (DATA / "xprof").glob("*.json.gz"):
        assert kind_of(path.read_bytes()[:HEAD_BYTES]) == "saved", path.name
    assert kind_of(b'\xef\xbb\xbf {"heap_sizes": [1.0]}') == "saved"
    for message in (
        memviewer_saved_pb2.Result(heap_sizes=[0, 1.5, 12.25], module_name="m", entry_computation_name="e"),
        memviewer_saved_pb2.Result(module_name="m", entry_computation_name="e"),
    ):
        assert kind_of(message.SerializeToString()) == "saved"


def test_an_hlo_proto_as_json_goes_to_the_reader_that_names_it() -> None:
    assert kind_of(b'{"hloModule": {"name": "jit_f"}, "bufferAssignment": {}}') == "saved"


def test_records() -> None:
    assert kind_of(file_of(simple([b"x"]))) == "records"


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"x",
        b"\x0a",
        b"HloModule jit_f, is_scheduled=true\n",
        b'{"traceEvents": [{"args": {"hlo_module": "jit_f"}}]}',
        # Another message of XProf: its field 1 begins with messages, not with a name.
        b"\x0a\x08\x0a\x06\x08\x01\x12\x02\x08\x03",
        b"\x0a\x00",
        b"PK\x03\x04",
        gzip.compress(b"plain", mtime=0),
    ],
)
def test_what_is_none_of_them(head: bytes) -> None:
    assert kind_of(head) is None
