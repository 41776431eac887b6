"""The runs under a logdir, from one walk over it; names and kinds only, nothing is opened.

The only paths that are ever opened are the ones found here: a request names a run and a host, never a path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tensorboard_plugin_memviewer.errors import DUMP_FLAGS, MemviewerError, NotFound, Problem
from tensorboard_plugin_memviewer.sessions import dump_names, file_names
from tensorboard_plugin_memviewer.sessions.filesystem import File, FileSystem, Reader
from tensorboard_plugin_memviewer.sessions.grouping import run_of_file, runs_of
from tensorboard_plugin_memviewer.sessions.run import Listing

Tell = Callable[[Reader], str | None]
"""The role of a file by its content, one of the constants of file_names; None if it is unknown."""


def list_in(filesystem: FileSystem, path: str, logdir: str, tell: Tell) -> Listing:
    """The runs of a logdir, or of a file given as such; `logdir` is how it is shown.

    In folders, names determine the role of a file. A file given by its path may have any name:
    `tell` returns its role. What cannot be read below it is a problem of the listing. Raises NotFound or
    Unreadable if the path itself cannot be read.
    """
    single = filesystem.file(path)
    if single is not None:
        role = _role(filesystem, single, tell)
        beside = _beside(filesystem, single) if role == file_names.DUMP else ()
        run = run_of_file(single, role, beside)
        if role == file_names.DUMP and not any(host.dumps for host in run.hosts):
            raise NotFound(
                f"{single.name} has no memory plan, and the file that has it is not in the same folder",
                "Put the *after_optimizations.hlo.pb or *-buffer-assignment.txt of the same module there, or "
                f"dump again with {DUMP_FLAGS}.",
                single.path,
            )
        return Listing(logdir, (run,), ())
    problems: list[Problem] = []
    runs = runs_of(filesystem.walk(path, file_names.is_ours, problems))
    if not runs and not problems:
        problems.append(_nothing_here(logdir))
    return Listing(logdir, runs, tuple(problems))


def holds_runs(filesystem: FileSystem, path: str, tell: Tell) -> bool:
    """Whether list_in would find a run there; looks no further than to the first. Raises what it raises."""
    single = filesystem.file(path)
    if single is not None:
        return bool(_role(filesystem, single, tell))
    return any(runs_of((folder,)) for folder in filesystem.walk(path, file_names.is_ours, []))


def _role(filesystem: FileSystem, file: File, tell: Tell) -> str:
    """What a file is that was given as such: by its bytes, else by its name. Raises NotFound."""
    named = file_names.role(file.name)
    try:
        told = _told(filesystem, file, tell)
    except MemviewerError:
        if named is None:
            raise
        told = None
    if told is not None:
        # The names of a dump reveal more: the module, and the files that belong to it.
        is_dump = named == file_names.DUMP and told in (file_names.HLO_PROTO, file_names.DUMP_TEXT)
        return file_names.DUMP if is_dump else told
    if named in (None, file_names.ERROR):
        raise NotFound(
            f"Unsupported file: {file.name}",
            "Give a logdir, a capture (*.xplane.pb), a module with its buffer assignment (*.hlo_proto.pb, "
            "*after_optimizations.hlo.pb), XLA's *buffer-assignment.txt or a saved *memory_viewer.json: "
            "under any name, compressed with gzip or xz or not.",
            file.path,
        )
    return named


def _told(filesystem: FileSystem, file: File, tell: Tell) -> str | None:
    reader = filesystem.open(file)
    try:
        return tell(reader)
    finally:
        reader.close()


def _beside(filesystem: FileSystem, file: File) -> Iterable[File]:
    """The other stages of a dumped module."""
    folder = file.path.removesuffix(file.name)
    for name in dump_names.siblings(file.name):
        try:
            found = filesystem.file(folder + name)
        except MemviewerError:
            continue
        if found is not None:
            yield found


def _nothing_here(logdir: str) -> Problem:
    return Problem(
        "nothing_found",
        f"no memory profile found in {logdir}",
        "Capture a profile there (jax.profiler.trace(logdir)), or dump the compiler's plan there "
        f"({DUMP_FLAGS}).",
        logdir,
    )
