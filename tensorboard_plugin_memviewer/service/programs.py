"""Which programs a run holds and where their bytes lie, without decoding any of them.

A listing gives files; this finds the programs in them. What cannot be read becomes a problem beside the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TypeVar

from tensorboard_plugin_memviewer.errors import MemviewerError, NotYet, Problem
from tensorboard_plugin_memviewer.formats import xspace
from tensorboard_plugin_memviewer.formats.range_hop import RangeReader
from tensorboard_plugin_memviewer.model.device import DeviceFacts
from tensorboard_plugin_memviewer.service.cache_sizes import size_of_records
from tensorboard_plugin_memviewer.service.capture_content import CaptureContents
from tensorboard_plugin_memviewer.service.content_role import role_by_content
from tensorboard_plugin_memviewer.service.parts import without_parts
from tensorboard_plugin_memviewer.service.program import (
    Kind,
    Program,
    edition_of,
    named_apart,
    of_dump,
    of_hlo_proto,
    of_saved,
)
from tensorboard_plugin_memviewer.sessions.cache import Cache
from tensorboard_plugin_memviewer.sessions.dumps import DumpModule
from tensorboard_plugin_memviewer.sessions.filesystem import Changed, File
from tensorboard_plugin_memviewer.sessions.logdir import Logdir
from tensorboard_plugin_memviewer.sessions.run import HostFiles, Listing, Run

if TYPE_CHECKING:
    from tensorboard_plugin_memviewer.formats.oom_text import OomReport

T = TypeVar("T")

_CAPTURES_CACHE_BYTES = 64 << 20


class ProgramFinder:
    """Lists runs and programs of one logdir, with what was found kept as long as the files are the same."""

    def __init__(self, logdir: str) -> None:
        self._location = logdir
        self._logdir: Logdir | None = None
        self._cache = Cache(_CAPTURES_CACHE_BYTES)
        self._contents = CaptureContents()

    @property
    def logdir(self) -> Logdir:
        """The logdir and its files. Raises Unsupported for a URL without an installed driver."""
        if self._logdir is None:
            self._logdir = Logdir(self._location, role_by_content)
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
        captures = edition_of(file for files in found.hosts for file in (*files.captures, *files.records))
        for files in hosts:
            programs.extend(named_apart(self._programs_of(found, files, captures, problems)))
        if not programs:
            # XProf took these from the capture before it was damaged.
            programs.extend(of_hlo_proto(found.name, "", file) for file in found.spare)
        return tuple(programs), tuple(problems)

    def _programs_of(
        self, run: Run, files: HostFiles, captures: int, problems: list[Problem]
    ) -> Iterator[Program]:
        # What is empty holds no program: the run has a problem for it already.
        for capture in filter(_has_content, (*files.captures, *files.records)):
            for program in self._of_capture(run, files.host, capture, problems):
                yield program._replace(edition=captures)
        for file in filter(_has_content, files.hlo_protos):
            yield of_hlo_proto(run.name, files.host, file)
        dumps, parts = without_parts(files.dumps, self._is_kernel)
        problems.extend(parts)
        for dump in dumps:
            program = of_dump(run.name, files.host, dump)
            if _has_content(program.file):
                yield program
        for file in filter(_has_content, files.saved):
            yield of_saved(run.name, files.host, file)

    def _is_kernel(self, dump: DumpModule) -> bool:
        """Whether the module is a kernel of another program, found once for each state of its file."""
        file = dump.hlo or next(iter(dump.texts.modules), None)
        if file is None:
            return False

        # Rare, and slow to load: most lists of programs decode nothing.
        from tensorboard_plugin_memviewer.formats import module_parts, packed_data  # noqa: PLC0415

        def look() -> bool:
            try:
                data = packed_data.plain(self.read_file(file))
            except MemviewerError:
                return False
            if dump.hlo is not None:
                return module_parts.is_kernel(data)
            return module_parts.is_kernel_text(data.decode(errors="replace"))

        return self._cache.get(("kernel", file.key), look, lambda _: 200)

    def _of_capture(self, run: Run, host: str, file: File, problems: list[Problem]) -> Iterator[Program]:
        try:
            capture = self.capture(file)
        except MemviewerError as error:
            problems.append(error.as_problem()._replace(path=error.path or file.path))
            return
        problems.extend(capture.problems)
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
                platform=_platform(capture.devices),
                devices=capture.devices,
            )

    def capture(self, file: File) -> xspace.Capture:
        """What an XSpace file holds, found once for each state of the file."""

        def scan() -> xspace.Capture:
            with self._opened(file, "capture") as content:
                capture = xspace.scan(content, file.path)
                beyond: tuple[Problem, ...] = getattr(content, "problems", ())
                return capture._replace(problems=(*capture.problems, *beyond))

        def size(capture: xspace.Capture) -> int:
            return size_of_records(len(capture.programs))

        return self._cache.get(("capture", file.key), scan, size)

    def versions(self, run: str) -> dict[str, str]:
        """Versions of the software that captured a run, by name, as far as its captures have them."""
        found: dict[str, str] = {}
        for files in self.listing().run(run).hosts:
            for file in (*files.captures, *files.records):
                with suppress(MemviewerError):
                    found.update(self.capture(file).versions)
        return found

    def refusal(self, run: str) -> OomReport | None:
        """The compiler's error message about the program of a dump, if it was stored next to it."""
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
        with self._opened(program.file, program.kind) as content:
            return content.read(program.start, program.end)

    def read_file(self, file: File) -> bytes:
        """A whole file of the listing."""
        return self.logdir.read(file)

    def fingerprint(self, program: Program) -> str:
        """The same text for programs of equal content, on whatever host, without reading large ones whole."""

        def compute() -> str:
            # A list of programs needs none, and loading OpenSSL takes longer than scanning a capture.
            from tensorboard_plugin_memviewer.service import fingerprint  # noqa: PLC0415

            with self._opened(program.file, program.kind) as content:
                return fingerprint.of_program(program, content)

        key = ("fingerprint", program.file.key, program.start, program.end, program.edition)
        return self._cache.get(key, compute, lambda _: 300)

    @contextmanager
    def _opened(self, file: File, kind: Kind) -> Iterator[RangeReader]:
        """The file's bytes; of a capture those that its programs' places are counted in."""
        with self.logdir.reading(file) as reader:
            yield self._contents.of(file, reader) if kind == "capture" else reader


def retried(attempt: Callable[[], T], forget: Callable[[], None]) -> T:
    """The result of `attempt`, tried again once with a new listing where a file changed under it."""
    try:
        return attempt()
    except (Changed, NotYet):
        forget()
        return attempt()


def _has_content(file: File) -> bool:
    return file.size > 0


def _platform(devices: tuple[DeviceFacts, ...]) -> str | None:
    names = " ".join(device.name for device in devices)
    return "tpu" if "/device:TPU" in names else "gpu" if "/device:GPU" in names else None
