"""Compiles the programs of docs/examples for a TPU v5e ahead of time and keeps the modules beside them.

Needs the package libtpu (Linux), no TPU. `python -m tools.compile_examples [NAME …]`.
"""

from __future__ import annotations

import importlib
import sys
import tempfile
from pathlib import Path
from typing import Any

import jax

from tensorboard_plugin_memviewer.formats import wire
from tools.wire_writer import field

EXAMPLES = Path(__file__).resolve().parent.parent / "docs" / "examples"
COMPILED = EXAMPLES / "compiled"
# Of source files only what lies in a project or package: modules name no folders of who compiled them.
FOLDERS = r"^.*/(?=(docs/examples|tools|site-packages)/)|^/.*/(?=[^/]*$)"
# hlo_module.computations.instructions.literal: the values of constants, which are no part of the plan.
_LITERAL = (1, 3, 2, 8)
NAMES = ("donation", "thin_dimension", "recompute", "constant", "half_precision")


def compile_example(name: str) -> None:
    """Keep both versions of one program, the one that does not fit too."""
    program = importlib.import_module(name)
    for version in ("before", "after"):
        with tempfile.TemporaryDirectory() as dump:
            refused = _refused(getattr(program, version), dump)
            (module,) = Path(dump).glob("*.after_optimizations.hlo.pb")
            kept = without(module.read_bytes(), _LITERAL)
            (COMPILED / f"{name}_{version}.hlo_proto.pb").write_bytes(kept)
        print(f"{name} {version}: {refused or 'fits'}", flush=True)


def without(message: bytes, path: tuple[int, ...]) -> bytes:
    """A protobuf message with the fields at a path of field numbers left out."""
    kept = bytearray()
    for number, kind, a, b in wire.fields(message):
        if kind == wire.VARINT:
            kept += field(number, a)
        elif kind != wire.BYTES:
            raise ValueError(f"field {number} of wire type {kind} is not expected in a module")
        elif number != path[0]:
            kept += field(number, message[a:b])
        elif len(path) > 1:
            kept += field(number, without(message[a:b], path[1:]))
    return bytes(kept)


def _refused(lowered: Any, dump: str) -> str:
    """What the compiler says where the program does not fit."""
    try:
        lowered.compile(compiler_options={"xla_dump_to": dump, "xla_dump_hlo_as_proto": True})
    except Exception as error:
        if "RESOURCE_EXHAUSTED" not in str(error):
            raise
        return str(error).splitlines()[0]
    return ""


if __name__ == "__main__":
    jax.config.update("jax_hlo_source_file_canonicalization_regex", FOLDERS)
    COMPILED.mkdir(exist_ok=True)
    names = sys.argv[1:] or NAMES
    sys.path.insert(0, str(EXAMPLES))
    sys.argv = [sys.argv[0], "--tpu"]
    for each in names:
        compile_example(each)
