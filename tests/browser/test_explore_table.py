"""The table of buffers: order, filter, columns, widths, keys."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.eventually import EXPRESSION_MS, patiently
from tests.browser.explore import TRANSFORMER, opened, table_count
from tests.browser.tensorboard import Server


def test_table_sorts_filters_and_shows_more_columns(page: Page, demo_server: Server) -> None:
    page.add_init_script(patiently(EXPRESSION_MS))
    opened(page, demo_server, **TRANSFORMER)
    rows = page.locator(".buffer-table .grid-body .grid-row")
    expect(rows.first).to_contain_text("while.7{11}")
    page.get_by_role("columnheader", name="Size").get_by_role("button").click()
    expect(page.get_by_role("columnheader", name="Size")).to_have_attribute("aria-sort", "ascending")
    expect(rows.first).not_to_contain_text("while.7{11}")
    page.locator(".buffer-table").get_by_role("button", name="All buffers").click()
    expect(page.locator(".buffer-table .table-count")).to_contain_text("in total")
    everything = table_count(page)
    page.locator("#filter").fill("/while\\.7\\b/")
    expect(page.locator(".buffer-table .table-count")).not_to_contain_text(f"{everything} ")
    page.locator(".buffer-table .menu summary").click()
    page.locator(".buffer-table .menu label", has_text="Readers").click()
    expect(page.get_by_role("columnheader", name="Readers")).to_have_count(1)


def test_an_expression_that_never_ends_is_stopped(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, **TRANSFORMER)
    page.locator("#filter").fill(r"/^((\w|\W)+)+~$/")
    expect(page.locator("#filter-problem")).to_contain_text("stopped")
    page.evaluate(patiently(EXPRESSION_MS))
    page.locator("#filter").fill("/while/")
    expect(page.locator("#filter-problem")).to_be_empty()
    expect(page.locator(".buffer-table .table-count")).to_contain_text("buffers")


@pytest.mark.parametrize("window", [1250, 1890])
def test_table_fits_its_window(page: Page, demo_server: Server, window: int) -> None:
    """At 1280 and 1920 pixels, of which scroll bars may take 30: no column out of sight, no number cut."""
    page.set_viewport_size({"width": window, "height": 900})
    opened(page, demo_server, **TRANSFORMER)
    room, needed, used, cut = page.locator("#buffer-grid").evaluate(
        """(grid) => [
          grid.clientWidth,
          grid.scrollWidth,
          grid.querySelector('.grid-row').lastElementChild.getBoundingClientRect().right
            - grid.getBoundingClientRect().left,
          [...grid.querySelectorAll('.grid-cell')]
            .filter((cell) => cell.scrollWidth > cell.clientWidth)
            .map((cell) => cell.textContent),
        ]"""
    )
    assert needed <= room
    assert used >= 0.97 * room
    assert cut == []
    name = page.locator(".buffer-table .grid-body .grid-cell", has_text="w1").first
    expect(name).to_have_attribute("title", "params__blocks____w1__.1")


def test_table_by_keys_pins_and_is_announced(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, **TRANSFORMER)
    grid = page.get_by_role("grid", name="Buffers")
    expect(grid).to_have_attribute("aria-rowcount", re.compile(r"\d+"))
    grid.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".buffer-table .grid-row.pinned")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("End")
    count = table_count(page)
    expect(page.locator(f'.buffer-table .grid-row[aria-rowindex="{count + 1}"]')).to_be_visible()


def test_readers_are_those_that_the_card_lists(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, **TRANSFORMER)
    page.locator(".buffer-table .menu summary").click()
    page.locator(".buffer-table .menu label", has_text="Readers").click()
    heading = page.get_by_role("columnheader", name="Readers")
    heading.get_by_role("button").click()
    first = page.locator(".buffer-table .grid-body .grid-row").first
    cell = first.locator(f'[aria-colindex="{heading.get_attribute("aria-colindex")}"]')
    expect(cell).to_have_text(re.compile(r"^([2-9]|\d\d+)$"))
    readers = cell.inner_text()
    first.click()
    card = page.get_by_role("complementary", name="Buffer")
    expect(card.get_by_text(f"{readers} readers, last first")).to_be_visible()
