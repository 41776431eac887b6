"""A module's text becomes the module that its protobuf holds."""

from __future__ import annotations

import pytest

from tensorboard_plugin_memviewer.formats import wire
from tensorboard_plugin_memviewer.formats.hlo_of_text import encode_module
from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module
from tensorboard_plugin_memviewer.formats.hlo_text import parse_module
from tensorboard_plugin_memviewer.model.module import Module
from tests.cost import grows_in_proportion
from tests.formats.hlo_texts import MODULE, OLD_MODULE


def decoded(text: str, wanted: tuple[str, ...] = ()) -> Module:
    parsed = parse_module(text)
    assert parsed is not None
    return decode_module(encode_module(parsed, wanted) + wire.field(3, b""))


def test_columns_of_a_module() -> None:
    module = decoded(MODULE)
    table = module.instructions
    row = {name: at for at, name in enumerate(table.names)}
    assert (module.name, module.entry_name, module.has_schedule) == ("jit_f", "main", True)
    assert module.computations.names == ("body", "condition", "wrapped", "main")
    assert [table.names[root] for root in module.computations.root] == ["next", "less", "cc", "done"]
    assert module.instruction_count == len(table) + 2, "what is fused is counted"
    called = table.called[table.called_start[row["loop"]] : table.called_start[row["loop"] + 1]]
    assert [module.computations.names[at] for at in called] == ["body", "condition"]
    assert table.tuple_index[row["g1"]] == 1
    assert table.custom_call_target == {row["cc"]: 'Do"It"'}
    assert table.fusion_kind == {row["work"]: "kLoop"}
    assert module.shapes[table.shape[row["start"]]].text() == "((f32[8]{0}), f32[8]{0}, u32[]{:S(2)})"
    assert (module.scoped.size.tolist(), module.scoped.largest) == ([1024], {1: (1024, "work")})


def test_names_and_stacks() -> None:
    module = decoded(MODULE)
    said = {
        name: module.metadata[at]
        for name, at in zip(module.instructions.names, module.instructions.metadata, strict=True)
    }
    assert said["x"].op_name == "x['wü']"
    assert said["loop"][:3] == ("jit(f)/while, calls=%fused", "a b.py", 12)
    inner = said["work"].frame
    assert inner is not None
    outer = module.frames[inner].parent
    assert outer is not None
    assert (module.frames[inner].file, module.frames[inner].line) == ("lib.py", 7)
    assert (module.frames[outer].file, module.frames[outer].parent) == ('it\'s "mine".py', None)


def test_parents_that_are_numbered_as_in_the_protobuf() -> None:
    text = MODULE.replace("parent_frame_id=1", "").replace("parent_frame_id=2", "parent_frame_id=1")
    assert decoded(text).frames == decoded(MODULE).frames


def test_the_older_text() -> None:
    module = decoded(OLD_MODULE)
    assert module.instructions.names == ("Arg_0.1", "fusion")
    assert module.metadata[module.instructions.metadata[1]][:3] == ("jit(f)/add", "/home/u/f.py", 8)
    assert module.instructions.operands.tolist() == [0]


def test_what_a_plan_names_is_decoded_within_fusions_too() -> None:
    assert "neg" not in decoded(MODULE).instructions.names
    assert "neg" in decoded(MODULE, ("neg",)).instructions.names


@pytest.mark.parametrize(
    "shape", ["what", "type 99999999999[2]", "f32[2]{0:S(-1)}", "f32[999999999999999999]"]
)
def test_a_shape_that_cannot_be_read_leaves_the_rest(shape: str) -> None:
    module = decoded(OLD_MODULE.replace("ROOT fusion = s32[9]{0:T(128)}", f"ROOT fusion = {shape}"))
    assert module.instructions.names == ("Arg_0.1", "fusion")


@pytest.mark.parametrize("text", ["", "BufferAssignment:\n", "  HloModule x"])
def test_what_is_no_module(text: str) -> None:
    assert parse_module(text) is None


@pytest.mark.parametrize(
    ("before", "piece", "after"),
    [
        ("HloModule m\n%", "a (", "{"),
        ("HloModule m\n%a (", ") -> ", "{"),
        ("HloModule m\nENTRY %a {\n", "  %x = f32[] call(), to_apply=%a\n", ""),
        ("HloModule m\n", "ENTRY %a {\n}\n", ""),
        ("HloModule m\nStackFrames\n", "1 {parent_frame_id=1 file_location_id=1}\n", ""),
    ],
)
def test_hostile_texts_cost_in_proportion(before: str, piece: str, after: str) -> None:
    assert grows_in_proportion(lambda times: decoded(before + piece * (2_500 * times) + after))
