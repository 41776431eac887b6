"""Program points in the chart: zoom, a window of points, and a loop that folds."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.page_alone import choices, open_page
from tests.browser.tensorboard import Server


def test_zoom_by_brush_wheel_and_minimap(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    chart = page.locator(".line-chart").bounding_box()
    assert chart is not None
    page.mouse.move(chart["x"] + 300, chart["y"] + 100)
    page.mouse.down()
    page.mouse.move(chart["x"] + 500, chart["y"] + 100, steps=4)
    page.mouse.up()
    expect(page).to_have_url(re.compile("zoom="))
    brushed = choices(page)["zoom"]
    page.mouse.wheel(0, -200)
    expect(page).not_to_have_url(re.compile(re.escape(brushed.replace(",", "%2C"))))
    wheeled = choices(page)["zoom"]
    low, high = map(int, wheeled.split(","))
    assert high - low < 200
    view = page.locator(".minimap-view").bounding_box()
    assert view is not None
    page.mouse.move(view["x"] + view["width"] / 2, view["y"] + 8)
    page.mouse.down()
    page.mouse.move(view["x"] + view["width"] / 2 + 120, view["y"] + 8, steps=4)
    page.mouse.up()
    page.wait_for_url(lambda url: wheeled.replace(",", "%2C") not in url)
    moved_low, moved_high = map(int, choices(page)["zoom"].split(","))
    assert (moved_high - moved_low, moved_low > low) == (high - low, True)
    page.mouse.dblclick(chart["x"] + 300, chart["y"] + 100)
    page.wait_for_url(lambda url: "zoom=" not in url)


def test_a_window_of_points(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    chart = page.locator(".line-chart").bounding_box()
    assert chart is not None
    groups = page.locator(".icicle .crumbs")
    at_peak = groups.text_content() or ""
    page.keyboard.down("Shift")
    page.mouse.move(chart["x"] + 200, chart["y"] + 100)
    page.mouse.down()
    page.mouse.move(chart["x"] + 400, chart["y"] + 100, steps=4)
    page.mouse.up()
    page.keyboard.up("Shift")
    expect(page.locator(".bars h2")).to_contain_text("alive throughout points")
    expect(page.locator(".line-chart rect.window")).to_have_count(1)
    expect(groups).not_to_have_text(at_peak)
    throughout = groups.text_content() or ""
    page.locator(".bars").get_by_role("button", name="Allocated within").click()
    expect(page.locator(".bars h2")).to_contain_text("allocated within points")
    expect(groups).not_to_have_text(throughout)
    expect(page.locator(".buffer-table")).to_contain_text("Allocated within")
    expect(page).to_have_url(re.compile("within=1"))
    page.go_back()
    expect(groups).to_have_text(throughout)
    page.go_forward()
    page.keyboard.press("Escape")
    expect(page.locator(".line-chart rect.window")).to_have_count(0)


def width_of(element: Locator) -> float:
    box = element.bounding_box()
    assert box is not None
    return box["width"]


def test_a_loop_folds(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    loop = page.locator(".loop").first
    title = page.locator(".bars h2")
    ends = re.search(r"to ([\d,]+)", loop.locator("title").text_content() or "")
    assert ends is not None
    wide = width_of(loop)
    loop.click()
    folded = page.locator(".loop.folded")
    expect(folded).to_have_count(1)
    assert width_of(folded) < wide / 3
    # The band is the loop's maximum: a click chooses that point, a key leads out of it in one step.
    band = page.locator(".line-chart .fold-band").bounding_box()
    assert band is not None
    page.mouse.click(band["x"] + band["width"] / 2, band["y"] + 40)
    expect(title).to_have_text(re.compile(r"at point"))
    inside = title.text_content() or ""
    page.keyboard.press("ArrowRight")
    after = int(ends[1].replace(",", "")) + 1
    expect(title).to_have_text(f"Buffers alive at point {after:,}")
    page.keyboard.press("ArrowLeft")
    expect(title).to_have_text(inside)
    # A link shows it folded; the key unfolds what is folded at the chosen point.
    chosen = re.sub(r"\D", "", inside)
    expect(page).to_have_url(re.compile(rf"point={chosen}\b.*fold="))
    page.reload()
    expect(folded).to_have_count(1)
    page.keyboard.press("l")
    expect(folded).to_have_count(0)
    expect(page.locator(".fold-band")).to_have_count(0)
