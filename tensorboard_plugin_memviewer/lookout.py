"""Reports immediately whether there is something to show, while a separate thread searches for it.

Independent of what is searched for.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Final

_log = logging.getLogger(__name__)

_PAUSE_S: Final = 5.0
# The first look is waited for so long: a tab that comes a moment later is not seen before the next reload.
_FIRST_LOOK_S: Final = 0.3
# On a slow file system at most a tenth of the time is spent looking.
_PAUSE_PER_LOOK: Final = 9.0


class Lookout:
    """Remembers that something has been seen; until then looks again now and then, one look at a time.

    `look_once` may take long and may raise: what it raises is logged and counts as nothing seen.
    """

    def __init__(self, look_once: Callable[[], bool], pause_s: float = _PAUSE_S) -> None:
        self._look_once = look_once
        self._pause_s = pause_s
        self._lock = threading.Lock()
        self._seen = False
        self._looking = False
        self._next_look = 0.0
        self._looked_once = threading.Event()

    def seen(self) -> bool:
        """What is known now; starts another look where nothing has been seen yet and one is due.

        Waits for nothing but the end of the first look, and for that a moment only.
        """
        if not self._seen:
            self.look()
            self._looked_once.wait(_FIRST_LOOK_S)
        return self._seen

    def look(self) -> None:
        """Start a look in a thread of its own, unless one is running or the last was a moment ago."""
        with self._lock:
            if self._looking or time.monotonic() < self._next_look:
                return
            self._looking = True
        threading.Thread(target=self._run, name="memviewer-lookout", daemon=True).start()

    def _run(self) -> None:
        began = time.monotonic()
        try:
            self._seen = self._look_once()
        except Exception:
            _log.exception("Looking for captures failed")
        finally:
            now = time.monotonic()
            with self._lock:
                self._looking = False
                self._next_look = now + max(self._pause_s, _PAUSE_PER_LOOK * (now - began))
            self._looked_once.set()
