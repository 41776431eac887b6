"""Classifies the files of a Python stack: the user's code, a library's, or unclear.

Judges paths alone: the files may be on another machine, and of another system.
"""

from __future__ import annotations

import re
import sys
from enum import IntEnum
from functools import lru_cache
from typing import Final


class Standing(IntEnum):
    """How likely a file is the user's own code; the smallest of a stack is taken."""

    USER = 0
    # A library's in most programs, the user's own in some: taken where nothing better is on the stack.
    DOUBTFUL = 1
    FRAMEWORK = 2


# Paths are in lower case, with forward slashes.
_INSTALLED: Final = re.compile(
    r"(^|/)(site-packages|dist-packages|[^/]+\.(whl|egg)|__pypackages__)/"
    r"|(^|/)lib(64)?/(python|pypy)[\d.]+t?/"
    r"|(^|/)python\d+\.zip/"
)
# The standard library of Windows has no folder that names Python, only one called Lib.
_WINDOWS_LIBRARY: Final = re.compile(r"^([a-z]:|//).*/lib/(\w+)(\.py$|/)")
_STANDARD_LIBRARY: Final = frozenset(name.lower() for name in sys.stdlib_module_names)
# A framework in a checkout of its own, installed as editable: folders that only its own tree has.
_CHECKOUT: Final = re.compile(
    r"(^|/)(jax/(_src|experimental|interpreters|extend)|flax/(linen|nnx|core)|haiku/_src|optax/_src"
    r"|equinox/(nn|internal)|keras/src|tensorflow/python|torch_xla/torch_xla|torch/(nn|autograd|optim|_\w+))/"
    r"|(^|/)(torch/_\w+|equinox/_\w+|absl/app)\.py$"
)
# What a person types: other names in angle brackets belong to the interpreter or to generated code.
_TYPED: Final = re.compile(r"<(ipython-input|python-input|stdin|console|command|doctest)\b")


@lru_cache(maxsize=1 << 14)
def standing_of(file: str) -> Standing:
    """Whose code `file` is, as a stack frame or an instruction's metadata names it."""
    path = file.lower().replace("\\", "/")
    if path.startswith("<"):
        if _TYPED.match(path):
            return Standing.USER
        # The code of `python -c`, and that which dataclasses generate.
        return Standing.DOUBTFUL if path == "<string>" else Standing.FRAMEWORK
    windows = _WINDOWS_LIBRARY.match(path)
    if _INSTALLED.search(path) or _CHECKOUT.search(path):
        return Standing.FRAMEWORK
    if windows is not None and windows[2] in _STANDARD_LIBRARY:
        return Standing.FRAMEWORK
    # A tree that holds libraries and programs side by side.
    return Standing.DOUBTFUL if path.startswith("third_party/py/") else Standing.USER
