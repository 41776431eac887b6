"""The page where it has fewer rights or less room: in frames, without a clipboard, scrolled, on a phone."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.page_alone import TRANSFORMER, card, choices, open_page
from tests.browser.tensorboard import Server, serve
from tests.browser.watch import Watch


def framed(page: Page, server: Server, attributes: str, around: str = "") -> None:
    """The page in a frame of a document of the same origin."""
    source = f"{server.data}page.html#{TRANSFORMER}"
    frame = f'<iframe {attributes} src="{source}" style="width:1200px;height:800px"></iframe>'

    def answer(route: Route) -> None:
        route.fulfill(content_type="text/html", body=f"<!doctype html><body>{around}{frame}")

    page.route("**/frame.html", answer)
    page.goto(f"{server.address}frame.html")


def box(part: Locator) -> dict[str, float]:
    # What is drawn anew at this moment has none.
    expect(part).to_be_visible()
    found: dict[str, float] = part.evaluate("(part) => part.getBoundingClientRect().toJSON()")
    return found


def test_a_sandboxed_frame_without_its_origin_gets_a_message(
    page: Page, watch: Watch, demo_server: Server
) -> None:
    watch.allow("CORS|net::|failed: ")
    framed(page, demo_server, 'sandbox="allow-scripts"')
    inner = page.frame_locator("iframe")
    expect(inner.locator(".unstarted")).to_be_visible()
    expect(inner.locator(".unstarted")).to_contain_text("allow-same-origin")


def test_the_message_goes_when_the_page_starts(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    expect(page.locator(".unstarted")).to_have_count(0)


def test_keys_work_in_a_frame_before_any_click(page: Page, demo_server: Server) -> None:
    framed(page, demo_server, "")
    expect(page.frame_locator("iframe").locator(".bar-box").first).to_be_visible()
    page.keyboard.press("?")
    expect(page.frame_locator("iframe").locator("dialog.sheet")).to_be_visible()


def test_keys_stay_with_what_has_them_already(page: Page, demo_server: Server) -> None:
    framed(page, demo_server, "", "<input autofocus><script>document.querySelector('input').focus()</script>")
    expect(page.frame_locator("iframe").locator(".bar-box").first).to_be_visible()
    page.keyboard.type("a?")
    expect(page.locator("input")).to_have_value("a?")
    expect(page.frame_locator("iframe").locator("dialog.sheet")).to_be_hidden()


def test_keys_work_in_tensorboard_before_any_click(page: Page, demo_server: Server) -> None:
    page.goto(f"{demo_server.address}#memviewer&p.memviewer.run=tpu_v5e_transformer")
    viewer = page.frame_locator("iframe")
    expect(viewer.locator(".bar-box").first).to_be_visible()
    page.keyboard.press("?")
    expect(viewer.locator("dialog.sheet")).to_be_visible()


def test_what_may_not_be_copied_stands_selected(page: Page, demo_server: Server) -> None:
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    open_page(page, demo_server)
    card(page).get_by_role("button", name="Copy link").click()
    field = page.get_by_label("Text to copy")
    expect(field).to_have_value(re.compile("page.html#.*buffer="))
    selected = (
        "((field) => field.value.slice(field.selectionStart, field.selectionEnd))(document.activeElement)"
    )
    assert page.evaluate(selected) == field.input_value()
    page.keyboard.press("Escape")
    expect(field).to_have_count(0)
    assert "buffer" in choices(page)


def test_the_tooltip_of_a_scrolled_chart_is_not_under_the_head(page: Page, demo_server: Server) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    open_page(page, demo_server)
    # Everything below has to be there to scroll by.
    expect(page.locator("#buffer-grid [data-row]").first).to_be_attached()
    head = page.locator("header.controls")
    for chart in (page.locator(".chart-frame"), page.locator(".map-frame")):
        page.evaluate("scrollTo(0, 0)")
        hidden = 90
        page.evaluate("(by) => scrollTo(0, by)", box(chart)["y"] - box(head)["height"] + hidden)
        low = box(head)["y"] + box(head)["height"]
        page.mouse.move(box(chart)["x"] + 400, low + 60)
        tooltip = chart.locator(".tooltip")
        expect(tooltip).to_be_visible()
        assert box(tooltip)["y"] >= low


def test_labels_of_peak_and_capacity_do_not_lie_over_each_other_on_a_phone(
    page: Page, demo_server: Server
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_page(page, demo_server)
    peak = box(page.locator(".line-chart .mark-label.peak"))
    capacity = box(page.locator(".line-chart .rule-label.capacity"))
    beside = peak["x"] + peak["width"] <= capacity["x"] or capacity["x"] + capacity["width"] <= peak["x"]
    apart = peak["y"] + peak["height"] <= capacity["y"] + 4 or capacity["y"] + capacity["height"] <= peak["y"]
    assert beside or apart, (peak, capacity)


def test_problems_stand_open_above_the_picture(page: Page, demo_server: Server) -> None:
    problem = {"code": "damaged", "message": "no heap trace", "advice": "Compile anew.", "path": "/x.pb"}

    def with_problems(route: Route) -> None:
        answer = route.fetch().json()
        route.fulfill(json={**answer, "problems": [{**problem, "message": f"fault {i}"} for i in range(5)]})

    page.route("**/usage?*", with_problems)
    open_page(page, demo_server)
    notice = page.locator(".notice")
    expect(notice.get_by_text("fault 0")).to_be_visible()
    expect(notice.get_by_text("Compile anew.").first).to_be_visible()
    expect(notice.get_by_text("fault 4")).to_be_hidden()
    notice.get_by_text("2 more problems").click()
    expect(notice.get_by_text("fault 4")).to_be_visible()
    # A change of the page leaves it unfolded.
    page.get_by_label("Capacity").fill("16 GiB")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("capacity="))
    expect(notice.get_by_text("fault 4")).to_be_visible()


def test_the_recipe_of_an_empty_page_is_one_line_that_can_be_copied(page: Page, tmp_path: Path) -> None:
    page.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', "
        "{value: {writeText: async (text) => { window.copied = text; }}})"
    )
    with serve(tmp_path) as server:
        page.goto(f"{server.data}page.html")
        flags = page.locator(".recipe").filter(has_text="XLA_FLAGS")
        flags.get_by_role("button", name="Copy").click()
        expect(flags.get_by_role("button", name="Copied")).to_be_visible()
        assert page.evaluate("window.copied") == flags.locator("pre").inner_text()
        assert "\n" not in page.evaluate("window.copied")
