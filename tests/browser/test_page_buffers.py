"""Buffers in the bars: hovered, pinned, and the small ones."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.eventually import eventually
from tests.browser.page_alone import bar, card, name_on_card, open_page
from tests.browser.tensorboard import Server


def test_hover_lights_one_buffer_in_all_bars(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    bar(page).hover(position={"x": 5, "y": 10})
    lights = page.locator(".bar-light")
    expect(lights.nth(0)).to_be_visible()
    expect(lights.nth(1)).to_be_visible()
    expect(page.locator(".lifetime.hovered")).to_have_count(1)
    largest = name_on_card(page)
    box = lights.nth(0).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 10)
    expect(card(page).get_by_role("heading").first).to_have_attribute("title", largest)
    page.mouse.move(5, 5)
    expect(page.locator(".lifetime")).to_have_count(0)


def test_click_pins_and_escape_lets_go(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    bar(page).click(position={"x": 5, "y": 10})
    page.mouse.move(5, 5)
    expect(card(page)).to_contain_text("Pinned")
    expect(page.locator(".bar-pin").first).to_be_visible()
    expect(page).to_have_url(re.compile("buffer="))
    page.keyboard.press("Escape")
    expect(card(page)).not_to_contain_text("Pinned")
    expect(page).not_to_have_url(re.compile("buffer="))


def test_small_buffers_open(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    expect(bar(page)).to_have_attribute("aria-valuemax", re.compile("[1-9]"))
    before = int(bar(page).get_attribute("aria-valuemax") or "0")
    page.get_by_role("button", name="Show small").click()
    eventually(page, lambda: int(bar(page).get_attribute("aria-valuemax") or "0"), lambda now: now > before)
