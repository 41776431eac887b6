"""Which programs a run holds and where their bytes lie, without decoding any of them.

A listing gives files; this finds the programs in them. What cannot be read becomes a problem beside the rest.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

from tensorboard_plugin_memviewer.errors import MemviewerError, Problem
from tensorboard_plugin_memviewer.formats import xspace
from tensorboard_plugin_memviewer.formats.range_hop import RangeReader
from tensorboard_plugin_memviewer.model.device import DeviceFacts
from tensorboard_plugin_memviewer.sessions.cache import Cache
from tensorboard_plugin_memviewer.sessions.dumps import DumpModule
from tensorboard_plugin_memviewer.sessions.filesystem import Changed, File
from tensorboard_plugin_memviewer.sessions.logdir import Logdir
from tensorboard_plugin_memviewer.sessions.run import HostFiles, Listing, Run

if TYPE_CHECKING:
    from tensorboard_plugin_memviewer.formats.oom_text import OomReport

Kind = Literal["capture", "hlo_proto", "dump", "dump_text", "saved"]
T = TypeVar("T")

_CAPTURES_CACHE_BYTES = 64 << 20


class Program(NamedTuple):
    """One program of one host: where its bytes lie (`file[start:end]`) and what the capture says of it.

    `key` names it within its run and host, as XProf does where a capture has it: `jit_f(123)`. `platform` is
    "tpu", "gpu", "cpu" or None; `codegen` the dump after code generation, which tells scoped memory, `report`
    XLA's own totals.
    `edition` differs whenever the bytes may: it is made of the file's version, and where hosts may share the
    program, of those of all captures of the run.
    """

    run: str
    host: str
    key: str
    name: str
    kind: Kind
    file: File
    start: int
    end: int
    program_id: int | None = None
    metadata_id: int | None = None
    platform: str | None = None
    devices: tuple[DeviceFacts, ...] = ()
    codegen: File | None = None
    report: File | None = None
    edition: int = 0

    @property
    def path(self) -> str:
        """The file, as it may be shown."""
        return self.file.path

    @property
    def size(self) -> int:
        """Bytes of the program in the file."""
        return self.end - self.start


class ProgramFinder:
    """Lists runs and programs of one logdir, with what was found kept as long as the files are the same."""

    def __init__(self, logdir: str) -> None:
        self._location = logdir
        self._logdir: Logdir | None = None
        self._cache = Cache(_CAPTURES_CACHE_BYTES)

    @property
    def logdir(self) -> Logdir:
        """The logdir and its files. Raises Unsupported for a URL without an installed driver."""
        if self._logdir is None:
            self._logdir = Logdir(self._location)
        return self._logdir

    def listing(self) -> Listing:
        """The runs as they are now, or were a moment ago."""
        return self.logdir.listing()

    def forget_listing(self) -> None:
        """Makes the next question list anew."""
        self.logdir.forget_listing()

    def programs(self, run: str, host: str | None) -> tuple[tuple[Program, ...], tuple[Problem, ...]]:
        """The programs of a run, host by host in file order, and what could not be read.

        Keys are unique within a host.
        """
        found = self.listing().run(run)
        hosts = found.hosts if host is None else (found.host(host),)
        programs: list[Program] = []
        problems = list(found.problems)
        captures = _edition(file for files in found.hosts for file in (*files.captures, *files.records))
        for files in hosts:
            programs.extend(_named_apart(self._programs_of(found, files, captures, problems)))
        if not programs:
            # XProf took these from the capture before it was damaged.
            programs.extend(_of_hlo_proto(found.name, "", file) for file in found.spare)
        return tuple(programs), tuple(problems)

    def _programs_of(
        self, run: Run, files: HostFiles, captures: int, problems: list[Problem]
    ) -> Iterator[Program]:
        for capture in (*files.captures, *files.records):
            for program in self._of_capture(run, files.host, capture, problems):
                yield program._replace(edition=captures)
        for file in files.hlo_protos:
            yield _of_hlo_proto(run.name, files.host, file)
        for dump in files.dumps:
            yield _of_dump(run, files.host, dump)
        for file in files.saved:
            name = file.name.partition("memory_viewer.")[0].rstrip(".") or "memory_viewer"
            edition = _edition((file,))
            yield Program(run.name, files.host, name, name, "saved", file, 0, file.size, edition=edition)

    def _of_capture(self, run: Run, host: str, file: File, problems: list[Problem]) -> Iterator[Program]:
        try:
            capture = self.capture(file)
        except MemviewerError as error:
            problems.append(error.as_problem()._replace(path=error.path or file.path))
            return
        problems.extend(capture.problems)
        devices = tuple(DeviceFacts(d.name, d.type, d.memory_size, d.megacore) for d in capture.devices)
        for program in capture.programs:
            yield Program(
                run=run.name,
                host=host,
                key=program.name,
                name=program.module_name,
                kind="capture",
                file=file,
                start=program.start,
                end=program.end,
                program_id=program.program_id,
                metadata_id=program.metadata_id,
                platform=_platform(devices),
                devices=devices,
            )

    def capture(self, file: File) -> xspace.Capture:
        """What an XSpace file holds, found once for each state of the file."""

        def scan() -> xspace.Capture:
            with self._opened(file) as content:
                capture = xspace.scan(content, file.path)
                beyond: tuple[Problem, ...] = getattr(content, "problems", ())
                return capture._replace(problems=(*capture.problems, *beyond))

        def size(capture: xspace.Capture) -> int:
            return 2000 + 600 * len(capture.programs)

        return self._cache.get(("capture", file.key), scan, size)

    def versions(self, run: str) -> dict[str, str]:
        """What captured a run, by name, as far as its captures can be read and say."""
        found: dict[str, str] = {}
        for files in self.listing().run(run).hosts:
            for file in (*files.captures, *files.records):
                with suppress(MemviewerError):
                    found.update(self.capture(file).versions)
        return found

    def refusal(self, run: str) -> OomReport | None:
        """What the compiler said when it refused the program of a dump, where that was kept beside it."""
        error = self.listing().run(run).error
        if error is None:
            return None

        # Its patterns take longer to compile than a capture takes to scan.
        from tensorboard_plugin_memviewer.formats import oom_text  # noqa: PLC0415

        def parse() -> OomReport | None:
            data = self.logdir.read(error, max(0, error.size - oom_text.MOST_TEXT), error.size)
            return oom_text.parse_oom(data.decode("utf-8", "replace"))

        return self._cache.get(("refusal", error.key), parse, lambda _: 10_000)

    def read(self, program: Program) -> bytes:
        """The bytes of a program as its file holds them. Raises Changed, Damaged, Unreadable, Unsupported."""
        with self._opened(program.file) as content:
            return content.read(program.start, program.end)

    def read_file(self, file: File) -> bytes:
        """A whole file of the listing."""
        return self.logdir.read(file)

    def fingerprint(self, program: Program) -> str:
        """The same text for programs of equal content, on whatever host, without reading large ones whole."""

        def compute() -> str:
            # A list of programs needs none, and loading OpenSSL takes longer than scanning a capture.
            from tensorboard_plugin_memviewer.service import fingerprint  # noqa: PLC0415

            with self._opened(program.file) as content:
                return fingerprint.of_program(program, content)

        key = ("fingerprint", program.file.key, program.start, program.end, program.edition)
        return self._cache.get(key, compute, lambda _: 300)

    @contextmanager
    def _opened(self, file: File) -> Iterator[RangeReader]:
        """The file's bytes; of a file of records those that are in them."""
        with self.logdir.reading(file) as reader:
            yield _records(reader, file.path) if file.name.endswith(".riegeli") else reader


