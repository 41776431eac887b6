"""The records of a listing: runs, their hosts, and the files of each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from tensorboard_plugin_memviewer.errors import Problem, not_found
from tensorboard_plugin_memviewer.sessions.dumps import DumpModule
from tensorboard_plugin_memviewer.sessions.filesystem import File

Kind = Literal["profile", "xla_dump", "saved", "file"]


class HostFiles(NamedTuple):
    """What one host left, each tuple in a fixed order. `host` is "" where the names give none.

    `captures` are XSpace files, `records` the same as Riegeli records, `hlo_protos` single programs, `saved`
    results of XProf's Memory Viewer.
    """

    host: str
    captures: tuple[File, ...] = ()
    records: tuple[File, ...] = ()
    hlo_protos: tuple[File, ...] = ()
    saved: tuple[File, ...] = ()
    dumps: tuple[DumpModule, ...] = ()

    def files(self) -> Iterable[File]:
        """Every file once."""
        yield from (*self.captures, *self.records, *self.hlo_protos, *self.saved)
        for dump in self.dumps:
            yield from dump.files()


class Run(NamedTuple):
    """One run. `spare` are `.hlo_proto.pb` files beside a capture, which wins: XProf takes them from it.

    `error` is the compiler's error message, if it was stored next to a dump.
    """

    name: str
    kind: Kind
    path: str
    hosts: tuple[HostFiles, ...]
    spare: tuple[File, ...] = ()
    problems: tuple[Problem, ...] = ()
    error: File | None = None

    @property
    def host_names(self) -> tuple[str, ...]:
        """The hosts that have a name."""
        return tuple(files.host for files in self.hosts if files.host != "")

    @property
    def time(self) -> str | None:
        """When the newest file was written, ISO 8601 in UTC; None if the file system does not report it."""
        times = [
            file.modified_ns for host in self.hosts for file in host.files() if file.modified_ns is not None
        ]
        if not times:
            return None
        # A list of programs as text shows no time, and starts sooner without.
        import datetime  # noqa: PLC0415

        moment = datetime.datetime.fromtimestamp(max(times) // 1_000_000_000, datetime.timezone.utc)
        return moment.isoformat()

    def host(self, name: str) -> HostFiles:
        """The files of one host. Raises NotFound."""
        for files in self.hosts:
            if files.host == name:
                return files
        message = f"run {self.name!r} has no host {name!r}"
        raise not_found(message, name, self.host_names, "named hosts", self.problems)


class Listing(NamedTuple):
    """Everything under one logdir at one time, runs in the order of their names."""

    logdir: str
    runs: tuple[Run, ...]
    problems: tuple[Problem, ...]

    def run(self, name: str) -> Run:
        """The run of this name; on Windows XProf writes it with backslashes. Raises NotFound."""
        for wanted in (name, name.replace("\\", "/")):
            for run in self.runs:
                if run.name == wanted:
                    return run
        known = [run.name for run in self.runs]
        raise not_found(f"{self.logdir} has no run {name!r}", name, known, "runs", self.problems)
