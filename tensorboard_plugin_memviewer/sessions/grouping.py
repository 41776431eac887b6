"""Makes runs of the folders of a walk. Pure: names in, records out.

`plugins/profile/<run>` below `train` is the run `train/<run>`, as XProf names it; any other folder that holds
files of ours is a run named by its path below the logdir. A folder that holds a capture and a dump is two
runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from tensorboard_plugin_memviewer.errors import Problem
from tensorboard_plugin_memviewer.sessions import file_names
from tensorboard_plugin_memviewer.sessions.dumps import modules_of
from tensorboard_plugin_memviewer.sessions.filesystem import File, Folder
from tensorboard_plugin_memviewer.sessions.order import in_order, printable
from tensorboard_plugin_memviewer.sessions.run import HostFiles, Kind, Run

_SEPARATOR = re.compile(r"[/\\]")
_HOST_AND_PID = re.compile(r".*_\d+", re.DOTALL | re.ASCII)


def runs_of(folders: Iterable[Folder]) -> tuple[Run, ...]:
    """The runs of all folders of one walk, each with a name of its own, in the order of their names."""
    runs: list[tuple[bool, Run]] = []
    dumps: dict[tuple[str, ...], list[tuple[str, Folder]]] = {}
    for folder in folders:
        if (run := _plain_run(folder)) is not None:
            runs.append((_is_session(folder), run))
        if _having(folder, file_names.DUMP):
            root, host = _dump_root(folder)
            dumps.setdefault(root, []).append((host, folder))
    runs.extend((False, _dump_run(root, found)) for root, found in dumps.items())
    return _named_apart(runs)


def run_of_file(file: File, beside: Iterable[File]) -> Run:
    """The run of a file that was given as such, with the other stages of the same dump."""
    host = _host_files(file_names.host(file.name), [file, *beside])
    return Run(printable(file.name), "file", file.path, (host,), (), _empty_files((host,)))


def _plain_run(folder: Folder) -> Run | None:
    """The run of a folder's captures, programs or saved results; dumps are gathered across folders."""
    captures = _having(folder, file_names.CAPTURE) + _having(folder, file_names.RECORDS)
    programs = _having(folder, file_names.HLO_PROTO)
    saved = _having(folder, file_names.SAVED)
    kind: Kind = "profile" if captures or programs or not saved else "saved"
    spare = programs if captures else []
    hosts = _by_host([*captures, *saved] if captures else [*programs, *saved])
    if hosts:
        return Run(_run_name(folder), kind, folder.path, hosts, tuple(spare), _empty_files(hosts))
    if _is_session(folder) and not folder.files:
        return Run(_run_name(folder), kind, folder.path, (), (), (_no_capture(folder),))
    return None


def _dump_run(root: tuple[str, ...], folders: list[tuple[str, Folder]]) -> Run:
    by_host: dict[str, list[File]] = {}
    for host, folder in folders:
        by_host.setdefault(host, []).extend(_having(folder, file_names.DUMP))
    hosts = tuple(
        HostFiles(printable(host), dumps=modules_of(by_host[host])) for host in sorted(by_host, key=in_order)
    )
    first = folders[0][1]
    top = first.above(len(first.parts) - len(root))
    return Run(_run_name(top), "xla_dump", top.path, hosts, (), _empty_files(hosts))


def _dump_root(folder: Folder) -> tuple[tuple[str, ...], str]:
    """The folder that was given to XLA, and the host: with --xla_dump_hlo_to_subfolder the files of a module
    lie in `<module>/<host>_<pid>/`.
    """
    parts = folder.parts
    is_nested = len(parts) >= 2 and _HOST_AND_PID.fullmatch(parts[-1]) is not None
    if is_nested and any(f".{parts[-2]}." in file.name for file in _having(folder, file_names.DUMP)):
        return parts[:-2], parts[-1]
    return parts, ""


def _by_host(files: list[File]) -> tuple[HostFiles, ...]:
    by_host: dict[str, list[File]] = {}
    for file in files:
        by_host.setdefault(file_names.host(file.name), []).append(file)
    return tuple(_host_files(host, by_host[host]) for host in sorted(by_host, key=in_order))


def _host_files(host: str, files: list[File]) -> HostFiles:
    def of(kind: str) -> tuple[File, ...]:
        chosen = (file for file in files if file_names.role(file.name) == kind)
        return tuple(sorted(chosen, key=lambda file: in_order(file.name)))

    return HostFiles(
        printable(host),
        of(file_names.CAPTURE),
        of(file_names.RECORDS),
        of(file_names.HLO_PROTO),
        of(file_names.SAVED),
        modules_of(of(file_names.DUMP)),
    )


def _having(folder: Folder, role: str) -> list[File]:
    return [file for file in folder.files if file_names.role(file.name) == role]


def _is_session(folder: Folder) -> bool:
    return _SEPARATOR.split(folder.path)[-3:-1] == ["plugins", "profile"]


def _run_name(folder: Folder) -> str:
    """The folder's path below the logdir, without `plugins/profile`; for the logdir itself its own name."""
    parts = folder.parts
    if _is_session(folder):
        parts = (*parts[:-3], *parts[-1:])
    own_name = _SEPARATOR.split(folder.path)[-1] or folder.path
    return printable("/".join(parts) or own_name)


def _named_apart(runs: list[tuple[bool, Run]]) -> tuple[Run, ...]:
    """Where two runs have one name, the one that XProf lists keeps it; the others get their kind added."""
    apart: dict[str, Run] = {}
    for _, run in sorted(runs, key=lambda one: (not one[0], one[1].kind != "profile", one[1].path)):
        name, count = run.name, 1
        while name in apart:
            name = f"{run.name} ({run.kind}{'' if count == 1 else f' {count}'})"
            count += 1
        apart[name] = Run(name, run.kind, run.path, run.hosts, run.spare, run.problems)
    return tuple(apart[name] for name in sorted(apart, key=in_order))


def _empty_files(hosts: tuple[HostFiles, ...]) -> tuple[Problem, ...]:
    return tuple(
        Problem(
            "empty",
            f"{printable(file.name)} is empty",
            "If it is still being written, wait for its end.",
            file.path,
        )
        for host in hosts
        for file in host.files()
        if file.size == 0
    )


def _no_capture(folder: Folder) -> Problem:
    if folder.has_others:
        return Problem(
            "no_capture",
            "the run holds no capture that tells of memory",
            "Only *.xplane.pb, *.xplane.riegeli and *.hlo_proto.pb files do: "
            "capture again with a current profiler.",
            folder.path,
        )
    return Problem(
        "no_capture", "the run is empty", "If it is still being captured, wait for its end.", folder.path
    )
