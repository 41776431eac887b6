"""Whether an answer is the record that the published schema describes, to the last field."""

from __future__ import annotations

import json
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from tools.generate_contract import SCHEMA as SCHEMA_FILE
from tools.generate_contract import generated

_SCHEMA = json.loads(generated()[SCHEMA_FILE])


def mismatches(record: str, value: Any) -> list[str]:
    """Where a value is not the record, with what is wrong. Fields that the record lacks count too."""
    exact = {
        name: {**definition, "additionalProperties": False} if "properties" in definition else definition
        for name, definition in _SCHEMA["$defs"].items()
    }
    validator = Draft202012Validator({"$ref": f"#/$defs/{record}", "$defs": exact})
    return [
        f"{record}{error.json_path.removeprefix('$')}: {error.message[:300]}"
        for error in validator.iter_errors(value)
    ]
