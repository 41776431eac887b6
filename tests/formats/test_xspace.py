"""Captures: which programs and devices are in them, at what cost, and what is said of broken ones."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tensorboard_plugin_memviewer.errors import Damaged
from tensorboard_plugin_memviewer.formats import xspace
from tensorboard_plugin_memviewer.model.device import DeviceFacts
from tests.conftest import CASES, DATA
from tests.formats.capture_bytes import Bytes, device_plane, hlo, metadata_plane, program, stat_names
from tools.wire_writer import field, message, varint

PROGRAMS = metadata_plane(
    program(1, "jit_f(17)", hlo("jit_f"), program_id=18_000_000_000_000_000_017),
    program(2, "jit_g(5)", hlo("jit_g", 9000)),
    stats=message((6, message((1, 3), (5, "0.10.2")))),
)
DEVICE = device_plane(
    "/device:TPU:0",
    [b"\xff" * 5000, b"\xff" * 100],
    message((6, message((1, 4), (7, 6))), (6, message((1, 5), (3, 1 << 34)))),
)
HOST = message((1, message((2, "/host:CPU"), (3, b"\xff" * 3000))))
PARTS = (PROGRAMS, DEVICE, HOST, message((4, "host-a")), message((4, "host-b")))
CAPTURE = b"".join(PARTS)


def scan(data: bytes) -> xspace.Capture:
    return xspace.scan(Bytes(data), "a.xplane.pb")


def test_programs_devices_and_versions_are_listed() -> None:
    capture = scan(CAPTURE)
    first, second = capture.programs
    assert (first.name, first.module_name, first.metadata_id) == ("jit_f(17)", "jit_f", 1)
    assert first.program_id == 18_000_000_000_000_000_017
    assert CAPTURE[first.start : first.end] == hlo("jit_f")
    assert second.program_id == 5
    assert CAPTURE[second.start : second.end] == hlo("jit_g", 9000)
    assert capture.devices == (DeviceFacts("/device:TPU:0", "TPU v9", 1 << 34),)
    assert capture.versions == {"jax": "0.10.2"}
    assert capture.problems == ()


def test_a_trace_is_stepped_over() -> None:
    trace = device_plane("/device:TPU:0", [b"\xff" * (1 << 20)] * 20, b"")
    small, large = Bytes(CAPTURE), Bytes(trace + CAPTURE + trace)
    assert xspace.scan(large).problems == xspace.scan(small).problems == ()
    assert large.read_bytes < 400_000
    assert large.reads < 60


def test_the_cost_does_not_grow_with_the_size_of_lines() -> None:
    def cost(line: int) -> tuple[int, int]:
        reader = Bytes(device_plane("/device:TPU:0", [b"\xff" * line] * 8, b"") + CAPTURE)
        xspace.scan(reader)
        return reader.reads, reader.read_bytes

    assert cost(1 << 23) == cost(1 << 21)


def test_the_name_of_a_plane_may_stand_behind_its_programs() -> None:
    inner = program(1, "jit_f(1)", hlo("jit_f", 100_000)) + stat_names() + message((2, "/host:metadata"))
    assert [found.name for found in scan(message((1, inner))).programs] == ["jit_f(1)"]


def test_names_of_stats_may_stand_before_the_programs() -> None:
    inner = message((2, "/host:metadata")) + stat_names() + program(1, "jit_f(1)", hlo("jit_f"))
    assert [found.name for found in scan(message((1, inner))).programs] == ["jit_f(1)"]


@pytest.mark.parametrize("spelling", ["Hlo Proto", "HLO Proto", "hlo proto"])
def test_the_stat_is_found_without_regard_to_case(spelling: str) -> None:
    assert scan(metadata_plane(program(1, "f(1)", hlo("f")), names={1: spelling})).programs != ()


def test_other_blobs_are_not_programs() -> None:
    capture = scan(metadata_plane(program(1, "f(1)", hlo("f")), names={1: "llo_proto"}))
    assert [problem.code for problem in capture.problems] == ["no_programs"]


def test_old_captures_use_the_program_id_as_key() -> None:
    (found,) = scan(
        metadata_plane(program(-8_800_332_967_749_297_542, "f(9646411105960254074)", hlo("f")))
    ).programs
    assert found.metadata_id == -8_800_332_967_749_297_542
    assert found.program_id == 9_646_411_105_960_254_074


def test_ids_and_names_at_their_defaults() -> None:
    (found,) = scan(
        metadata_plane(message((4, message((2, message((2, ""), (5, message((1, 1), (6, hlo("f"))))))))))
    ).programs
    assert (found.metadata_id, found.name, found.program_id) == (0, "", None)


def test_planes_of_merged_captures_are_all_read() -> None:
    capture = scan(CAPTURE + metadata_plane(program(1, "jit_h(3)", hlo("jit_h"))))
    assert [found.module_name for found in capture.programs] == ["jit_f", "jit_g", "jit_h"]


def test_facts_are_read_for_the_first_large_device_of_each_kind() -> None:
    stats = message((6, message((1, 5), (3, 80))))
    large = [device_plane(f"/device:GPU:{n}", [b"\xff" * 100_000], stats) for n in range(3)]
    small = device_plane("/device:GPU:3", [], stats)
    capture = scan(b"".join(large) + small)
    assert [device.memory_bytes for device in capture.devices] == [80, None, None, 80]


def test_two_cores_as_one_device_are_told() -> None:
    name = message((5, message((1, 9), (2, message((1, 9), (2, "has_megacore"))))))
    planes = [
        device_plane(f"/device:TPU:{n}", [], name + message((6, message((1, 9), (3, n))))) for n in (0, 1)
    ]
    assert [device.megacore for device in scan(b"".join(planes)).devices] == [False, True]
    assert scan(CAPTURE).devices[0].megacore is None


@given(st.integers(1, len(CAPTURE) - 1))
@example(CAPTURE.index(b"Hlo Proto") + 4)
def test_a_capture_cut_anywhere_gives_the_programs_before_the_cut(cut: int) -> None:
    whole = [(found.name, found.start, found.end) for found in scan(CAPTURE).programs]
    if cut < 5:
        with pytest.raises(Damaged, match=r"cut short") as caught:
            scan(CAPTURE[:cut])
        assert caught.value.path == "a.xplane.pb"
        return
    capture = scan(CAPTURE[:cut])
    found = [(program.name, program.start, program.end) for program in capture.programs]
    assert found == whole[: sum(end < cut for _, _, end in whole)]
    is_between_fields = cut in {len(b"".join(PARTS[:count])) for count in range(len(PARTS))}
    assert [problem.code for problem in capture.problems] == ([] if is_between_fields else ["damaged"])


@given(st.binary(max_size=300))
def test_any_bytes_are_a_partial_answer_or_damaged(data: bytes) -> None:
    with contextlib.suppress(Damaged):
        assert scan(data).problems


@settings(max_examples=300)
@given(st.data())
def test_a_capture_with_bytes_changed_is_a_partial_answer_or_damaged(data: st.DataObject) -> None:
    changed = bytearray(CAPTURE[:600] + CAPTURE[-200:])
    for _ in range(data.draw(st.integers(1, 4))):
        changed[data.draw(st.integers(0, len(changed) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(Damaged):
        for found in scan(bytes(changed)).programs:
            assert 0 <= found.start <= found.end <= len(changed)


def test_damage_in_one_plane_leaves_the_others() -> None:
    broken = message((1, message((2, "/device:TPU:0")) + b"\x2a\x7f\x00"))
    capture = scan(broken + CAPTURE)
    assert [found.module_name for found in capture.programs] == ["jit_f", "jit_g"]
    assert [problem.code for problem in capture.problems] == ["damaged"]
    assert capture.problems[0].path == "a.xplane.pb"


def test_damage_in_one_program_leaves_the_others() -> None:
    broken = message((4, b"\x0a\x7f\x00"))
    capture = scan(metadata_plane(broken, program(1, "jit_f(1)", hlo("jit_f"))))
    assert [found.module_name for found in capture.programs] == ["jit_f"]
    assert [problem.code for problem in capture.problems] == ["damaged"]


def test_an_empty_file_is_damaged() -> None:
    with pytest.raises(Damaged, match="empty"):
        scan(b"")


def test_a_file_turned_into_text_says_so() -> None:
    text = CAPTURE.decode("utf-8", errors="replace").encode()
    with pytest.raises(Damaged, match="UTF-8"):
        scan(text)


def test_too_many_fields_end_the_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xspace, "_MOST_FIELDS", 10_000)
    flood = message((1, message((2, "/host:metadata")) + field(1, 1) * 20_000))
    capture = scan(CAPTURE + flood)
    assert [found.module_name for found in capture.programs] == ["jit_f", "jit_g"]
    assert "too many fields" in capture.problems[0].message


def test_a_device_with_too_many_operations_does_not_hide_the_programs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(xspace, "_MOST_FIELDS_FOR_FACTS", 10_000)
    monkeypatch.setattr(xspace, "_MOST_FIELDS", 10_000)
    capture = scan(device_plane("/device:TPU:0", [b""] * 20_000, b"") + CAPTURE)
    assert [found.module_name for found in capture.programs] == ["jit_f", "jit_g"]
    assert capture.devices[0] == DeviceFacts("/device:TPU:0")
    assert capture.problems == ()


def test_a_claimed_length_costs_no_memory() -> None:
    claim = varint(4 << 3 | 2) + varint(1 << 62)
    capture = scan(message((1, message((2, "/host:metadata")))) + claim + b"host")
    assert "cut short" in capture.problems[0].message


@pytest.mark.parametrize(
    "path", sorted((DATA / "captures").rglob("*.xplane.pb")), ids=lambda path: path.parent.name
)
def test_a_real_capture_holds_the_programs_that_it_should(path: Path) -> None:
    import json

    expected = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))["cpu"][path.parent.name]
    capture = xspace.scan(Bytes(path.read_bytes()))
    assert capture.problems == ()
    assert {found.name for found in capture.programs} >= set(expected)
    assert capture.versions["jaxlib"] == "0.10.2"


@pytest.mark.cases
def test_a_capture_without_metadata_plane_says_so() -> None:
    capture = xspace.scan(Bytes((CASES / "damaged" / "no_metadata_plane.xplane.pb").read_bytes()))
    assert [problem.code for problem in capture.problems] == ["no_metadata_plane"]
    assert capture.devices[0].memory_bytes == 16_945_512_448


@pytest.mark.cases
def test_a_real_capture_turned_into_text_says_so() -> None:
    with pytest.raises(Damaged, match="UTF-8"):
        xspace.scan(Bytes((CASES / "damaged" / "reencoded_as_utf8.xplane.pb").read_bytes()))


@pytest.mark.cases
def test_device_planes_of_real_captures() -> None:
    tpu = xspace.scan(Bytes((CASES / "public" / "tpu_v6e_inference.xplane.pb").read_bytes()))
    assert (tpu.devices[0].type_text, len(tpu.devices), len(tpu.programs)) == ("TPU v6 Lite", 4, 4)
    gpu = xspace.scan(Bytes((CASES / "public" / "mi300x_attention.xplane.pb").read_bytes()))
    assert {device.memory_bytes for device in gpu.devices} == {206_141_652_992}
    assert len(gpu.programs) == 31
