"""The small answers of the JSON contract: analysis and session records → plain dictionaries. docs/http_api.md
says what each field means; arrays are never null, sizes are integers of bytes, 64-bit ids are strings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from tensorboard_plugin_memviewer.analysis.capacity import Capacity
from tensorboard_plugin_memviewer.analysis.live_set import Breakdown
from tensorboard_plugin_memviewer.analysis.usage import SpaceUsage
from tensorboard_plugin_memviewer.errors import Problem
from tensorboard_plugin_memviewer.model.module import Ints, Module
from tensorboard_plugin_memviewer.model.space import space_about, space_aliases, space_name
from tensorboard_plugin_memviewer.service import ModuleSummary, Program, RunModules, RunNames
from tensorboard_plugin_memviewer.web.usage_payload import curve

if TYPE_CHECKING:
    from tensorboard_plugin_memviewer.sessions.run import Listing

Json = dict[str, Any]

_MOST_BUFFERS_A_GROUP = 20


def problems_payload(problems: Iterable[Problem]) -> list[Json]:
    """Problems beside an answer."""
    return [{"code": p.code, "message": p.message, "advice": p.advice, "path": p.path} for p in problems]


def runs_payload(listing: Listing) -> Json:
    """The runs of a logdir."""
    runs = [
        {
            "run": run.name,
            "kind": run.kind,
            "hosts": list(run.host_names),
            "time": run.time,
            "problems": problems_payload(run.problems),
        }
        for run in listing.runs
    ]
    return {"logdir": listing.logdir, "runs": runs, "problems": problems_payload(listing.problems)}


def modules_payload(answer: RunModules) -> Json:
    """The modules of a run, largest HBM peak first."""
    return {
        "run": answer.run,
        "host": answer.host,
        "modules": [_module(summary) for summary in answer.modules],
        "problems": problems_payload(answer.problems),
    }


def names_payload(answer: RunNames) -> Json:
    """The same before any module has been decoded, largest program first."""
    return {
        "run": answer.run,
        "host": answer.host,
        "modules": [_named(module.program, module.hosts) for module in answer.modules],
        "problems": problems_payload(answer.problems),
    }


def _named(program: Program, hosts: Iterable[str]) -> Json:
    """What is known of a module that has not been decoded."""
    return {
        "module": program.key,
        "name": program.name,
        "program_id": _as_text(program.program_id),
        "metadata_id": _as_text(program.metadata_id),
        "size_bytes": program.size,
        "decoded": False,
        "fingerprint": None,
        "instruction_count": None,
        "hosts": list(hosts),
        "platform": program.platform,
        "device": device_text(program),
        "spaces": [],
        "problems": [],
    }


def _module(summary: ModuleSummary) -> Json:
    program, digest = summary.program, summary.digest
    spaces = [
        {
            **_space_named(space.color),
            "peak_bytes": space.headline.peak_bytes,
            "allocated_bytes": space.headline.allocated_bytes,
            "required_bytes": space.headline.required_bytes,
            "capacity_bytes": space.capacity.bytes,
        }
        for space in summary.spaces
    ]
    known = _named(program, summary.hosts)
    if digest is not None:
        known |= {
            "name": digest.name,
            "instruction_count": digest.instruction_count,
            "platform": digest.platform,
        }
    return {
        **known,
        "decoded": True,
        "fingerprint": summary.fingerprint,
        "spaces": spaces,
        "problems": problems_payload(summary.problems),
    }


def _as_text(number: int | None) -> str | None:
    """Numbers of 64 bits do not fit those of JSON."""
    return None if number is None else str(number)


def device_text(program: Program) -> str | None:
    """What the devices of a capture call themselves, where they do."""
    names = {device.type_text for device in program.devices if device.type_text}
    return ", ".join(sorted(names)) or None


def headline_payload(usage: SpaceUsage, capacity: Capacity) -> Json:
    """The headline numbers of docs/numbers.md by name, with capacity and where it is from."""
    return {
        **usage.headline.as_dict(),
        "capacity_bytes": capacity.bytes,
        "capacity_source": capacity.source,
    }


def _space_named(space: int) -> Json:
    """A memory space's name and number, and what else there is to its name."""
    return {
        "space": space_name(space),
        "color": space,
        "about": space_about(space),
        "aliases": space_aliases(space),
    }


def space_payload(usage: SpaceUsage, capacity: Capacity) -> Json:
    """One memory space in the list of a module's spaces, with a small curve."""
    return {
        **_space_named(usage.space),
        **headline_payload(usage, capacity),
        "curve": curve(usage.usage),
    }


def breakdown_payload(module: Module, usage: SpaceUsage, found: Breakdown, by: str) -> Json:
    """The live set at a point, grouped: usage = Σ groups − shared + scoped."""
    largest = _ids(module, usage, [group.rows[:_MOST_BUFFERS_A_GROUP] for group in found.groups])
    groups = [
        {
            "key": group.key,
            "path": list(group.path),
            "label": group.key,
            "bytes": group.bytes,
            "unpadded_bytes": group.unpadded_bytes,
            "count": len(group.rows),
            "buffers": ids,
        }
        for group, ids in zip(found.groups, largest, strict=True)
    ]
    return {
        "at": found.point,
        "by": by,
        "usage_bytes": found.usage_bytes,
        "shared_bytes": found.shared_bytes,
        "scoped_bytes": found.scoped_bytes,
        "groups": groups,
    }


def _ids(module: Module, usage: SpaceUsage, groups: list[Ints]) -> Iterator[list[str]]:
    """The ids of the logical buffers in each group of rows."""
    rows = np.concatenate(groups) if groups else np.zeros(0, np.int64)
    buffers = usage.buffers.buffer[rows]
    ids = module.buffers.ids[buffers].tolist() if len(module.buffers) else [0] * len(rows)
    texts = [str(one) if known else None for one, known in zip(ids, (buffers >= 0).tolist(), strict=True)]
    start = 0
    for group in groups:
        end = start + len(group)
        yield [text for text in texts[start:end] if text is not None]
        start = end
