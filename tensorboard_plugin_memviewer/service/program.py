"""One program of a run: the location of its bytes, its names, and how single files and dumps become one.

Knows no capture: those hold many programs, found in programs.py.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from tensorboard_plugin_memviewer.model.device import DeviceFacts
from tensorboard_plugin_memviewer.sessions.dumps import DumpModule, TextFiles
from tensorboard_plugin_memviewer.sessions.filesystem import File
from tensorboard_plugin_memviewer.sessions.packing import plain_name

Kind = Literal["capture", "hlo_proto", "dump", "dump_text", "saved"]


class Program(NamedTuple):
    """One program of one host: where its bytes lie (`file[start:end]`) and what the capture says of it.

    `key` names it within its run and host, as XProf does where a capture has it: `jit_f(123)`. `platform` is
    "tpu", "gpu", "cpu" or None; `codegen` the dump after code generation, which tells scoped memory, `report`
    XLA's own totals.
    `texts` are what stands beside a buffer assignment's text.
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
    texts: TextFiles = TextFiles()
    edition: int = 0

    @property
    def path(self) -> str:
        """The file, as it may be shown."""
        return self.file.path

    @property
    def size(self) -> int:
        """Bytes of the program in the file."""
        return self.end - self.start


def of_hlo_proto(run: str, host: str, file: File) -> Program:
    """The program of a file that holds one HloProto."""
    name = plain_name(file.name).removesuffix(".pb").removesuffix(".hlo_proto")
    return Program(run, host, name, _bare(name), "hlo_proto", file, 0, file.size, edition=edition_of((file,)))


def of_saved(run: str, host: str, file: File) -> Program:
    """The program of a result that XProf's Memory Viewer saved."""
    name = file.name.partition("memory_viewer.")[0].rstrip(".") or "memory_viewer"
    return Program(run, host, name, name, "saved", file, 0, file.size, edition=edition_of((file,)))


def of_dump(run: str, host: str, dump: DumpModule) -> Program:
    """The program of a module that XLA dumped."""
    name = dump.name
    file = dump.hlo or dump.buffer_assignment
    assert file is not None  # a dump module has at least one of the two
    return Program(
        run=run,
        host=host,
        key=name.key,
        name=name.module,
        kind="dump" if dump.hlo is not None else "dump_text",
        file=file,
        start=0,
        end=file.size,
        platform=name.platform,
        codegen=dump.codegen,
        report=dump.report,
        texts=dump.texts,
        edition=edition_of(dump.files()),
    )


def edition_of(files: Iterable[File]) -> int:
    """A number that differs whenever the content of one of the files may."""
    versions = repr([file.key for file in files])
    return zlib.crc32(versions.encode("utf-8", "surrogatepass"))


def named_apart(programs: Iterator[Program]) -> Iterator[Program]:
    """Programs whose key repeats get ` #2`, ` #3`, … in file order."""
    seen: dict[str, int] = {}
    for program in programs:
        seen[program.key] = count = seen.get(program.key, 0) + 1
        yield program if count == 1 else program._replace(key=f"{program.key} #{count}")


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


def _bare(key: str) -> str:
    """`jit_f` of `jit_f(123)`."""
    return key.rpartition("(")[0] if key.endswith(")") and "(" in key else key
