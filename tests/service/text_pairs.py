"""One program as a dump's text and as its protobuf, and what differs between what is shown of the two.

Left out: which of two buffers at one address holds it at the point where the one's reader writes the other
there. A heap trace tells; usage is the same.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tensorboard_plugin_memviewer.analysis.usage import Plan
from tensorboard_plugin_memviewer.service.loaded import LoadedModule
from tensorboard_plugin_memviewer.service.service import Service
from tensorboard_plugin_memviewer.vocabulary.categories import CATEGORIES

# Known for text only: no trace lists any buffer.
_OF_TRACES = "untraced_bytes"


def loaded(folder: Path) -> LoadedModule:
    """The one module of a folder."""
    service = Service(str(folder))
    (run,) = service.runs().runs
    (program,), _ = service.programs(run.name)
    return service.load(run.name, None, program.key)[1]


def split(folder: Path, to: Path) -> tuple[Path, Path]:
    """Folders with the texts and with the protobufs of a dump that has both."""
    text, proto = to / "text", to / "proto"
    for part in (text, proto):
        part.mkdir()
    for file in folder.iterdir():
        if ".txt" in file.name or ".hlo.pb" in file.name:
            ((text if ".txt" in file.name else proto) / file.name).write_bytes(file.read_bytes())
    return text, proto


def as_older_compilers_write(text: Path) -> None:
    """Moves values and live ranges to the end of the buffer assignment, as before April 2026."""
    parts = {}
    for ending in ("-buffer-assignment.txt.gz", "-buffer-assignment-values.txt.gz", "-live-range.txt.gz"):
        (file,) = text.glob(f"*{ending}")
        parts[file] = gzip.decompress(file.read_bytes())
    first, *others = parts
    first.write_bytes(gzip.compress(b"\n".join(parts.values())))
    for file in others:
        file.unlink()


def differences(text: LoadedModule, proto: LoadedModule) -> Iterator[str]:
    """What a user would see differ."""
    if text.plan.spaces != proto.plan.spaces:
        yield f"spaces {text.plan.spaces} {proto.plan.spaces}"
    if text.plan.order.points != proto.plan.order.points:
        yield f"points {text.plan.order.points} {proto.plan.order.points}"
        return
    for space in proto.plan.spaces:
        mine, theirs = text.usage(space), proto.usage(space)
        for name, value in theirs.headline.as_dict().items():
            if name != _OF_TRACES and mine.headline.as_dict()[name] != value:
                yield f"{name} of {space}: {mine.headline.as_dict()[name]} {value}"
        equal = int((mine.usage == theirs.usage).sum())
        if equal < theirs.points:
            yield f"usage of {space}: equal at {equal} of {theirs.points} points"
        if not np.array_equal(mine.scoped, theirs.scoped):
            yield f"scoped of {space}"
    one, two = _shown(text), _shown(proto)
    for key in two:
        if one.get(key) != two[key]:
            yield f"{key}: {one.get(key)} {two[key]}"


def _shown(module: LoadedModule) -> dict[str, object]:
    """Words about instructions and buffers, by their names."""
    plan = module.plan
    found: dict[str, object] = {"points": [_name(plan, row) for row in plan.order.instruction.tolist()]}
    for row, name in enumerate(plan.module.instructions.names):
        metadata = int(plan.module.instructions.metadata[row])
        entry = plan.module.metadata[metadata]
        found[f"instruction {name}"] = (
            entry.op_name,
            entry.source_file,
            entry.source_line,
            _stack(plan, entry.frame),
            plan.module.shapes[plan.module.instructions.shape[row]].text(),
            plan.module.instructions.opcodes[plan.module.instructions.opcode[row]],
        )
    buffers = plan.module.buffers
    for row, key in enumerate(buffers.ids.tolist()):
        found[f"buffer {key}"] = (
            _name(plan, int(buffers.instruction[row])),
            buffers.shape_index[row],
            int(buffers.size[row]),
            int(buffers.offset[row]),
            module.readers.of(row).tolist(),
            plan.module.shapes[buffers.shape[row]].text(),
            module.owners.of(row),
            CATEGORIES[int(plan.categories.row[row])].word,
        )
    found["one buffer"] = sorted(_groups(plan))
    return found


def _groups(plan: Plan) -> Iterator[list[int]]:
    buffers = plan.module.buffers
    for first in np.unique(buffers.hlo_buffer).tolist():
        yield sorted(buffers.ids[buffers.hlo_buffer == first].tolist())


def _name(plan: Plan, row: int) -> str:
    return plan.module.instructions.names[row] if row >= 0 else ""


def _stack(plan: Plan, frame: int | None) -> list[tuple[str, str, int, int]]:
    stack = []
    while frame is not None:
        found = plan.module.frames[frame]
        stack.append((found.file, found.function, found.line, found.column))
        frame = found.parent
    return stack
