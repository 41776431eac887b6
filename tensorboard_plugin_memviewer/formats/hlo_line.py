"""One line of XLA's text of a module → the instruction in it. Knows no other line.

    ROOT %name = f32[8]{0} fusion(%a, f32[8]{0} %b), kind=kLoop, calls=%f, metadata={op_name="x"}

Every pattern reads a character at most a few times, whatever the text is, and nothing recurses. What is not
understood is left out; a line that holds no instruction gives None.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

_HEAD = re.compile(r"\s*(ROOT )?%?([^\s=%]{1,4096}) = ", re.ASCII)
_OPCODE = re.compile(r" ([a-z][\w-]{0,255})\(", re.ASCII)
_BRACKET = re.compile(r"[()]")
# A string that is not closed ends with the line, so that it is not tried again from its next quote.
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)'
_TOKEN = re.compile(_STRING + r"|[(){}\[\],]", re.DOTALL)
_PLAIN = re.compile(r'[^"(){}\[\],]*(?=,|\Z)')
_KEY = re.compile(r",\s{0,9}([A-Za-z_][\w.-]{0,255})=", re.ASCII)
_COMMENT = re.compile(r"/\*index=\d{1,18}\*/", re.ASCII)
_NAME = re.compile(r"%?([^\s,{}%]+)")
_STRING_FIELD = re.compile(r'\b(op_name|source_file)="([^"\\]*(?:\\.[^"\\]*)*)"', re.DOTALL)
_NUMBER_FIELD = re.compile(r"\b(source_line|stack_frame_id)=(\d{1,9})\b", re.ASCII)
_ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|(.))", re.DOTALL)
_ESCAPED = {b"n": b"\n", b"t": b"\t", b"r": b"\r"}
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
_ALIAS = re.compile(r"\{([\d, ]{0,99})\}: \((\d{1,9}), \{([\d, ]{0,99})\}", re.ASCII)
_JSON = json.JSONDecoder()

# In the order in which a module's protobuf lists the computations that an instruction calls.
_CALLS = (
    "to_apply",
    "calls",
    "body",
    "condition",
    "true_computation",
    "false_computation",
    "branch_computations",
    "called_computations",
)


class InstructionText(NamedTuple):
    """An instruction as it is written. `shape`, `metadata` and `config` are XLA's text; `operands` and
    `calls` names, in order, of instructions and computations. The numbers are 0 where the opcode has none.
    `aliasing` states which parts of the result are written into operands.
    """

    name: str
    shape: str
    opcode: str
    operands: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    is_root: bool = False
    parameter_number: int = 0
    tuple_index: int = 0
    fusion_kind: str = ""
    custom_call_target: str = ""
    metadata: str = ""
    config: str = ""
    aliasing: str = ""


def parse_instruction(line: str) -> InstructionText | None:
    """The instruction of a line; None where it holds none."""
    head = _HEAD.match(line)
    if head is None:
        return None
    start = head.end()
    if line.startswith("(", start):
        opcode = _OPCODE.match(line, _after_bracket(line, start))
    else:
        opcode = _OPCODE.search(line, start)
    if opcode is None:
        return None
    parts, end = _operands(line, opcode.end())
    found = dict(_attributes(line, end))
    name = opcode[1]
    literal = name in ("parameter", "constant")
    return InstructionText(
        name=head[2],
        shape=line[start : opcode.start()],
        opcode=name,
        operands=() if literal else tuple(operand for part in parts if (operand := _operand(part))),
        calls=tuple(call for key in _CALLS if key in found for call in _NAME.findall(found[key])),
        is_root=head[1] is not None,
        parameter_number=_number(parts[0]) if name == "parameter" and parts else 0,
        tuple_index=_number(found.get("index", "")) if name == "get-tuple-element" else 0,
        fusion_kind=found.get("kind", "") if name == "fusion" else "",
        custom_call_target=_unquoted(found.get("custom_call_target", "")),
        metadata=found.get("metadata", ""),
        config=found.get("backend_config", ""),
        aliasing=found.get("output_to_operand_aliasing", ""),
    )


class AliasText(NamedTuple):
    """A part of a result, by its shape index, that is written into a part of an operand, by its number."""

    part: tuple[int, ...]
    operand: int
    operand_part: tuple[int, ...]


def parse_aliasing(text: str) -> Iterator[AliasText]:
    """The parts of `{{1}: (0, {}), {2}: (1, {0})}`."""
    for match in _ALIAS.finditer(text):
        index, operand_index = (tuple(map(int, _NUMBER.findall(part))) for part in (match[1], match[3]))
        yield AliasText(index, int(match[2]), operand_index)


class MetadataText(NamedTuple):
    """The fields of a `metadata={…}`; "" and 0 for those that it lacks."""

    op_name: str = ""
    source_file: str = ""
    source_line: int = 0
    stack_frame_id: int = 0


def parse_metadata(text: str) -> MetadataText:
    """The fields of a `metadata={…}`."""
    words = {match[1]: unescaped(match[2]) for match in _STRING_FIELD.finditer(text)}
    numbers = {match[1]: int(match[2]) for match in _NUMBER_FIELD.finditer(_STRING_FIELD.sub("", text))}
    return MetadataText(
        words.get("op_name", ""),
        words.get("source_file", ""),
        numbers.get("source_line", 0),
        numbers.get("stack_frame_id", 0),
    )


def config_json(text: str) -> str:
    """The JSON of a `backend_config`: older compilers quote it."""
    return _unquoted(text) if text.startswith('"') else text


def unescaped(text: str) -> str:
    r"""The text that XLA wrote with `\"`, `\n` and, for what is not ASCII, octal bytes."""
    if "\\" not in text:
        return text
    return _ESCAPE.sub(_unescape, text.encode(errors="replace")).decode(errors="replace")


def _unescape(match: re.Match[bytes]) -> bytes:
    if match[1] is not None:
        return bytes([int(match[1], 8) & 0xFF])
    if match[2] is not None:
        return bytes([int(match[2], 16)])
    return _ESCAPED.get(match[3], match[3])


def _after_bracket(line: str, start: int) -> int:
    depth = 0
    for match in _BRACKET.finditer(line, start):
        depth += 1 if match[0] == "(" else -1
        if depth == 0:
            return match.end()
    return len(line)


def _operands(line: str, start: int) -> tuple[list[str], int]:
    """What stands between the brackets of an opcode, cut at its commas, and where that ends."""
    parts: list[str] = []
    depth, begin = 1, start
    for match in _TOKEN.finditer(line, start):
        mark = match[0]
        if mark == "," and depth == 1:
            parts.append(line[begin : match.start()])
            begin = match.end()
        elif mark in "({[":
            depth += 1
        elif mark in ")}]":
            depth -= 1
            if depth == 0:
                parts.append(line[begin : match.start()])
                return parts, match.end()
    return parts, len(line)


def _operand(part: str) -> str:
    """The name of an operand, which may have its shape before it."""
    words = _COMMENT.sub("", part).split()
    return words[-1].removeprefix("%") if words else ""


def _attributes(line: str, start: int) -> Iterator[tuple[str, str]]:
    while (key := _KEY.match(line, start)) is not None:
        end = _json_end(line, key.end()) if key[1] == "backend_config" else None
        start = _end_of_value(line, key.end()) if end is None else end
        yield key[1], line[key.end() : start]


def _json_end(line: str, start: int) -> int | None:
    """Where a configuration ends: most are JSON, which Python's own scanner is fastest at."""
    try:
        return _JSON.raw_decode(line, start)[1]
    except (ValueError, RecursionError):
        return None


def _end_of_value(line: str, start: int) -> int:
    if (plain := _PLAIN.match(line, start)) is not None:
        return plain.end()
    depth = 0
    for match in _TOKEN.finditer(line, start):
        mark = match[0]
        if mark in "({[":
            depth += 1
        elif mark in ")}]":
            depth -= 1
        elif mark == "," and depth <= 0:
            return match.start()
    return len(line)


def _unquoted(text: str) -> str:
    return unescaped(text[1:-1]) if len(text) > 1 and text.startswith('"') and text.endswith('"') else ""


def _number(text: str) -> int:
    match = _NUMBER.match(text)
    return int(match[0]) if match is not None else 0
