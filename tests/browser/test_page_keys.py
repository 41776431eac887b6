"""What the keys do, on the page, on a bar and in a field."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.page_alone import bar, card, choices, open_page
from tests.browser.tensorboard import Server


def test_keys(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    title = page.locator(".bars h2")
    page.keyboard.press("ArrowLeft")
    expect(title).to_contain_text("alive at point")
    expect(page).to_have_url(re.compile("point="))
    before = int(choices(page)["point"])
    page.keyboard.press("Shift+ArrowLeft")
    expect(title).to_have_text(f"Buffers alive at point {before - 10}")
    page.keyboard.press("p")
    expect(title).to_have_text("Buffers alive at the peak")
    page.keyboard.press("Home")
    expect(title).to_have_text("Buffers alive at point 0")
    page.keyboard.press("2")
    expect(page.get_by_role("tab", selected=True)).to_contain_text("VMEM")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()


def test_keys_typed_into_a_field_are_text(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    page.get_by_label("Module", exact=True).fill("p2?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()
    expect(page.locator(".picker-none")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_label("Module", exact=True)).to_have_value(re.compile("jit_train_step"))


def test_bars_by_keyboard(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    # There is nothing to move over before the bar is laid out.
    expect(bar(page)).to_have_attribute("aria-valuemax", re.compile("[1-9]"))
    bar(page).focus()
    page.keyboard.press("ArrowRight")
    expect(bar(page)).to_have_attribute("aria-valuenow", "1")
    page.keyboard.press("ArrowRight")
    expect(bar(page)).to_have_attribute("aria-valuenow", "2")
    page.keyboard.press("Enter")
    expect(card(page)).to_contain_text("Pinned")
    expect(page.locator("#live")).to_contain_text("Pinned")
