"""The `modules` answer, and the same entries in `memviewer list` and `summary`.

Imports no numpy: `list` decodes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, TypedDict, cast

from tensorboard_plugin_memviewer.model.space import space_about, space_aliases, space_name
from tensorboard_plugin_memviewer.wire import VERSION
from tensorboard_plugin_memviewer.wire.names import Axis, Platform, id_text
from tensorboard_plugin_memviewer.wire.problems import Problem, Versioned, problem_records
from tensorboard_plugin_memviewer.wire.runs import RunEntry, run_entry

if TYPE_CHECKING:
    from tensorboard_plugin_memviewer.errors import Problem as FoundProblem
    from tensorboard_plugin_memviewer.service import ModuleSummary, RunModules, RunNames
    from tensorboard_plugin_memviewer.service.program import Program
    from tensorboard_plugin_memviewer.service.service import SpaceSummary
    from tensorboard_plugin_memviewer.sessions.run import Listing, Run


class SpaceLabel(TypedDict):
    """A memory space's names."""

    space: str
    """Its name, "HBM"."""
    memory_space: int
    """Its number in XLA, 0 for HBM."""
    about: str | None
    """A sentence where the name does not explain it."""
    aliases: list[str]
    """Other names that requests may have."""


class ModuleSpace(SpaceLabel):
    """A memory space in a list of modules."""

    peak_bytes: int
    allocated_bytes: int
    required_bytes: int
    capacity_bytes: int | None


class ModuleFacts(TypedDict):
    """What is known of a module in a list."""

    module: str
    """Its key, unique within the run: `jit_f(123)`."""
    name: str
    program_id: str | None
    """As the capture has it."""
    metadata_id: str | None
    """Of the event that brought the program: XProf up to 2.22.0 distinguishes modules of one name by it."""
    size_bytes: int
    """Of the program in its file."""
    decoded: bool
    """Whether the program was decoded. Until then there are no spaces, and what is in the program is None."""
    fingerprint: str | None
    """The same for modules of equal content."""
    instruction_count: int | None
    """Instructions of all computations, fused ones included."""
    axis: Axis | None
    points: int | None
    """The number of program points."""
    hosts: list[str]
    """The hosts that have it."""
    platform: Platform | None
    device: str | None
    """As the devices of the capture name their type."""
    problems: list[Problem]


class ModuleEntry(ModuleFacts):
    """A module of a run. One that is decoded and has no spaces cannot be read: see `problems`."""

    spaces: list[ModuleSpace]


class ModulesAnswer(Versioned):
    """The modules of a run, the largest peak of HBM first; not decoded, the largest program first."""

    run: str
    host: str | None
    """The host asked for; None for all."""
    modules: list[ModuleEntry]
    problems: list[Problem]


class ListedModule(ModuleEntry):
    """A program as `memviewer list` shows it."""

    kind: Literal["capture", "hlo_proto", "dump", "dump_text", "saved"]
    """What kind of file it is in."""
    path: str
    """The file."""


class ListedRun(RunEntry):
    """A run with its programs."""

    modules: list[ListedModule]


class ListAnswer(Versioned):
    """`memviewer list --format json`."""

    logdir: str
    runs: list[ListedRun]
    problems: list[Problem]


def modules_answer(answer: RunModules) -> ModulesAnswer:
    """The modules of a run, decoded."""
    return {
        "version": VERSION,
        "run": answer.run,
        "host": answer.host,
        "modules": [_entry(summary) for summary in answer.modules],
        "problems": problem_records(answer.problems),
    }


def names_answer(answer: RunNames) -> ModulesAnswer:
    """The modules of a run, none decoded."""
    return {
        "version": VERSION,
        "run": answer.run,
        "host": answer.host,
        "modules": [{**_not_decoded(one.program, one.hosts), "spaces": []} for one in answer.modules],
        "problems": problem_records(answer.problems),
    }


def list_answer(
    listing: Listing, found: Iterable[tuple[Run, Iterable[Program]]], problems: Iterable[FoundProblem]
) -> ListAnswer:
    """Runs with their programs, none decoded, one entry for each host."""
    return {
        "version": VERSION,
        "logdir": listing.logdir,
        "runs": [
            {**run_entry(run), "modules": [_listed(program) for program in programs]}
            for run, programs in found
        ],
        "problems": problem_records(problems),
    }


def _listed(program: Program) -> ListedModule:
    hosts = [program.host] if program.host else []
    return {
        **_not_decoded(program, hosts),
        "spaces": [],
        "kind": program.kind,
        "path": program.path,
    }


def _entry(summary: ModuleSummary) -> ModuleEntry:
    return {**module_facts(summary), "spaces": [_space(space) for space in summary.spaces]}


def _space(space: SpaceSummary) -> ModuleSpace:
    return {
        **space_label(space.color),
        "peak_bytes": space.headline.peak_bytes,
        "allocated_bytes": space.headline.allocated_bytes,
        "required_bytes": space.headline.required_bytes,
        "capacity_bytes": space.capacity.bytes,
    }


def module_facts(summary: ModuleSummary) -> ModuleFacts:
    """What is known of a decoded module, without its memory spaces."""
    known, digest = _not_decoded(summary.program, summary.hosts), summary.digest
    if digest is not None:
        known["name"] = digest.name
        known["instruction_count"] = digest.instruction_count
        known["axis"] = digest.axis
        known["points"] = digest.points
        known["platform"] = cast("Platform | None", digest.platform)
    known["decoded"] = True
    known["fingerprint"] = summary.fingerprint
    known["problems"] = problem_records(summary.problems)
    return known


def _not_decoded(program: Program, hosts: Iterable[str]) -> ModuleFacts:
    return {
        "module": program.key,
        "name": program.name,
        "program_id": id_text(program.program_id),
        "metadata_id": id_text(program.metadata_id),
        "size_bytes": program.size,
        "decoded": False,
        "fingerprint": None,
        "instruction_count": None,
        "axis": None,
        "points": None,
        "hosts": list(hosts),
        "platform": cast("Platform | None", program.platform),
        "device": device_text(program),
        "problems": [],
    }


def space_label(space: int) -> SpaceLabel:
    """A memory space's names."""
    return {
        "space": space_name(space),
        "memory_space": space,
        "about": space_about(space),
        "aliases": list(space_aliases(space)),
    }


def device_text(program: Program) -> str | None:
    """What the devices of a capture call their type, None where they do not."""
    names = {device.type_text for device in program.devices if device.type_text}
    return ", ".join(sorted(names)) or None
