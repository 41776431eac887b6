"""Waits for what Playwright's own expectations cannot see: what a script answers, what a page was told."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from playwright.sync_api import Page

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
