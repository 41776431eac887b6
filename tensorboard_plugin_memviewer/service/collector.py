"""Python's garbage collector, paused while a module is decoded and worked out.

That makes hundreds of thousands of objects that are kept and hold no cycles. The collector would walk through
all of them again and again: nearly half of the time for a large module.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_pauses = 0
_was_on = False


@contextmanager
def paused() -> Iterator[None]:
    """No collection until the last of all threads in here has left; then as it was before the first came."""
    global _pauses, _was_on  # noqa: PLW0603 - the collector is one a process
    with _lock:
        if _pauses == 0:
            _was_on = gc.isenabled()
            gc.disable()
        _pauses += 1
    try:
        yield
    finally:
        with _lock:
            _pauses -= 1
            if _pauses == 0 and _was_on:
                gc.enable()
