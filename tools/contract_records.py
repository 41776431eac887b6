"""Reads the records in tensorboard_plugin_memviewer/wire as source, so that the names of types and the texts
below fields are kept. generate_contract.py writes them in other languages.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Literal, get_args, get_origin

WIRE = Path(__file__).resolve().parent.parent / "tensorboard_plugin_memviewer" / "wire"


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
