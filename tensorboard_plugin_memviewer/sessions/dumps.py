"""Groups the files of an XLA dump by module: the file with the plan, and the files that belong to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from tensorboard_plugin_memviewer.sessions import dump_names
from tensorboard_plugin_memviewer.sessions.dump_names import DumpName
from tensorboard_plugin_memviewer.sessions.filesystem import File
from tensorboard_plugin_memviewer.sessions.order import in_order


class TextFiles(NamedTuple):
    """The texts beside a buffer assignment's text: those of the module, the best first; of the module after
    code generation; of the values and of their live ranges.
    """

    modules: tuple[File, ...] = ()
    codegen: File | None = None
    values: File | None = None
    live_ranges: File | None = None

    def files(self) -> Iterable[File]:
        """Every file once."""
        others = (self.codegen, self.values, self.live_ranges)
        return (*self.modules, *(file for file in others if file is not None))


class DumpModule(NamedTuple):
    """One module of a dump. At least one of `hlo` (an HloProto with the buffer assignment) and
    `buffer_assignment` (XLA's text of it) is there; `codegen` is the HloProto after code generation, `report`
    the memory-usage report, `texts` what is read where there is no `hlo`. Any file may be compressed.
    """

    name: DumpName
    hlo: File | None
    codegen: File | None
    buffer_assignment: File | None
    report: File | None
    texts: TextFiles = TextFiles()

    def files(self) -> Iterable[File]:
        """Every file once."""
        named = (self.hlo, self.codegen, self.buffer_assignment, self.report)
        return (*(file for file in named if file is not None), *self.texts.files())


def modules_of(files: Iterable[File]) -> tuple[DumpModule, ...]:
    """The modules of one dump folder, in the order in which the process compiled them.

    Files of other stages alone make no module. Where the folder was written with timestamps by several
    processes, a module takes the siblings nearest in time.
    """
    groups: dict[tuple[int | None, str], list[tuple[DumpName, File]]] = {}
    for file in files:
        if (name := dump_names.parse(file.name)) is not None:
            groups.setdefault(name.group, []).append((name, file))
    modules = [module for group in groups.values() for module in _of_group(group)]
    return tuple(sorted(modules, key=_compile_order))


def text_alone(file: File) -> DumpModule:
    """The module of a buffer assignment's text whose name is not that of a dump."""
    name = DumpName(file.name, dump_names.BUFFER_ASSIGNMENT, None, None, None, None)
    return DumpModule(name, None, None, file, None)


def _of_group(group: list[tuple[DumpName, File]]) -> list[DumpModule]:
    group.sort(key=lambda one: one[1].path)
    leads = [one for one in group if one[0].stage == dump_names.HLO]
    leads = leads or [one for one in group if one[0].stage == dump_names.BUFFER_ASSIGNMENT]
    return [_module(lead, group) for lead, _ in leads]


def _module(lead: DumpName, group: list[tuple[DumpName, File]]) -> DumpModule:
    def nearest(stage: str) -> File | None:
        candidates = [one for one in group if one[0].stage == stage]
        return (
            min(candidates, key=lambda one: abs((one[0].usec or 0) - (lead.usec or 0)))[1]
            if candidates
            else None
        )

    hlo = nearest(dump_names.HLO)
    return DumpModule(
        lead,
        hlo,
        nearest(dump_names.CODEGEN),
        nearest(dump_names.BUFFER_ASSIGNMENT),
        nearest(dump_names.REPORT),
        TextFiles() if hlo is not None else _texts(nearest),
    )


def _texts(nearest: Callable[[str], File | None]) -> TextFiles:
    stages = (dump_names.MODULE_TEXT, dump_names.ASSIGNED_TEXT, dump_names.UNASSIGNED_TEXT)
    return TextFiles(
        tuple(file for stage in stages if (file := nearest(stage)) is not None),
        nearest(dump_names.CODEGEN_TEXT),
        nearest(dump_names.VALUES),
        nearest(dump_names.LIVE_RANGES),
    )


def _compile_order(module: DumpModule) -> tuple[object, ...]:
    name = module.name
    return name.number is None, name.number or 0, in_order(name.module), name.usec or 0
