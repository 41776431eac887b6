"""What kind of memory a storage is, as far as the program's graph shows it: never by names of the program."""

from __future__ import annotations

from typing import Final, NamedTuple


class Category(NamedTuple):
    """A category's `key` in JSON and Python, its `word` for people, and what belongs to it."""

    key: str
    word: str
    sentence: str


CATEGORIES: Final = {
    category.key: category
    for category in (
        Category("parameter", "parameter", "Arguments that the forward pass reads and the program trains."),
        Category(
            "optimizer_state",
            "optimizer state",
            "Arguments that the program replaces and the forward pass never reads.",
        ),
        Category("kv_cache", "KV cache", "Keys and values of earlier tokens, which a decoding step adds to."),
        Category("state", "state", "Other arguments that an output replaces."),
        Category("input", "input", "Arguments that are only read, such as a batch."),
        Category("activation", "activation", "Made in the forward pass and read in the backward pass."),
        Category("activation_gradient", "activation gradient", "Gradients of activations."),
        Category("gradient", "gradient", "Gradients of parameters."),
        Category("recomputed", "recomputed", "Made once more for the backward pass."),
        Category("gathered_weights", "gathered weights", "Parameters gathered from other devices."),
        Category("collective", "collective", "Other buffers of communication between devices."),
        Category("workspace", "workspace", "Made and last read within one pass, and scratch memory."),
        Category("output", "output", "Results with memory of their own."),
        Category("constant", "constant", "Arrays that are part of the program."),
        Category("host_copy", "host copy", "Copies on their way from or to the host."),
        Category("runtime", "runtime", "Tables of tuples, semaphores and small scalars."),
    )
}
