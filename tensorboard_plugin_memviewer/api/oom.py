"""`memviewer.trace_oom`: keeps the compiler's dump of a program that runs out of memory.

JAX has no public switch for a dump that works once a backend is up: XLA_FLAGS is read once. So while the
context is open, the options of each compilation get the dump's options too, through the one function of JAX
that makes them. Where a JAX lacks that function, XLA_FLAGS is set instead, which helps where nothing was
compiled before; `active` shows which of the two is used.
"""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

from tensorboard_plugin_memviewer.api.logdir import Logdir
from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.service.oom import parse_oom

_ERROR_FILE = "error.txt"


class trace_oom(contextlib.ContextDecorator):  # noqa: N801 - used like a function
    """Run code; where it ends in RESOURCE_EXHAUSTED, keep the compiler's dump and explain how to view it.

        with memviewer.trace_oom() as oom:
            train_step(params, batch)

    or `@memviewer.trace_oom()` above a function. The error goes on. `dir` is where the dump goes; without it
    the dump goes to a folder of its own, which is thrown away where nothing runs out of memory. Programs that
    were compiled before are not compiled again, so they leave no dump: open it around the first call.
    Not for use from several threads at once.
    """

    def __init__(self, dir: str | os.PathLike[str] | None = None) -> None:  # noqa: A002 - as in tempfile
        self._given = None if dir is None else os.fspath(dir)
        self._folder = ""
        self._undo: Callable[[], None] = lambda: None
        self.active: Literal["compiler options", "XLA_FLAGS"] | None = None
        self.dump: str | None = None

    def __enter__(self) -> trace_oom:
        self.dump = None
        if self._given is None:
            self._folder = tempfile.mkdtemp(prefix="memviewer-oom-")
        else:
            self._folder = str(Path(self._given).resolve())
            Path(self._folder).mkdir(parents=True, exist_ok=True)
        self.active, self._undo = _switched_on(self._folder)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._undo()
        self._undo = lambda: None
        if error is not None and keep_error(error, self._folder):
            self.dump = self._folder
            _add_note(error, _note(self._folder))
        elif self._given is None:
            shutil.rmtree(self._folder, ignore_errors=True)
        self.active = None

    @property
    def logdir(self) -> Logdir | None:
        """What was kept, opened; None where nothing ran out of memory."""
        return None if self.dump is None else Logdir(Service(self.dump))


def dump_options(folder: str) -> dict[str, Any]:
    """The compiler options that make it dump the module with its memory plan."""
    return {"xla_dump_to": folder, "xla_dump_hlo_as_proto": True}


def keep_error(error: BaseException, folder: str) -> bool:
    """Whether an error reports that memory ran out; if so, its text is written next to the dump."""
    text = str(error)
    if parse_oom(text) is None:
        return False
    (Path(folder) / _ERROR_FILE).write_text(text, encoding="utf-8")
    return True


def _note(folder: str) -> str:
    if not any(path.name.endswith((".hlo.pb", ".hlo.pb.gz")) for path in Path(folder).rglob("*")):
        return (
            "memviewer: memory ran out, but nothing was compiled in trace_oom(): the program was compiled "
            "before. Open trace_oom() around its first call, or clear it with jax.clear_caches()."
        )
    return (
        f"memviewer: the compiler's plan was kept. Look at it with\n"
        f"  memviewer summary {folder}\n"
        f"  memviewer serve {folder}\n"
        f"or in Python: memviewer.open({folder!r})"
    )


def _add_note(error: BaseException, note: str) -> None:
    """Python 3.10 has no notes."""
    if hasattr(error, "add_note"):
        error.add_note(note)
    else:
        print(note, file=sys.stderr)  # noqa: T201


def _switched_on(folder: str) -> tuple[Literal["compiler options", "XLA_FLAGS"], Callable[[], None]]:
    try:
        from jax._src import compiler  # noqa: PLC0415 - only who compiles has jax

        original = compiler.get_compile_options
    except (ImportError, AttributeError):
        return "XLA_FLAGS", _with_flags(folder)

    @functools.wraps(original)
    def with_dump(*arguments: Any, **options: Any) -> Any:
        overrides = options.get("env_options_overrides") or {}
        options["env_options_overrides"] = {**overrides, **dump_options(folder)}
        return original(*arguments, **options)

    compiler.get_compile_options = with_dump

    def undo() -> None:
        compiler.get_compile_options = original

    return "compiler options", undo


def _with_flags(folder: str) -> Callable[[], None]:
    before = os.environ.get("XLA_FLAGS")
    os.environ["XLA_FLAGS"] = f"{before or ''} --xla_dump_to={folder} --xla_dump_hlo_as_proto".strip()

    def undo() -> None:
        if before is None:
            del os.environ["XLA_FLAGS"]
        else:
            os.environ["XLA_FLAGS"] = before

    return undo
