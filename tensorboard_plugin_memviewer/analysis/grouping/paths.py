"""How names of a program split into paths of groups: scopes, arguments and places in source code."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from tensorboard_plugin_memviewer.analysis.grouping.groups import GroupNames
from tensorboard_plugin_memviewer.analysis.owners.owner import Owner
from tensorboard_plugin_memviewer.analysis.sources import FRAMEWORK_CODE, Source

NO_NAME: Final = "(no name)"
NO_OWNER: Final = "(no owner)"
_ARGUMENTS: Final = "arguments"
_FROM_ARGUMENTS: Final = "from arguments"
# `['w']`, `["w"]`, `[0]`, `.w` and what comes before the first of them.
_STEP: Final = re.compile(r"""\[(?:'([^']*)'|"([^"]*)"|([^\[\]]*))\]|\.?([^.\[\]]+)""")
_SLASHES: Final = re.compile(r"[/\\]")


def argument_parts(name: str) -> tuple[str, ...]:
    """The parts of an argument's name: of `params['blocks'][0].w` they are params, blocks, 0 and w."""
    steps = ("".join(part or "" for part in step.groups()) for step in _STEP.finditer(name))
    return tuple(step for step in steps if step)


def argument_path(name: str) -> GroupNames:
    """An argument of the program, by its own structure."""
    return GroupNames((_ARGUMENTS, *argument_parts(name)))


def path_in_scope(operation: str) -> GroupNames:
    """What is below a scope, which is listed without it."""
    return GroupNames((operation,) if operation else (), listed=0)


def path_without_scope(operation: str, opcode: str, argument: bool) -> GroupNames:
    """By operation. An argument's name goes by its own structure, and what is named after it too."""
    if operation and argument:
        return argument_path(operation)
    if "[" in operation:
        return GroupNames((_FROM_ARGUMENTS, *argument_parts(operation)))
    return GroupNames((NO_NAME, operation or opcode or NO_NAME))


def source_path(source: Source, short: FileNames) -> GroupNames:
    """File and line. Lines of libraries are together, so that they do not stand between the user's files."""
    file = short[source.file]
    if source.framework:
        names = FRAMEWORK_CODE, source._replace(file=file, framework=False).text()
    else:
        names = file, NO_NAME if source.line is None else f"line {source.line}"
    return GroupNames(names, listed=2, text=source.text())


def owner_path(owner: Owner, short: FileNames) -> GroupNames:
    """An argument by its own structure, with what is made of it below; else scope and line of the maker."""
    details = [] if owner.note is None else [owner.note]
    if owner.path is not None:
        names = (_ARGUMENTS, *argument_parts(owner.path), *details)
        return GroupNames(names, len(names), " ".join((*details, owner.path)))
    file = [] if owner.file is None else [short.get(owner.file, owner.file)]
    line = [name if owner.line is None else f"{name}:{owner.line}" for name in file]
    scope = tuple(owner.scope.split("/")) if owner.scope else ()
    if not scope and not line:
        return GroupNames((NO_OWNER, *details))
    layers = [] if owner.layers is None else [f"× {owner.layers}"]
    leaf = " ".join((*line, *layers, *(f"({note})" for note in details)))
    names = (*scope, leaf) if leaf else scope
    return GroupNames(names, len(names), " ".join(part for part in (owner.scope, leaf) if part))


class FileNames(dict[str, str]):
    """By whole path the last two parts of it; the whole path where several files share those."""

    def __init__(self, files: Iterable[str]) -> None:
        same = defaultdict[str, set[str]](set)
        for file in files:
            same["/".join(_SLASHES.split(file)[-2:])].add(file)
        super().__init__(
            (file, short if len(sharing) == 1 else file)
            for short, sharing in same.items()
            for file in sharing
        )
