"""The page's address: a link brings all that was chosen, and the browser's history leads through it."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.page_alone import TRANSFORMER, bar, card, choices, name_on_card, open_page
from tests.browser.tensorboard import Server
from tests.browser.watch import Watch


def test_a_link_brings_point_buffer_zoom_and_capacity(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    page.locator(".line-chart").click(position={"x": 300, "y": 80})
    bar(page).click(position={"x": 5, "y": 10})
    page.get_by_label("Capacity").fill("4 GiB")
    page.keyboard.press("Enter")
    page.locator("h2").first.click()
    page.keyboard.press("+")
    expect(page.get_by_role("region", name="Overview")).to_contain_text("over")
    expect(page).to_have_url(re.compile("zoom="))
    link, pinned, title = page.url, name_on_card(page), page.locator(".bars h2").inner_text()
    assert {"point", "buffer", "capacity", "zoom", "module", "space"} <= choices(page).keys()
    page.goto("about:blank")
    page.goto(link)
    expect(card(page)).to_contain_text("Pinned")
    assert name_on_card(page) == pinned
    expect(page.locator(".bars h2")).to_have_text(title)
    expect(page.get_by_label("Capacity")).to_have_value("4.00 GiB")
    assert page.url == link


def test_back_and_forward(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    page.get_by_role("tab", name=re.compile("VMEM")).click()
    expect(page.get_by_role("tab", selected=True)).to_contain_text("VMEM")
    page.locator(".line-chart").click(position={"x": 300, "y": 80})
    expect(page.locator(".bars h2")).to_contain_text("alive at point")
    page.go_back()
    expect(page.locator(".bars h2")).to_have_text("Buffers alive at the peak")
    page.go_back()
    expect(page.get_by_role("tab", selected=True)).to_contain_text("HBM")
    page.go_forward()
    expect(page.get_by_role("tab", selected=True)).to_contain_text("VMEM")


def test_a_link_to_what_is_gone_says_so(page: Page, watch: Watch, demo_server: Server) -> None:
    watch.allow("404")
    open_page(page, demo_server, "run=no-such-run")
    expect(page.locator(".notice")).to_contain_text("no run “no-such-run”")
    open_page(page, demo_server, f"{TRANSFORMER}&module=jit_gone(1)&space=CMEM")
    expect(page.locator(".notice")).to_contain_text("no module “jit_gone(1)”")
    expect(page.get_by_role("tab", selected=True)).to_contain_text("HBM")
    page.goto("about:blank")
    open_page(page, demo_server, "run=no-such-run&module=jit_gone(1)")
    expect(page.locator(".notice")).to_contain_text("no run “no-such-run”")
    page.get_by_label("Run", exact=True).select_option("gpu_h100")
    expect(page.locator(".notice")).to_have_count(0)
