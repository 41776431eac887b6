"""For every window and everybody: nothing runs out of it, contrast, and what axe-core finds."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.eventually import eventually
from tests.browser.page_alone import bar, open_page
from tests.browser.tensorboard import Server
from tests.conftest import ROOT

Screenshot = Callable[[str], Path]


@pytest.mark.parametrize("width", [360, 768, 1280, 1920, 3840])
def test_nothing_runs_out_of_the_window(
    page: Page, demo_server: Server, screenshot: Screenshot, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 1080})
    open_page(page, demo_server, "run=tpu_v5e_kernels")
    expect(page.get_by_role("grid", name="Buffers")).to_be_visible()
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) == 0
    screenshot(f"page-{width}-light")
    page.emulate_media(color_scheme="dark")
    expect(page.locator('html[data-theme="dark"]')).to_have_count(1)
    screenshot(f"page-{width}-dark")


@pytest.mark.parametrize("width", [360, 800, 1280])
def test_every_memory_space_is_in_sight(page: Page, demo_server: Server, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    open_page(page, demo_server)
    last = page.get_by_role("tab").last
    expect(last).to_contain_text("SparseCore")
    tabs = page.get_by_role("tablist", name="Memory space")
    # They are drawn anew when another answer tells more of them.
    places = eventually(page, lambda: (tabs.bounding_box(), last.bounding_box()), all, "both drawn")
    shown, box = places
    assert box is not None and shown is not None
    assert box["x"] + box["width"] <= shown["x"] + shown["width"] + 1


@pytest.mark.parametrize("width", [360, 800, 1280])
def test_menus_open_inside_the_window(page: Page, demo_server: Server, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    open_page(page, demo_server)
    menus = page.locator(".tools .menu")
    expect(menus).to_have_count(2)
    for menu in menus.all():
        menu.locator("summary").click()
        box = menu.locator(".menu-list").bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= width
        page.keyboard.press("Escape")


_CONTRAST = """([ink, ground]) => {
  const style = getComputedStyle(document.documentElement);
  const light = (name) => {
    const hex = style.getPropertyValue(name).trim();
    const [r, g, b] = [1, 3, 5].map((at) => {
      const value = parseInt(hex.slice(at, at + 2), 16) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [low, high] = [light(ink), light(ground)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}"""


def test_small_text_has_contrast_in_both_themes(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        expect(page.locator(f'html[data-theme="{scheme}"]')).to_have_count(1)
        for token in ("text", "muted", "accent", "bad", "warn", "good"):
            ratio = page.evaluate(_CONTRAST, [f"--{token}", "--panel"])
            assert ratio >= 4.5, f"{token} on panel, {scheme}: {ratio:.2f}"


AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"


def violations_of(page: Page) -> list[str]:
    """What axe-core finds wrong for people with disabilities, all but what it calls minor."""
    # A script of the test's own: the page's policy lets none in, and does not bind the test.
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [
        f"{one['id']}: {one['help']}: {node['target']}"
        for one in found
        if one["impact"] != "minor"
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_only_trifles(page: Page, demo_server: Server, scheme: Literal["light", "dark"]) -> None:
    page.emulate_media(color_scheme=scheme)
    open_page(page, demo_server)
    expect(page.get_by_role("grid", name="Buffers")).to_be_visible()
    bar(page).click(position={"x": 5, "y": 10})
    assert violations_of(page) == []
    page.get_by_role("button", name=re.compile("All . modules")).click()
    expect(page.get_by_role("grid", name="Modules")).to_be_visible()
    assert violations_of(page) == []
