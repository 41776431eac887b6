"""Extensions of compressed files; the name without them gives the kind of the file. Unpacks nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tensorboard_plugin_memviewer.sessions.filesystem import File

PACKED = (".gz", ".xz")


def plain_name(name: str) -> str:
    """The name that the file had before it was compressed."""
    for ending in PACKED:
        if name.endswith(ending):
            return name.removesuffix(ending)
    return name


def without_copies(files: Iterable[File]) -> Iterator[File]:
    """The files of one folder, in their order; of `x` and `x.gz`, as `gzip -k` leaves them, only `x`."""
    files = list(files)
    names = {file.name for file in files}
    for file in files:
        plain = plain_name(file.name)
        first = next(name for name in (plain, plain + PACKED[0], file.name) if name in names)
        if file.name == first:
            yield file
