"""Writes a file completely or not at all: to a temporary name first, then renamed."""

from __future__ import annotations

import os
import secrets
import shutil
import stat
from contextlib import suppress
from pathlib import Path

from tensorboard_plugin_memviewer.errors import BadParameter


def write_whole(target: Path, data: bytes, *, force: bool) -> None:
    """Make `target` hold `data`. A device or a pipe is written to as it is.

    Raises BadParameter where there is such a file already, unless `force`, and where writing fails; what was
    there is then as before.
    """
    try:
        if _is_stream(target):
            with target.open("wb") as stream:
                stream.write(data)
        elif target.is_dir():
            raise BadParameter(f"{target} is a folder", "Name a file with -o.")
        elif force:
            # A link stays one: what it leads to is replaced.
            _replace(Path(os.path.realpath(target)), data)
        else:
            _create(target, data)
    except FileExistsError as error:
        raise BadParameter(
            f"{target} exists already", "Choose another file with -o, or add --force."
        ) from error
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise BadParameter(f"{target} cannot be written: {reason}", "Choose another path with -o.") from error


def _is_stream(target: Path) -> bool:
    try:
        mode = target.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _create(target: Path, data: bytes) -> None:
    # Takes the name, so that of two at once only one goes on.
    target.open("xb").close()
    try:
        _replace(target, data)
    except BaseException:
        target.unlink(missing_ok=True)
        raise


def _replace(target: Path, data: bytes) -> None:
    part = target.with_name(f".memviewer-{secrets.token_hex(8)}.part")
    try:
        with part.open("xb") as file:
            file.write(data)
        with suppress(FileNotFoundError):
            shutil.copymode(target, part)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
