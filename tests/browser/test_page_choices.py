"""What belongs to one memory space or module does not leak into another, however that is chosen."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.browser.eventually import eventually
from tests.browser.page_alone import TRANSFORMER, choices, open_page
from tests.browser.tensorboard import Server

HBM = f"{TRANSFORMER}&module=jit_train_step(6894331664667864551)&space=HBM"


def by_tab(page: Page) -> None:
    page.get_by_role("tab", name=re.compile("VMEM")).click()


def by_name_in_the_strip(page: Page) -> None:
    page.locator('.small-row[data-space="VMEM"] .small-name').click()


def by_key(page: Page) -> None:
    page.keyboard.press("2")


def by_table_of_modules(page: Page) -> None:
    page.get_by_role("button", name="All 2 modules").click()
    page.get_by_role("columnheader", name=re.compile("VMEM")).get_by_role("button").click()
    page.get_by_role("grid", name="Modules").locator(".grid-body .grid-row").first.click()


@pytest.mark.parametrize("choose", [by_tab, by_name_in_the_strip, by_key, by_table_of_modules])
def test_a_capacity_typed_for_hbm_is_not_applied_to_vmem(
    page: Page, demo_server: Server, choose: Callable[[Page], None]
) -> None:
    asked: list[dict[str, list[str]]] = []

    def ask(request: Request) -> None:
        if "/findings?" in request.url:
            asked.append(parse_qs(urlsplit(request.url).query))

    page.on("request", ask)
    open_page(page, demo_server, f"{HBM}&capacity=17179869184")
    expect(page.locator(".tile").nth(1)).to_contain_text("of 16.00 GiB")
    expect(page.get_by_role("tab", name=re.compile("VMEM"))).to_be_visible()
    choose(page)
    page.wait_for_url(re.compile("space=VMEM"))
    expect(page.locator(".tile").nth(1)).to_contain_text("of 128 MiB")
    # Findings are asked for after the numbers are shown.
    eventually(
        page, lambda: asked, lambda found: any(one["space"] == ["VMEM"] for one in found), "findings of VMEM"
    )
    assert {one["space"][0]: one.get("capacity") for one in asked} == {"HBM": ["17179869184"], "VMEM": None}
    assert "capacity" not in choices(page)


def test_the_point_of_a_finding_comes_into_sight(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server, f"{HBM}&zoom=0,40")
    page.locator(".finding").first.click()
    link = page.locator(".finding-evidence .buffer-link").filter(has_text="point").first
    point = int(re.sub(r"\D", "", link.inner_text()))
    assert point >= 40
    link.click()
    page.wait_for_url(lambda url: "zoom=0,40" not in unquote(url))
    low, high = map(int, choices(page)["zoom"].split(","))
    assert low <= point < high
    assert high - low == 40


def test_the_strip_is_never_that_of_another_module(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server, HBM)
    strip = page.locator('.small-row[data-space="VMEM"]')
    expect(strip).to_contain_text("peak 111 MiB")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/memory_spaces?*", hold)
    page.get_by_label("Module", exact=True).click()
    page.get_by_role("option", name=re.compile("4782559293268148282")).click()
    expect(page.locator(".tile.lead")).to_contain_text("1.91 GiB")
    expect(strip).to_have_count(0)
    assert len(held) == 1
    held[0].continue_()
    expect(strip).to_contain_text("peak 112 MiB")
