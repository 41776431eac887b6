"""Generate from the records in tensorboard_plugin_memviewer/wire the types of the page, with functions
that check them, and the JSON schema for scripts; or check that both are fresh.

Records are read as source, so that the names of types and the texts below fields are kept.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import json
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, get_args, get_origin

from tensorboard_plugin_memviewer.wire import VERSION
from tensorboard_plugin_memviewer.wire.csv_columns import CSV_COLUMNS

ROOT = Path(__file__).resolve().parent.parent
WIRE = ROOT / "tensorboard_plugin_memviewer" / "wire"
TYPESCRIPT = ROOT / "frontend" / "src" / "generated" / "contract.ts"
SCHEMA = ROOT / "docs" / "schema" / "answers.json"

_WIDTH = 116
_PLAIN = {"str": "string", "int": "number", "float": "number", "bool": "boolean"}
_JSON_TYPES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}
# Integers: plain, as a running sum of differences, or as runs of value and count.
_COLUMN: dict[str, Any] = {
    "description": "A column of integers: plain (absent ones null, large ones as text), as a running sum of "
    "differences, or as runs of value and count.",
    "anyOf": [
        {"type": "array", "items": {"type": ["integer", "null"]}},
        {"type": "array", "items": {"type": "string"}},
        *(
            {
                "type": "object",
                "properties": {name: {"type": "array", "items": {"type": "integer"}}},
                "required": [name],
                "additionalProperties": False,
            }
            for name in ("delta", "runs")
        ),
    ],
}


@dataclass(frozen=True)
class Field:
    """A field of a record: its type as source, and the text below it."""

    name: str
    type: ast.expr
    text: str


@dataclass(frozen=True)
class Record:
    """A record: `bases` are the names of the records whose fields it has too, before its own."""

    name: str
    text: str
    bases: tuple[str, ...]
    own: tuple[Field, ...]


@dataclass(frozen=True)
class Contract:
    """All records by name, and the values of the named literal types."""

    records: dict[str, Record]
    literals: dict[str, tuple[str, ...]]

    def fields(self, record: Record) -> Iterator[Field]:
        """The fields of a record, those of its bases first."""
        for base in record.bases:
            yield from self.fields(self.records[base])
        yield from record.own

    def answers(self) -> list[str]:
        """The records that are whole answers: they have a version, and others build on none of them."""
        built_on = {base for record in self.records.values() for base in record.bases}
        return [
            name
            for name, record in self.records.items()
            if name not in built_on and any(field.name == "version" for field in self.fields(record))
        ]


def read_contract() -> Contract:
    """The records of every module in wire/, in the order of its files."""
    records: dict[str, Record] = {}
    literals: dict[str, tuple[str, ...]] = {}
    for file in sorted(WIRE.glob("*.py")):
        name = file.stem if file.stem != "__init__" else ""
        module = import_module(f"tensorboard_plugin_memviewer.wire.{name}".rstrip("."))
        literals |= _literals(module)
        for node in ast.parse(inspect.getsource(module)).body:
            if isinstance(node, ast.ClassDef):
                record = _record(node)
                if record is not None:
                    assert node.name not in records, f"two records are called {node.name}"
                    records[node.name] = record
    return Contract(records, dict(sorted(literals.items())))


def _literals(module: ModuleType) -> dict[str, tuple[str, ...]]:
    return {name: get_args(value) for name, value in vars(module).items() if get_origin(value) is Literal}


def _record(node: ast.ClassDef) -> Record | None:
    bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
    if node.decorator_list or not bases:
        return None
    fields: list[Field] = []
    for statement, following in zip(node.body, [*node.body[1:], None], strict=True):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            fields.append(Field(statement.target.id, statement.annotation, _text(following)))
    return Record(
        node.name,
        _flowing(ast.get_docstring(node) or ""),
        tuple(base for base in bases if base != "TypedDict"),
        tuple(fields),
    )


def _text(statement: ast.stmt | None) -> str:
    """The text below a field."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return _flowing(inspect.cleandoc(str(statement.value.value)))
    return ""


def _flowing(text: str) -> str:
    """A text in paragraphs, each on one line; in JSON what is absent is null."""
    paragraphs = (" ".join(part.split()) for part in text.split("\n\n"))
    return "\n\n".join(paragraphs).replace("None", "null")


# ---- TypeScript ----


def typescript(contract: Contract) -> str:
    """The module contract.ts."""
    parts = [
        "// Generated by tools/generate_contract.py from tensorboard_plugin_memviewer/wire: do not edit.\n"
        "// Sizes are integers of bytes; spans are half-open.\n",
        "import type { Column } from '../lib/column';\n"
        "import { mismatches, type RecordTypes } from '../lib/shapes';\n",
        "export type { Column };\n",
        f"/** The version of the answers that these types describe. */\nexport const VERSION = {VERSION};\n",
        "/** The columns of buffers as CSV, in order. */\n"
        f"export const CSV_COLUMNS = {_ts_list(CSV_COLUMNS)} as const;\n\n"
        "export type CsvColumn = (typeof CSV_COLUMNS)[number];\n",
    ]
    for name, values in contract.literals.items():
        parts.append(f"export type {name} = {' | '.join(map(_quoted, values))};\n")
    parts.extend(_interface(record) for record in contract.records.values())
    names = "".join(f"  readonly {name}: {name};\n" for name in contract.records)
    parts.append(f"/** Every record by its name. */\nexport interface Records {{\n{names}}}\n")
    parts.append(_shapes(contract))
    parts.append(_CHECK)
    return "\n".join(parts)


