"""The rest of exploring on real captures: overview, findings, other spaces, modules, menus, a window."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.explore import TRANSFORMER, Screenshot, opened
from tests.browser.tensorboard import Server
from tests.browser.watch import Watch


def test_every_headline_number_is_on_one_line(page: Page, demo_server: Server) -> None:
    """As wide as beside the side bar of the Profile tab in a window of 1440 pixels."""
    page.set_viewport_size({"width": 1100, "height": 900})
    opened(page, demo_server, **TRANSFORMER)
    values = page.locator(".overview .tile-value")
    expect(values.nth(1)).to_have_text("4.25 GiB")
    heights = values.evaluate_all("(values) => values.map((value) => value.offsetHeight)")
    assert set(heights) == {24}


def test_a_finding_opens_to_its_buffers(page: Page, demo_server: Server, screenshot: Screenshot) -> None:
    opened(page, demo_server, **TRANSFORMER)
    finding = page.locator(".finding").first
    finding.click()
    expect(finding).to_have_attribute("aria-expanded", "true")
    expect(page.locator("#finding-detail")).to_contain_text("Try:")
    page.locator("#finding-detail [data-row]").first.click()
    expect(page.get_by_role("complementary", name="Buffer")).to_contain_text("Pinned")
    screenshot("explore-finding")


def test_other_spaces_follow_the_pointer_on_the_chart(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, **TRANSFORMER)
    vmem = page.locator('.small-row[data-space="VMEM"]')
    before = vmem.locator(".small-value").inner_text()
    chart = page.locator(".line-chart")
    chart.scroll_into_view_if_needed()
    chart.hover(position={"x": 400, "y": 80})
    expect(vmem.locator(".small-value")).not_to_have_text(before)
    vmem.get_by_role("button").click()
    expect(page.get_by_role("tab", name=re.compile("VMEM"))).to_have_attribute("aria-selected", "true")


def test_modules_are_listed_searched_and_opened(
    page: Page, demo_server: Server, screenshot: Screenshot
) -> None:
    opened(page, demo_server, run="tpu_v5e_kernels")
    page.locator("#all-modules").click()
    grid = page.get_by_role("grid", name="Modules")
    rows = grid.locator(".grid-body .grid-row")
    expect(rows).to_have_count(4)
    expect(rows.first).to_contain_text("633 MiB")
    screenshot("explore-modules")
    grid.get_by_role("columnheader", name="VMEM").get_by_role("button").click()
    page.locator("#module-filter").fill("between")
    expect(rows).to_have_count(1)
    rows.first.click()
    expect(page.get_by_role("tab", name=re.compile("VMEM"))).to_have_attribute("aria-selected", "true")


def test_a_link_to_a_memory_space_that_is_not_there_says_so(
    page: Page, watch: Watch, demo_server: Server
) -> None:
    watch.allow("404")
    opened(page, demo_server, **{**TRANSFORMER, "space": "CMEM"})
    expect(page.locator(".notice")).to_contain_text("no memory space “CMEM”. Another one is shown instead.")
    page.get_by_role("tab", name=re.compile("VMEM")).click()
    expect(page.locator(".notice")).to_have_count(0)


@pytest.mark.parametrize(
    "gone", ["run=gone", "run=gone&module=jit_padded(1949091827119232368)", "run=gone&module=gone"]
)
def test_an_open_page_says_of_a_missing_run_what_a_fresh_one_says(
    page: Page, demo_server: Server, gone: str
) -> None:
    def said() -> tuple[str, str]:
        expect(page.locator(".notice")).to_contain_text(
            "There is no run “gone” in this logdir. Another one is shown instead."
        )
        expect(page.locator(".buffer-table .grid-body .grid-row").first).to_be_visible()
        expect(page.locator(".main:not(.stale) .usage-line")).to_have_count(1)
        return page.locator(".notice").inner_text(), page.locator("header.controls").inner_text()

    opened(page, demo_server, **TRANSFORMER)
    page.evaluate("(hash) => { location.hash = hash; }", gone)
    open_page = said()
    page.goto("about:blank")
    page.goto(f"{demo_server.data}page.html#{gone}")
    assert said() == open_page
    page.evaluate("(hash) => { location.hash = hash; }", "run=gpu_h100")
    expect(page.locator(".notice")).to_have_count(0)


def test_one_menu_is_open_at_a_time_and_escape_closes_it(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, **TRANSFORMER)
    menus, compare = page.locator("details.menu[open]"), page.locator("#compare")
    compare.click()
    page.locator("#baseline-run").focus()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_text("Download", exact=True).click()
    expect(menus).to_have_count(1)
    page.keyboard.press("Escape")
    expect(menus).to_have_count(0)
    compare.click()
    page.keyboard.press("Escape")
    expect(menus).to_have_count(0)
    expect(compare).to_be_focused()


def test_findings_follow_the_capacity_that_the_user_says(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, run="xla_dump_oom", capacity=str(32 << 30))
    findings = page.get_by_role("region", name="Findings")
    expect(findings.locator("[data-kind=activations]")).to_be_visible()
    expect(findings.locator("[data-kind=over_capacity]")).to_have_count(0)
    page.get_by_label("Capacity").fill("17 GiB")
    page.keyboard.press("Enter")
    over = findings.locator("[data-kind=over_capacity]")
    expect(over).to_contain_text("1.00 GiB")
    expect(over).to_contain_text("does not fit")
    expect(page.locator(".overview .legend")).to_contain_text("Capacity 17.00 GiB")


def test_a_window_tells_what_is_alive_throughout_and_what_is_allocated_within(
    page: Page, demo_server: Server
) -> None:
    opened(page, demo_server, **TRANSFORMER, window="200,240")
    table = page.get_by_role("region", name="Buffer table")
    expect(table.get_by_role("button", name="Alive throughout")).to_have_attribute("aria-pressed", "true")
    rows = table.locator(".grid-body .grid-row")
    expect(rows.first).not_to_contain_text("while.7{11}")
    page.get_by_role("button", name="Allocated within").first.click()
    expect(table.get_by_role("button", name="Allocated within")).to_be_visible()
    expect(rows.first).to_contain_text("while.7{11}")


@pytest.mark.parametrize("found", [True, False])
def test_a_number_is_marked_where_a_finding_is_about_it(page: Page, demo_server: Server, found: bool) -> None:
    if not found:
        page.route(
            "**/findings?*", lambda route: route.fulfill(json={"version": 1, "findings": [], "buffers": []})
        )
    opened(page, demo_server, run="tpu_v5e_kernels", module="jit_padded(1949091827119232368)", space="HBM")
    expect(page.get_by_role("region", name="Findings")).to_be_visible()
    padding = page.locator(".overview .tile", has_text="Padding at peak")
    marked = re.compile(r"\bwarn\b")
    if found:
        expect(padding).to_have_class(marked)
    else:
        expect(padding).not_to_have_class(marked)


def test_the_label_of_what_is_allocated_stands_beside_the_curve(page: Page, demo_server: Server) -> None:
    for zoom in ("", "340,380", "300,361", "350,420"):
        opened(page, demo_server, **TRANSFORMER, **({"zoom": zoom} if zoom else {}))
        assert not page.locator(".line-chart").evaluate(_CROSSED), zoom or "whole"


_CROSSED = """(chart) => {
  const box = chart.querySelector('.rule-label.allocated').getBoundingClientRect();
  const line = chart.querySelector('.usage-line');
  const place = line.getScreenCTM();
  const length = line.getTotalLength();
  for (let at = 0; at <= length; at += 1) {
    const { x, y } = line.getPointAtLength(at).matrixTransform(place);
    if (x > box.left && x < box.right && y > box.top + 2 && y < box.bottom - 2) return true;
  }
  return false;
}"""
