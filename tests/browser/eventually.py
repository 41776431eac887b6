"""Waits for what Playwright's own expectations cannot see: what a script answers, what a page was told.

And gives a page more time than it gives itself: what it takes for hanging is only slow on a busy machine.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from playwright.sync_api import Page

from tests.conftest import ROOT
from tests.patience import PATIENCE_MS

_PAUSE_MS = 100
T = TypeVar("T")


def eventually(page: Page, read: Callable[[], T], fits: Callable[[T], object], wanted: str = "it") -> T:
    """What `read` returns once it fits. Raises AssertionError with the last where it never does."""
    for _ in range(int(PATIENCE_MS / _PAUSE_MS)):
        last = read()
        if fits(last):
            return last
        # Not time.sleep: Playwright takes in what happens in the page only while it is called.
        page.wait_for_timeout(_PAUSE_MS)
    raise AssertionError(f"wanted {wanted}, the last was {last!r}")


def draw(page: Page) -> None:
    """Let the page do all that it has been asked for by now, and draw it."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")


def _limit(file: str, name: str) -> int:
    """A limit in milliseconds that a script of ours sets itself."""
    source = (ROOT / "frontend" / "src" / file).read_text(encoding="utf-8")
    (limit,) = re.findall(rf"\b{name} = ([\d_]+);", source)
    return int(limit)


EXPRESSION_MS = _limit("lib/pattern.ts", "TIME_LIMIT_MS")
READY_MS = _limit("profile_tab/conversation.ts", "PATIENCE_MS")


def patiently(limit_ms: int) -> str:
    """A script after which a page waits as long as a test does where it waits `limit_ms` by itself."""
    return f"""(() => {{
      const wait = window.setTimeout.bind(window);
      window.setTimeout = (act, ms, ...more) =>
        wait(act, ms === {limit_ms} ? {PATIENCE_MS:.0f} : ms, ...more);
    }})()"""