_CHECK = """\
/** Where a value is not what a record says, as places and reasons; none where it is. */
export function mismatchesOf(name: keyof Records, value: unknown): string[] {
  return mismatches(value, name, TYPES);
}

/** The value as the record that it is. Throws where it is not. */
export function checked<N extends keyof Records>(name: N, value: unknown): Records[N] {
  const found = mismatchesOf(name, value);
  if (found.length > 0) throw new TypeError(found.join('\\n'));
  return value as Records[N];
}
"""


def _interface(record: Record) -> str:
    extends = f" extends {', '.join(record.bases)}" if record.bases else ""
    lines = [*_comment(record.text, ""), f"export interface {record.name}{extends} {{"]
    for field in record.own:
        lines += _comment(field.text, "  ")
        lines.append(f"  readonly {field.name}: {_ts_type(field.type, 'readonly ')};")
    # An interface of others' fields alone is a name for them all.
    if not record.own:
        return "\n".join([*lines[:-1], f"export type {record.name} = {' & '.join(record.bases)};\n"])
    return "\n".join([*lines, "}\n"])


def _comment(text: str, indent: str) -> list[str]:
    if not text:
        return []
    if "\n" not in text and len(indent) + len(text) + 7 <= _WIDTH:
        return [f"{indent}/** {text} */"]
    width = _WIDTH - len(indent) - 3
    wrapped = [
        line
        for part in text.split("\n\n")
        for line in ("", *textwrap.wrap(part, width, break_on_hyphens=False))
    ]
    return [f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in wrapped[1:]), f"{indent} */"]


def _ts_type(node: ast.expr, readonly: str) -> str:
    match node:
        case ast.Name(id=name):
            # Checks tell integers apart, types cannot.
            return "integer" if name == "int" and not readonly else _PLAIN.get(name, name)
        case ast.Constant(value=None):
            return "null"
        case ast.BinOp(left=left, right=right):
            return f"{_ts_type(left, readonly)} | {_ts_type(right, readonly)}"
        case ast.Subscript(value=ast.Name(id="Literal"), slice=values):
            return " | ".join(_quoted(value) for value in ast.literal_eval(values))
        case ast.Subscript(value=ast.Name(id="list"), slice=item):
            inner = _ts_type(item, readonly)
            return f"{readonly}({inner})[]" if " | " in inner else f"{readonly}{inner}[]"
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=items)):
            return f"{readonly}[{', '.join(_ts_type(item, readonly) for item in items)}]"
    raise TypeError(f"no type of the contract: {ast.unparse(node)}")


def _shapes(contract: Contract) -> str:
    """What the checks read: the types of fields as text."""
    lines = ["const TYPES: RecordTypes = {"]
    for name, values in contract.literals.items():
        lines.append(f"  {name}: {json.dumps(' | '.join(map(_quoted, values)))},")
    for record in contract.records.values():
        lines.append(f"  {record.name}: {{")
        lines += [
            f"    {field.name}: {json.dumps(_ts_type(field.type, ''))}," for field in contract.fields(record)
        ]
        lines.append("  },")
    return "\n".join([*lines, "};\n"])


def _ts_list(values: tuple[str, ...]) -> str:
    return "[\n" + "".join(f"  {_quoted(value)},\n" for value in values) + "]"


def _quoted(value: str) -> str:
    return f"'{value}'"


# ---- JSON schema ----


def schema(contract: Contract) -> str:
    """The JSON schema, with a definition for every record."""
    definitions: dict[str, Any] = {"Column": _COLUMN}
    definitions |= {name: {"enum": list(values)} for name, values in contract.literals.items()}
    definitions |= {record.name: _schema_of(contract, record) for record in contract.records.values()}
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Answers of the Memory Viewer",
        "description": "Routes, the JSON of the command line and to_dict of the Python API. Sizes are "
        "integers of bytes, spans are half-open. New fields may be added within one version.",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in contract.answers()],
        "$defs": definitions,
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def _schema_of(contract: Contract, record: Record) -> dict[str, Any]:
    properties = {field.name: _described(field) for field in contract.fields(record)}
    return {
        "description": record.text,
        "type": "object",
        "properties": properties,
        "required": list(properties),
    }


def _described(field: Field) -> dict[str, Any]:
    described = {"const": VERSION} if field.name == "version" else _schema_type(field.type)
    return {"description": field.text, **described} if field.text else described


def _schema_type(node: ast.expr) -> dict[str, Any]:
    match node:
        case ast.Name(id=name) if name in _JSON_TYPES:
            return {"type": _JSON_TYPES[name]}
        case ast.Name(id=name):
            return {"$ref": f"#/$defs/{name}"}
        case ast.BinOp(left=left, right=ast.Constant(value=None)):
            return {"anyOf": [_schema_type(left), {"type": "null"}]}
        case ast.Subscript(value=ast.Name(id="Literal"), slice=values):
            return {"enum": list(ast.literal_eval(values))}
        case ast.Subscript(value=ast.Name(id="list"), slice=item):
            return {"type": "array", "items": _schema_type(item)}
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=items)):
            return {
                "type": "array",
                "prefixItems": [_schema_type(item) for item in items],
                "minItems": len(items),
                "maxItems": len(items),
            }
    raise TypeError(f"no type of the contract: {ast.unparse(node)}")


def generated() -> dict[Path, str]:
    """The content of every generated file."""
    contract = read_contract()
    return {TYPESCRIPT: typescript(contract), SCHEMA: schema(contract)}


def main() -> int:
    """Exit status: 0 when the files are fresh."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail where a file is stale")
    check = parser.parse_args().check
    stale = [
        path
        for path, text in generated().items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]
    if not check:
        for path in stale:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(generated()[path], encoding="utf-8")
        return 0
    for path in stale:
        print(f"{path.relative_to(ROOT)} is stale. Run: make contract", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
