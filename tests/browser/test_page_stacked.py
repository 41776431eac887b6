"""Usage stacked by groups: the legend adds up, a click leads into a group, and the address keeps it."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.page_alone import TRANSFORMER, choices, open_page
from tests.browser.tensorboard import Server


def bytes_of(entries: Locator) -> list[int]:
    """The exact bytes that parts of the legend show."""
    return [int(amount.get_attribute("data-bytes") or "") for amount in entries.all()]


def assert_bands_add_up(page: Page) -> None:
    legend = page.locator(".stack-legend")
    (usage,) = bytes_of(legend.locator(".stack-total [data-bytes]"))
    assert usage > 0
    assert sum(bytes_of(legend.locator(".stack-entry [data-bytes]"))) == usage


def place_in_chart(page: Page, across: float, height: float) -> tuple[float, float]:
    """Pixels at so much of the bands' width, and of their height from the ground."""
    # They come later and move the chart down.
    expect(page.get_by_role("region", name="Findings")).to_be_visible()
    box = page.locator("canvas.bands").bounding_box()
    assert box is not None
    return box["x"] + box["width"] * across, box["y"] + box["height"] * (1 - height)


def test_bands_add_up_to_usage_by_every_grouping(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    expect(page.locator(".stack-legend")).to_be_hidden()
    page.get_by_role("button", name="Stacked").click()
    expect(page).to_have_url(re.compile("chart=stacked"))
    by = page.get_by_label("Stacked by")
    for option in by.locator("option").all():
        by.select_option(option.get_attribute("value"))
        expect(page.locator(".icicle .choice[aria-pressed=true]")).to_have_text(option.text_content() or "")
        for across in (0.05, 0.3, 0.6, 0.95):
            page.mouse.move(*place_in_chart(page, across, 0.1))
            expect(page.locator(".stack-total")).to_contain_text("point")
            assert_bands_add_up(page)


def test_a_click_on_a_band_leads_into_its_group_and_one_beside_it_back(
    page: Page, demo_server: Server
) -> None:
    open_page(page, demo_server, f"{TRANSFORMER}&chart=stacked")
    lowest = page.locator("button.stack-entry").first
    place = place_in_chart(page, 0.6, 0.1)
    page.mouse.move(*place)
    expect(lowest).to_have_class(re.compile(r"\blit\b"))
    name = (lowest.get_attribute("title") or "").splitlines()[0]
    expect(page.locator(".tooltip:not([hidden])").first).to_contain_text(name)
    page.mouse.click(*place)
    expect(page).to_have_url(re.compile("path="))
    assert json.loads(choices(page)["path"]) == [name]
    expect(page.locator(".icicle .crumb[aria-current]")).to_contain_text(name)
    others = page.locator(".stack-legend").get_by_role("button", name="Other groups")
    expect(others).to_be_visible()
    assert_bands_add_up(page)
    others.click()
    expect(page).not_to_have_url(re.compile("path="))


def test_the_address_and_the_keyboard_show_it(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server, f"{TRANSFORMER}&chart=stacked&group=type")
    expect(page.get_by_label("Stacked by")).to_have_value("type")
    expect(page.locator("canvas.bands")).to_be_visible()
    page.locator("button.stack-entry").first.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("path="))
    page.get_by_role("group", name="Chart").get_by_role("button", name="Line").focus()
    page.keyboard.press("Enter")
    expect(page).not_to_have_url(re.compile("chart="))
    expect(page.locator("canvas.bands")).to_be_hidden()
    expect(page.locator(".stack-legend")).to_be_hidden()


def test_the_saved_picture_holds_the_bands(page: Page, demo_server: Server, tmp_path: Path) -> None:
    open_page(page, demo_server, f"{TRANSFORMER}&chart=stacked&group=opcode")
    expect(page.locator(".stack-entry").first).to_be_visible()
    bands = page.locator(".stack-entry").count()
    page.get_by_text("Download", exact=True).click()
    with page.expect_download() as download:
        page.locator("#save-chart-svg").click()
    download.value.save_as(tmp_path / "chart.svg")
    assert 3 < bands == (tmp_path / "chart.svg").read_text("utf-8").count('class="band"')
