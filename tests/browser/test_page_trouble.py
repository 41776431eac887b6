"""What the page says when an entry is wrong and when the server fails, is gone, or is late."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Route, expect

from tests.browser.eventually import draw
from tests.browser.page_alone import TRANSFORMER, open_page
from tests.browser.tensorboard import Server
from tests.browser.watch import Watch


def test_capacity_that_is_no_size_is_refused(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    capacity = page.get_by_label("Capacity")
    capacity.fill("a lot")
    page.keyboard.press("Enter")
    expect(capacity).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("alert")).to_contain_text("“a lot” is not a size")
    capacity.fill("")
    page.keyboard.press("Enter")
    expect(capacity).not_to_have_attribute("aria-invalid", "true")


def test_a_failing_server_can_be_asked_again(page: Page, watch: Watch, demo_server: Server) -> None:
    watch.allow("500")
    failing = [True]

    def sometimes(route: Route) -> None:
        if failing[0]:
            route.fulfill(
                status=500, json={"error": {"code": "internal", "message": "broken", "advice": "look"}}
            )
        else:
            route.continue_()

    page.route("**/usage?*", sometimes)
    page.goto(f"{demo_server.data}page.html#{TRANSFORMER}")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("broken")
    expect(alert).to_contain_text("look")
    failing[0] = False
    alert.get_by_role("button", name="Try again").click()
    expect(page.locator(".bar-box").first).to_be_visible()


def test_a_server_that_is_gone(page: Page, watch: Watch, demo_server: Server) -> None:
    watch.allow("ERR_CONNECTION_REFUSED|net::|failed: ")
    page.route("**/modules?*", lambda route: route.abort("connectionrefused"))
    page.goto(f"{demo_server.data}page.html#{TRANSFORMER}")
    expect(page.get_by_role("alert")).to_contain_text("does not respond")


def test_a_late_answer_to_an_older_choice_is_dropped(page: Page, demo_server: Server) -> None:
    held: list[Route] = []

    def hold_hbm(route: Route) -> None:
        if "space=HBM" in route.request.url:
            held.append(route)
        else:
            route.continue_()

    page.route("**/usage?*", hold_hbm)
    page.goto(f"{demo_server.data}page.html#{TRANSFORMER}")
    expect(page.get_by_role("status").first).to_contain_text("Computing the memory of")
    page.get_by_role("tab", name=re.compile("VMEM")).click()
    expect(page.locator(".bar-box").first).to_be_visible()
    assert held
    held[0].fulfill(response=held[0].fetch())
    draw(page)
    expect(page.get_by_role("tab", selected=True)).to_contain_text("VMEM")
    expect(page.locator(".tile.lead")).to_contain_text("111 MiB")
