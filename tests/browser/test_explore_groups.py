"""What the memory goes to: groups, by what a person asks about or by an expression."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.eventually import EXPRESSION_MS, patiently
from tests.browser.explore import TRANSFORMER, opened, table_count
from tests.browser.tensorboard import Server


def test_a_group_filters_bars_map_and_table_and_is_in_the_link(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, **TRANSFORMER)
    everything = table_count(page)
    page.locator(".icicle-cell", has_text="arguments").click()
    expect(page.locator(".crumb[aria-current]")).to_contain_text("arguments")
    expect(page.locator(".buffer-table .chip")).to_contain_text("arguments")
    inside = table_count(page)
    assert 0 < inside < everything
    expect(page.locator(".card")).to_contain_text("Largest live buffer in the group")
    expect(page.locator(".card")).to_contain_text("Parameter")
    link = page.url
    page.go_back()
    expect(page.locator(".crumb[aria-current]")).to_contain_text("All")
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator(".crumb[aria-current]")).to_contain_text("arguments")
    expect(page.locator(".buffer-table .table-count")).to_contain_text(re.compile(rf"^{inside:,} "))


@pytest.mark.parametrize("kind", ["source", "type", "opcode", "dtype", "shape"])
def test_every_grouping_opens(page: Page, demo_server: Server, kind: str) -> None:
    opened(page, demo_server, **TRANSFORMER)
    page.locator(f'.choice[data-kind="{kind}"]').click()
    expect(page.locator(".icicle-cells button").nth(1)).to_be_visible()
    page.locator(".icicle-cells button").nth(1).click()
    expect(page.locator(".crumb")).to_have_count(2)


def test_groups_by_an_expression_and_says_what_is_wrong_with_one(page: Page, demo_server: Server) -> None:
    page.add_init_script(patiently(EXPRESSION_MS))
    opened(page, demo_server, **TRANSFORMER)
    page.locator('.choice[data-kind="expression"]').click()
    page.locator("#expression").fill("^(while|fusion|params)")
    expect(page.locator(".icicle-cells button", has_text="while")).to_be_visible()
    page.locator("#expression").fill("(")
    expect(page.locator("#expression-problem")).to_contain_text("(")


def test_moves_in_the_icicle_by_keys(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, **TRANSFORMER)
    page.locator(".icicle-cells button").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".crumb")).to_have_count(2)
    page.keyboard.press("Backspace")
    expect(page.locator(".crumb")).to_have_count(1)


def test_says_what_to_type_until_there_is_an_expression(page: Page, demo_server: Server) -> None:
    page.add_init_script(patiently(EXPRESSION_MS))
    opened(page, demo_server, **TRANSFORMER)
    page.locator('.choice[data-kind="expression"]').click()
    cells = page.locator(".icicle-cells")
    expect(cells).to_contain_text("Enter a regular expression")
    expect(cells.locator("code")).to_have_text(r"layer_(\d+)")
    expect(cells).not_to_contain_text("no match")
    expect(page.locator(".icicle-note")).to_be_hidden()
    page.locator("#expression").fill("^while")
    expect(cells.locator("button", has_text="while")).to_be_visible()
    page.locator("#expression").fill(" ")
    expect(cells).to_contain_text("Enter a regular expression")
