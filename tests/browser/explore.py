"""Exploring a real capture: how a test opens the page at a state, what its table says, what it saves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Download, Page, expect

from tests.browser.tensorboard import Server

Screenshot = Callable[[str], Path]
TRANSFORMER = {"run": "tpu_v5e_transformer", "module": "jit_train_step(6894331664667864551)", "space": "HBM"}


def opened(page: Page, server: Server, **state: str) -> Page:
    """The page by itself, as a link with this state opens it, once its map and table are drawn."""
    hash_text = "&".join(f"{name}={quote(value, safe='')}" for name, value in state.items())
    page.goto(f"{server.data}page.html#{hash_text}")
    expect(page.locator(".buffer-table .grid-body .grid-row").first).to_be_visible()
    return page


def table_count(page: Page) -> int:
    """How many buffers the table says that it has."""
    text = page.locator(".buffer-table .table-count").inner_text()
    return int(text.split(" ")[0].replace(",", ""))


def saved(page: Page, act: Callable[[], None]) -> Download:
    """The file that an act downloads."""
    with page.expect_download() as waiting:
        act()
    return waiting.value


def content(download: Download) -> bytes:
    return Path(download.path()).read_bytes()
