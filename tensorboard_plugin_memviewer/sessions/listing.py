"""The runs under a logdir, from one walk over it; names and kinds only, nothing is opened.

The only paths that are ever opened are the ones found here: a request names a run and a host, never a path.
"""

from __future__ import annotations

from collections.abc import Iterable

from tensorboard_plugin_memviewer.errors import DUMP_FLAGS, MemviewerError, NotFound, Problem
from tensorboard_plugin_memviewer.sessions import dump_names, file_names
from tensorboard_plugin_memviewer.sessions.filesystem import File, FileSystem
from tensorboard_plugin_memviewer.sessions.grouping import run_of_file, runs_of
from tensorboard_plugin_memviewer.sessions.run import Listing, Run


def list_in(filesystem: FileSystem, path: str, logdir: str) -> Listing:
    """The runs of a logdir, or of a file given as such; `logdir` is how it is shown.

    What cannot be read below it is a problem of the listing. Raises NotFound or Unreadable where the path
    itself cannot be.
    """
    single = filesystem.file(path)
    if single is not None:
        return Listing(logdir, (_of_file(filesystem, single),), ())
    problems: list[Problem] = []
    runs = runs_of(filesystem.walk(path, file_names.is_ours, problems))
    if not runs and not problems:
        problems.append(_nothing_here(logdir))
    return Listing(logdir, runs, tuple(problems))


def holds_runs(filesystem: FileSystem, path: str) -> bool:
    """Whether list_in would find a run there; looks no further than to the first. Raises what it raises."""
    single = filesystem.file(path)
    if single is not None:
        return bool(_known(single))
    return any(runs_of((folder,)) for folder in filesystem.walk(path, file_names.is_ours, []))


def _of_file(filesystem: FileSystem, file: File) -> Run:
    run = run_of_file(_known(file), _beside(filesystem, file))
    if file_names.role(file.name) == file_names.DUMP and not any(host.dumps for host in run.hosts):
        raise NotFound(
            f"{file.name} holds no memory plan, and the file that does is not beside it",
            "Put the *after_optimizations.hlo.pb or *-buffer-assignment.txt of the same module there, or "
            f"dump again with {DUMP_FLAGS}.",
            file.path,
        )
    return run


def _known(file: File) -> File:
    if file_names.role(file.name) in (None, file_names.ERROR):
        raise NotFound(
            f"{file.name} is not named like a file that is read here",
            "Give a logdir, or a file named *.xplane.pb, *.hlo_proto.pb, *after_optimizations.hlo.pb, "
            "*buffer-assignment.txt or *memory_viewer.json.",
            file.path,
        )
    return file


def _beside(filesystem: FileSystem, file: File) -> Iterable[File]:
    """The other stages of a dumped module, where the file is one."""
    if file_names.role(file.name) != file_names.DUMP:
        return
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
        f"{logdir} holds nothing that tells of memory",
        "Capture a profile there (jax.profiler.trace(logdir)), or dump the compiler's plan there "
        f"({DUMP_FLAGS}).",
        logdir,
    )
