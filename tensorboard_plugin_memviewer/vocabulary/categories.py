"""What kind of memory there is: the words, and a sentence for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Category:
    """A kind of memory. `word` is how it is called everywhere; `sentence` explains it."""

    key: str
    word: str
    sentence: str


PARAMETER: Final = Category(
    "parameter", "parameter", "A weight that the model reads: an argument, or a copy of one."
)
OPTIMIZER_STATE: Final = Category(
    "optimizer_state", "optimizer state", "What the optimizer keeps between steps, such as moments."
)
KV_CACHE: Final = Category(
    "kv_cache", "KV cache", "What a program without a backward pass keeps and writes a part of anew."
)
STATE: Final = Category(
    "state", "state", "What a program without a backward pass keeps and writes anew as a whole."
)
INPUT: Final = Category("input", "input", "An argument that is only read, such as a batch, or a copy of one.")
ACTIVATION: Final = Category("activation", "activation", "Made in the forward pass.")
ACTIVATION_GRADIENT: Final = Category(
    "activation_gradient", "activation gradient", "Made in the backward pass, on the way to gradients."
)
GRADIENT: Final = Category("gradient", "gradient", "Gradient of a parameter, or a sum of such.")
GATHERED: Final = Category(
    "gathered_weights", "gathered weights", "A parameter put together from the parts of several devices."
)
COLLECTIVE: Final = Category("collective", "collective", "Result of another exchange between devices.")
WORKSPACE: Final = Category("workspace", "workspace", "Made and last read within one pass.")
OUTPUT: Final = Category("output", "output", "What the program returns, in memory of its own.")
CONSTANT: Final = Category("constant", "constant", "A constant of the program.")
HOST_COPY: Final = Category("host_copy", "host copy", "A copy in the host's memory.")
RUNTIME: Final = Category("runtime", "runtime", "Tables of pointers, semaphores and values under 4 KiB.")

CATEGORIES: Final = (
    PARAMETER,
    OPTIMIZER_STATE,
    KV_CACHE,
    STATE,
    INPUT,
    ACTIVATION,
    ACTIVATION_GRADIENT,
    GRADIENT,
    GATHERED,
    COLLECTIVE,
    WORKSPACE,
    OUTPUT,
    CONSTANT,
    HOST_COPY,
    RUNTIME,
)
