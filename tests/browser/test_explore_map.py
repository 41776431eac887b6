"""The allocation map: pointer, zoom, keys, full screen, search."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.eventually import eventually
from tests.browser.explore import TRANSFORMER, Screenshot, opened
from tests.browser.tensorboard import Server


def test_map_hover_names_the_buffer_and_gaps_and_click_pins(
    page: Page, demo_server: Server, screenshot: Screenshot
) -> None:
    opened(page, demo_server, **TRANSFORMER)
    page.mouse.move(*map_place(page, 0.6, 0.1))
    tooltip = page.locator(".map-frame .tooltip")
    expect(tooltip).to_contain_text("576 MiB")
    page.mouse.move(*map_place(page, 0.95, 0.5))
    expect(tooltip).to_contain_text("free here")
    page.mouse.click(*map_place(page, 0.6, 0.1))
    expect(page.locator(".map-pinned")).to_be_visible()
    expect(page.get_by_role("complementary", name="Buffer")).to_contain_text("while.7{11}")
    expect(page).to_have_url(re.compile("buffer="))
    screenshot("explore-map-pinned")


def test_map_zooms_pans_and_resets(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, **TRANSFORMER)
    x, y = map_place(page, 0.6, 0.1)
    page.mouse.move(x, y)
    ticks = page.locator(".map-overlay .tick text")
    expect(ticks.first).not_to_be_empty()
    whole = ticks.all_text_contents()
    for _ in range(3):
        page.mouse.wheel(0, -240)
    expect(page.locator(".map-overlay .tick text").first).not_to_have_text(whole[0])
    expect(page).to_have_url(re.compile(r"zoom=\d+(,|%2C)\d+"))
    zoomed = ticks.all_text_contents()
    page.mouse.down()
    page.mouse.move(x - 200, y + 80, steps=4)
    page.mouse.up()
    page.wait_for_function(
        """before => [...document.querySelectorAll('.map-overlay .tick text')]
            .map(tick => tick.textContent).join() !== before""",
        arg=",".join(zoomed),
    )
    page.locator(".allocation-map").get_by_role("button", name="Show the whole allocation").click()
    expect(ticks).to_have_text(whole)


def test_map_by_keys_says_where_it_is(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, **TRANSFORMER)
    page.locator(".map-frame").focus()
    page.keyboard.press("ArrowRight")
    said = page.locator(".allocation-map [aria-live]")
    expect(said).to_contain_text("while.7{11}, 576 MiB")
    page.keyboard.press("ArrowUp")
    expect(said).to_contain_text("while.7{14}, 288 MiB")
    page.keyboard.press("Enter")
    expect(page.locator(".map-pinned")).to_be_visible()


def test_map_fills_the_screen_and_comes_back(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, **TRANSFORMER)
    page.locator(".allocation-map").get_by_role("button", name="Full screen").click()
    page.wait_for_function("document.fullscreenElement?.classList.contains('allocation-map')")
    page.wait_for_function("document.querySelector('.map-frame').clientHeight > 600")
    page.get_by_role("button", name="Exit full screen").click()
    page.wait_for_function("document.querySelector('.map-frame').clientHeight < 600")
    expect(page.get_by_role("button", name="Full screen", exact=True)).to_be_visible()


def test_the_maps_line_is_whole(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, **TRANSFORMER)
    hint = page.locator(".map-hint")
    expect(hint).to_have_text(re.compile(r"^at 361: .* free in .* gaps, largest .* MiB$"))
    assert hint.evaluate("(line) => line.scrollWidth <= line.clientWidth")


def test_search_leaves_what_it_finds_in_color(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, **TRANSFORMER)
    place = map_place(page, 0.6, 0.1)
    colored = pixel(page, place)
    page.locator("#filter").fill("no buffer is called so")
    expect(page.locator(".buffer-table .empty")).to_contain_text("No buffer here matches")
    eventually(page, lambda: pixel(page, map_place(page, 0.6, 0.1)), lambda now: now != colored)
    page.get_by_label("Search the map").fill("while.7")
    expect(page.locator("#filter")).to_have_value("while.7")
    expect(page.locator(".buffer-table .grid-body .grid-row").first).to_be_visible()
    eventually(page, lambda: pixel(page, map_place(page, 0.6, 0.1)), lambda now: now == colored)


def map_place(page: Page, across: float, up: float) -> tuple[float, float]:
    """A place on the map's plot in page pixels: shares of its width and of its height from the bottom."""
    canvas = page.locator(".map-canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    return box["x"] + across * box["width"], box["y"] + (1 - up) * box["height"]


def pixel(page: Page, place: tuple[float, float]) -> list[int]:
    """The color of the map at a place of the page."""
    found: list[int] = page.evaluate(
        """([x, y]) => {
            const canvas = document.querySelector('.map-canvas');
            const box = canvas.getBoundingClientRect();
            const ratio = canvas.width / box.width;
            const [across, down] = [(x - box.left) * ratio, (y - box.top) * ratio];
            return [...canvas.getContext('2d').getImageData(across, down, 1, 1).data];
        }""",
        list(place),
    )
    return found
