"""Which framework an error text comes from, by its exceptions, frames and names."""

from __future__ import annotations

import re

JAX, TENSORFLOW, PYTORCH_XLA, PYTORCH = "jax", "tensorflow", "pytorch_xla", "pytorch"

_REACH = 20_000
"""Characters around the error in which its framework is looked for: a long traceback."""

_SIGNS = re.compile(
    r"(?P<pytorch_xla>Bad StatusOr access|torch_xla|\{\{node XRT|\bXRT"
    r"|RuntimeError: Resource exhausted: From /job:)"
    r"|(?P<pytorch>torch\.(?:cuda\.)?OutOfMemoryError|(?:CUDA|HIP) out of memory\. Tried"
    r"|PYTORCH_\w*ALLOC_CONF)"
    r"|(?P<tensorflow>errors_impl|ResourceExhaustedError|\[Op:|\{\{(?:function_)?node"
    r"|tensorflow\.python|-packages/(?:tensorflow|keras)/|report_tensor_allocations_upon_oom"
    r"|TF_GPU_ALLOCATOR|TPUEstimator)"
    r"|(?P<jax>JaxRuntimeError|XlaRuntimeError|jaxlib|jax\.errors|-packages/jax/|executable_name="
    r"|op_name=\"jit\(|XLA_(?:PYTHON_)?CLIENT_|Mosaic GPU|pallas_call)",
    re.ASCII,
)


def framework_of(text: str, start: int, end: int) -> str | None:
    """ "jax", "tensorflow", "pytorch_xla", "pytorch" (without XLA), or None where nothing tells.

    The sign nearest to the error, which is `text[start:end]`, counts: programs mix frameworks.
    """
    nearest: tuple[int, str | None] = (_REACH + 1, None)
    low = max(0, start - _REACH)
    for match in _SIGNS.finditer(text, low, min(len(text), end + _REACH)):
        away = max(start - match.end(), match.start() - end, 0)
        nearest = min(nearest, (away, match.lastgroup), key=lambda pair: pair[0])
    return nearest[1]
