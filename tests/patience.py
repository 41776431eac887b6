"""How long a test waits for what is not there yet: a machine that is busy is slow, not wrong.

No test has a limit of its own: one that is tuned to an idle machine fails by chance on a busy one. The limits
only end what hangs, so nothing is lost where they are generous. `tests/architecture` holds every test to it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

# An answer, an element of a page, another thread.
PATIENCE_S: Final = 120.0
# The same in the unit of Playwright.
PATIENCE_MS: Final = 1000 * PATIENCE_S
# A whole program from its start to its end.
PROGRAM_S: Final = 600.0
_PAUSE_S = 0.02


def soon(holds: Callable[[], bool]) -> bool:
    """Whether `holds` comes to be true within the limit; it is asked again and again."""
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(_PAUSE_S)
    return True
