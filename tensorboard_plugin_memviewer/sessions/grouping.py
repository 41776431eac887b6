"""Makes runs of the folders of a walk. Pure: names in, records out.

`plugins/profile/<run>` below `train` is the run `train/<run>`, as XProf names it; any other folder that holds
supported files is a run named by its path below the logdir. A folder that holds a capture and a dump is two
runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from tensorboard_plugin_memviewer.errors import Problem
from tensorboard_plugin_memviewer.sessions import file_names
from tensorboard_plugin_memviewer.sessions.dumps import modules_of, text_alone
from tensorboard_plugin_memviewer.sessions.filesystem import File, Folder
from tensorboard_plugin_memviewer.sessions.order import in_order, printable
from tensorboard_plugin_memviewer.sessions.packing import without_copies
from tensorboard_plugin_memviewer.sessions.run import HostFiles, Kind, Run

_Dumped = tuple[str, Folder, list[File]]
_HOST_AND_PID = re.compile(r".*_\d+", re.DOTALL | re.ASCII)


def runs_of(folders: Iterable[Folder]) -> tuple[Run, ...]:
    """The runs of all folders of one walk, each with a name of its own, in the order of their names."""
    runs: list[tuple[bool, Run]] = []
    dumps: dict[tuple[str, ...], list[_Dumped]] = {}
    for folder in folders:
        roles = _by_role(without_copies(folder.files))
        is_session = _is_session(folder)
        if (run := _plain_run(folder, roles, is_session)) is not None:
            runs.append((is_session, run))
        dumped = roles.get(file_names.DUMP, [])
        if any(file_names.leads(file.name) for file in dumped):
            root, host = _dump_root(folder.parts, dumped)
            dumps.setdefault(root, []).append((host, folder, dumped))
    runs.extend((False, _dump_run(root, found)) for root, found in dumps.items())
    return _named_apart(runs)


def run_of_file(file: File, role: str, beside: Iterable[File]) -> Run:
    """The run of a file of this role that was given as such, with the other stages of the same dump."""
    if role == file_names.DUMP:
        host = _host_files("", [file, *without_copies(beside)])
    else:
        host = _host_of_one(file, role)
    return Run(printable(file.name), "file", file.path, (host,), (), _empty_files((host,)))


def _host_of_one(file: File, role: str) -> HostFiles:
    """The name counts only for the host: the role may be another than it says."""
    host = printable(file_names.host(file.name))
    if role == file_names.CAPTURE:
        return HostFiles(host, captures=(file,))
    if role == file_names.RECORDS:
        return HostFiles(host, records=(file,))
    if role == file_names.SAVED:
        return HostFiles(host, saved=(file,))
    if role == file_names.DUMP_TEXT:
        return HostFiles(host, dumps=(text_alone(file),))
    return HostFiles(host, hlo_protos=(file,))


def _plain_run(folder: Folder, roles: dict[str, list[File]], is_session: bool) -> Run | None:
    """The run of a folder's captures, programs or saved results; dumps are gathered across folders."""
    captures = roles.get(file_names.CAPTURE, []) + roles.get(file_names.RECORDS, [])
    programs = roles.get(file_names.HLO_PROTO, [])
    saved = roles.get(file_names.SAVED, [])
    kind: Kind = "profile" if captures or programs or not saved else "saved"
    spare = programs if captures else []
    hosts = _by_host([*captures, *saved] if captures else [*programs, *saved])
    name = _run_name(folder, is_session)
    if hosts:
        return Run(name, kind, folder.path, hosts, tuple(spare), _empty_files(hosts))
    if is_session and not folder.files:
        return Run(name, kind, folder.path, (), (), (_no_capture(folder),))
    return None


def _dump_run(root: tuple[str, ...], found: list[_Dumped]) -> Run:
    by_host: dict[str, list[File]] = {}
    for host, _, files in found:
        by_host.setdefault(host, []).extend(files)
    hosts = tuple(
        HostFiles(printable(host), dumps=modules_of(by_host[host])) for host in sorted(by_host, key=in_order)
    )
    first = found[0][1]
    top = first.above(len(first.parts) - len(root))
    problems = _empty_files(hosts)
    errors = (_by_role(folder.files).get(file_names.ERROR, []) for _, folder, _ in found)
    error = next((file for files in errors for file in files), None)
    return Run(_run_name(top, _is_session(top)), "xla_dump", top.path, hosts, (), problems, error)


def _dump_root(parts: tuple[str, ...], dumped: list[File]) -> tuple[tuple[str, ...], str]:
    """The folder that was given to XLA, and the host.

    With --xla_dump_hlo_to_subfolder the files of a module lie in `<module>/<host>_<pid>/`.
    """
    is_nested = len(parts) >= 2 and _HOST_AND_PID.fullmatch(parts[-1]) is not None
    if is_nested and any(f".{parts[-2]}." in file.name for file in dumped):
        return parts[:-2], parts[-1]
    return parts, ""


def _by_host(files: list[File]) -> tuple[HostFiles, ...]:
    by_host: dict[str, list[File]] = {}
    for file in files:
        by_host.setdefault(file_names.host(file.name), []).append(file)
    return tuple(_host_files(host, by_host[host]) for host in sorted(by_host, key=in_order))


def _host_files(host: str, files: Iterable[File]) -> HostFiles:
    roles = _by_role(files)

    def of(role: str) -> tuple[File, ...]:
        return tuple(sorted(roles.get(role, ()), key=lambda file: in_order(file.name)))

    return HostFiles(
        printable(host),
        of(file_names.CAPTURE),
        of(file_names.RECORDS),
        of(file_names.HLO_PROTO),
        of(file_names.SAVED),
        modules_of(of(file_names.DUMP)),
    )


def _by_role(files: Iterable[File]) -> dict[str, list[File]]:
    roles: dict[str, list[File]] = {}
    for file in files:
        roles.setdefault(file_names.role(file.name) or "", []).append(file)
    return roles


def _is_session(folder: Folder) -> bool:
    return folder.path_parts[-3:-1] == ["plugins", "profile"]


def _run_name(folder: Folder, is_session: bool) -> str:
    """The folder's path below the logdir, without `plugins/profile`; for the logdir itself its own name."""
    parts = folder.parts
    if is_session:
        parts = (*parts[:-3], *parts[-1:])
    own_name = folder.path_parts[-1] or folder.path
    return printable("/".join(parts) or own_name)


def _named_apart(runs: list[tuple[bool, Run]]) -> tuple[Run, ...]:
    """Where two runs have one name, the one that XProf lists keeps it; the others get their kind added."""
    apart: dict[str, Run] = {}
    for _, run in sorted(runs, key=lambda one: (not one[0], one[1].kind != "profile", one[1].path)):
        name, count = run.name, 1
        while name in apart:
            name = f"{run.name} ({run.kind}{'' if count == 1 else f' {count}'})"
            count += 1
        apart[name] = run._replace(name=name)
    return tuple(apart[name] for name in sorted(apart, key=in_order))


def _empty_files(hosts: tuple[HostFiles, ...]) -> tuple[Problem, ...]:
    return tuple(
        Problem(
            "empty",
            f"{printable(file.name)} is empty",
            "If it is still being written, wait until it is complete.",
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
            "the run has no capture with memory information",
            "Only *.xplane.pb, *.xplane.riegeli and *.hlo_proto.pb files have it, compressed or not: "
            "capture again with a current profiler.",
            folder.path,
        )
    return Problem(
        "no_capture",
        "the run is empty",
        "If it is still being captured, wait until it is complete.",
        folder.path,
    )
