"""The page by itself, without TensorBoard's frame: how a test opens it, and where things are on it."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator, Page, expect

from tests.browser.tensorboard import Server

TRANSFORMER = "run=tpu_v5e_transformer"


def open_page(page: Page, server: Server, state: str = TRANSFORMER) -> None:
    """The page at an address of its own, once it shows a program."""
    page.goto(f"{server.data}page.html#{state}")
    expect(page.locator(".bar-box").first).to_be_visible()


def choices(page: Page) -> dict[str, str]:
    """What the address says, by name."""
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).fragment).items()}


def bar(page: Page, order: str = "size") -> Locator:
    return page.locator(f'.bar-box[data-order="{order}"]')


def card(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Buffer")


def name_on_card(page: Page) -> str:
    return card(page).get_by_role("heading").first.get_attribute("title") or ""
