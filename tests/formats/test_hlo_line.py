"""One line of a module's text: what is in it, and hostile ones in bounded time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_plugin_memviewer.formats.hlo_line import (
    AliasText,
    InstructionText,
    MetadataText,
    config_json,
    parse_aliasing,
    parse_instruction,
    parse_metadata,
)
from tests.cost import grows_in_proportion


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "  ROOT %r.1 = (f32[8,128]{1,0:T(8,128)}, /*index=1*/s32[]{:S(2)}) tuple(%a, /*index=1*/%b)",
            InstructionText(
                "r.1",
                "(f32[8,128]{1,0:T(8,128)}, /*index=1*/s32[]{:S(2)})",
                "tuple",
                ("a", "b"),
                is_root=True,
            ),
        ),
        (
            "  w = f32[8]{0} while((f32[8]{0}, s32[]) %t), condition=%c, body=%b, backend_config={}",
            InstructionText("w", "f32[8]{0}", "while", ("t",), ("b", "c"), config="{}"),
        ),
        (
            "  %c = f32[] conditional(%i, %x, %y), branch_computations={%one, %two}",
            InstructionText("c", "f32[]", "conditional", ("i", "x", "y"), ("one", "two")),
        ),
        (
            "  %c = f32[] conditional(%p, %x, %y), true_computation=%one, false_computation=%two",
            InstructionText("c", "f32[]", "conditional", ("p", "x", "y"), ("one", "two")),
        ),
        (
            '  %s = s8[3]{0} constant("a)b, calls=%f"), metadata={op_name="x, index=3"}',
            InstructionText("s", "s8[3]{0}", "constant", metadata='{op_name="x, index=3"}'),
        ),
        (
            "  %g = f32[<=4] get-tuple-element(%t), index=7, sharding={devices=[2,4]<=[8]}",
            InstructionText("g", "f32[<=4]", "get-tuple-element", ("t",), tuple_index=7),
        ),
        ("  %p = token[] parameter(12)", InstructionText("p", "token[]", "parameter", parameter_number=12)),
        (
            '  %k = f32[] custom-call(), custom_call_target="a\\"b", called_computations={%d}',
            InstructionText("k", "f32[]", "custom-call", calls=("d",), custom_call_target='a"b'),
        ),
        (
            "  %a = f32[2] all-gather(%b), replica_groups=[1,4]<=[4], dimensions={0}, to_apply=%m",
            InstructionText("a", "f32[2]", "all-gather", ("b",), ("m",)),
        ),
    ],
)
def test_lines_of_real_compilers(line: str, expected: InstructionText) -> None:
    assert parse_instruction(line) == expected


@pytest.mark.parametrize("line", ["", "}", "  %x", "  %x = ", "  %x = f32[8]", "ENTRY %main {", " // note"])
def test_what_holds_no_instruction(line: str) -> None:
    assert parse_instruction(line) is None


def test_metadata_with_quotes_and_bytes() -> None:
    text = r'{op_type="t" op_name="a \"source_line=3\" \'\303\274\' \\ é" source_file="f.py" source_line=12}'
    assert parse_metadata(text) == MetadataText("a \"source_line=3\" 'ü' \\ é", "f.py", 12)
    assert parse_metadata("{stack_frame_id=9}") == MetadataText(stack_frame_id=9)


def test_results_that_are_written_into_operands() -> None:
    aliasing = "output_to_operand_aliasing={{0}: (1, {}), {1}: (0, {2, 3}, may-alias)}"
    line = f"  %f = (f32[8], f32[8]) fusion(%a, %b), kind=kLoop, {aliasing}, calls=%c"
    found = parse_instruction(line)
    assert found is not None
    assert found.calls == ("c",)
    assert list(parse_aliasing(found.aliasing)) == [AliasText((0,), 1, ()), AliasText((1,), 0, (2, 3))]


def test_a_configuration_that_is_quoted() -> None:
    assert config_json('"{\\"a\\":1}"') == config_json('{"a":1}') == '{"a":1}'


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_line_is_read_or_not(one: str, two: str) -> None:
    parse_instruction(f"  %x = f32[] add({one}), metadata={two}")
    parse_instruction(one)


@pytest.mark.parametrize(
    ("before", "piece", "after"),
    [
        ("  %x = ", "(", ""),
        ("  %x = f32[] add(", '"\\', ""),
        ("  %x = f32[] add(", "{", "), a=b"),
        ("  %x = f32[] add(), backend_config=", "[", ""),
        ("  %x = f32[] add(), backend_config=", '{"a":', ""),
        ("  %x = f32[] add()", ", a={", ""),
        ("  %x = f32[] add()", ", calls=%", ""),
        ("  %x = f32[] add(), metadata={", 'op_name="', ""),
        ("  %x = f32[] add(), metadata={", "op_name", ""),
        ("  %", "x", " = "),
        ("  %x = f32[] ", "a", "("),
        ("  %x = ", " a", ""),
    ],
)
def test_hostile_lines_cost_in_proportion(before: str, piece: str, after: str) -> None:
    def read(times: int) -> None:
        found = parse_instruction(before + piece * (12_000 * times) + after)
        if found is not None:
            parse_metadata(found.metadata)

    assert grows_in_proportion(read)