def named(programs: Iterable[Program], module: str) -> list[Program]:
    """The programs that `module` names: by key, else name(program id) or name(metadata id), else bare name.

    XProf up to 2.22.0 numbers a module by its event metadata, later by its program id.
    """
    known = list(programs)
    for names in (_key, _numbered_names, _bare_name):
        if found := [program for program in known if module in names(program)]:
            return found
    return []


def _key(program: Program) -> tuple[str, ...]:
    return (program.key,)


def _numbered_names(program: Program) -> tuple[str, ...]:
    numbers = (program.program_id, program.metadata_id)
    return tuple(f"{program.name}({number})" for number in numbers if number is not None)


def _bare_name(program: Program) -> tuple[str, ...]:
    return (program.name,)


def retried(attempt: Callable[[], T], forget: Callable[[], None]) -> T:
    """The result of `attempt`, tried again once with a new listing where a file changed under it."""
    try:
        return attempt()
    except Changed:
        forget()
        return attempt()


def _records(reader: RangeReader, path: str) -> RangeReader:
    # Rare, and half as long to load as a capture is to scan.
    from tensorboard_plugin_memviewer.formats.riegeli import Records  # noqa: PLC0415

    return Records(reader, path)


def _edition(files: Iterable[File]) -> int:
    versions = repr([file.key for file in files])
    return zlib.crc32(versions.encode("utf-8", "surrogatepass"))


def _of_hlo_proto(run: str, host: str, file: File) -> Program:
    name = file.name.removesuffix(".hlo_proto.pb")
    return Program(run, host, name, _bare(name), "hlo_proto", file, 0, file.size, edition=_edition((file,)))


def _of_dump(run: Run, host: str, dump: DumpModule) -> Program:
    name = dump.name
    key = name.module if name.number is None else f"module_{name.number:04d}.{name.module}"
    file = dump.hlo or dump.buffer_assignment
    assert file is not None  # a dump module has at least one of the two
    return Program(
        run=run.name,
        host=host,
        key=key,
        name=name.module,
        kind="dump" if dump.hlo is not None else "dump_text",
        file=file,
        start=0,
        end=file.size,
        platform=name.platform,
        codegen=dump.codegen,
        report=dump.report,
        edition=_edition(dump.files()),
    )


def _bare(key: str) -> str:
    """`jit_f` of `jit_f(123)`."""
    return key.rpartition("(")[0] if key.endswith(")") and "(" in key else key


def _platform(devices: tuple[DeviceFacts, ...]) -> str | None:
    names = " ".join(device.name for device in devices)
    return "tpu" if "/device:TPU" in names else "gpu" if "/device:GPU" in names else None


def _named_apart(programs: Iterator[Program]) -> Iterator[Program]:
    """Programs whose key repeats get ` #2`, ` #3`, … in file order."""
    seen: dict[str, int] = {}
    for program in programs:
        seen[program.key] = count = seen.get(program.key, 0) + 1
        yield program if count == 1 else program._replace(key=f"{program.key} #{count}")
