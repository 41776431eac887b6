"""More than one module: their table, and two side by side."""

from __future__ import annotations

import re
import time

from playwright.sync_api import Page, Route, expect

from tests.browser.page_alone import open_page
from tests.browser.tensorboard import Server


def test_the_table_of_modules_and_back(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server, "run=tpu_v5e_kernels")
    page.get_by_role("button", name=re.compile("All . modules")).click()
    expect(page.get_by_role("grid", name="Modules")).to_be_visible()
    expect(page).to_have_url(re.compile("view=modules"))
    page.get_by_role("row").filter(has_text="jit_").nth(1).click()
    expect(page.locator(".bar-box").first).to_be_visible()
    page.go_back()
    expect(page.get_by_role("grid", name="Modules")).to_be_visible()


def test_a_comparison(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)

    def late(route: Route) -> None:
        time.sleep(0.5)
        route.continue_()

    page.route("**/modules?**", late)
    page.locator("#compare").click()
    expect(page.locator("#baseline-go")).to_be_disabled()
    page.locator("#baseline-go").click()  # waits until there is something to choose
    expect(page.get_by_role("region", name="Comparison")).to_be_visible()
    expect(page).to_have_url(re.compile("baseline="))
    chart = page.locator(".compare-chart")
    expect(chart.locator(".direction").nth(2)).to_be_attached()
    chart.hover(position={"x": 300, "y": 60})
    expect(page.locator(".compare-frame .tooltip")).to_contain_text("at point")
    chart.click(position={"x": 300, "y": 60})
    expect(page).to_have_url(re.compile("point="))
    # What shows the rest stands under the last row, not on it.
    more = page.locator(".changes-more button")
    more.scroll_into_view_if_needed()
    last, button = page.locator(".changes tbody tr").last.bounding_box(), more.bounding_box()
    assert last is not None
    assert button is not None
    assert button["y"] >= last["y"] + last["height"]
    rows = page.locator(".changes tbody tr").count()
    more.click()
    expect(page.locator(".changes tbody tr").nth(rows)).to_be_attached()
    page.get_by_role("button", name="End comparison").click()
    expect(page.get_by_role("region", name="Comparison")).to_have_count(0)
