"""Comparison with a module that a person picks."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.explore import TRANSFORMER, Screenshot, opened
from tests.browser.tensorboard import Server


def test_compares_with_a_module_that_a_person_picks(
    page: Page, demo_server: Server, screenshot: Screenshot
) -> None:
    opened(page, demo_server, **TRANSFORMER)
    page.locator("#compare").click()
    choose: Locator = page.locator("#baseline-module")
    expect(choose.locator("option")).to_have_count(2)
    choose.select_option(index=1)
    page.locator("#baseline-go").click()
    comparison = page.get_by_role("region", name="Comparison")
    expect(comparison.locator(".compare-numbers")).to_contain_text("+2.24 GiB")
    expect(comparison.locator(".compare-line")).to_have_count(2)
    comparison.get_by_role("button", name=re.compile("appeared")).first.click()
    expect(comparison.locator(".changes tbody tr:not(.appeared)")).to_have_count(0)
    comparison.locator(".change-name:enabled").first.click()
    expect(page.get_by_role("complementary", name="Buffer")).to_contain_text("Pinned")
    screenshot("explore-compare")
    link = page.url
    comparison.get_by_role("button", name="End comparison").click()
    expect(comparison).to_have_count(0)
    page.goto("about:blank")
    page.goto(link)
    expect(page.get_by_role("region", name="Comparison")).to_be_visible()


def test_the_differences_are_in_sight_on_a_phone(page: Page, demo_server: Server) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    other = {"run": TRANSFORMER["run"], "host": None, "module": "jit_train_step(4782559293268148282)"}
    opened(page, demo_server, **TRANSFORMER, baseline=json.dumps({**other, "space": "HBM"}))
    numbers = page.locator(".numbers-scroll", has=page.locator(".compare-numbers"))
    expect(numbers).to_be_visible()
    assert numbers.evaluate("box => box.scrollWidth <= box.clientWidth")
